import FrameCore

/// What a search may take.
struct FrameLimits {
  /// Larger pictures are made smaller, by a whole number.
  var longEdge: Int?
  var seconds: Double

  static let live = FrameLimits(seconds: 1)
  /// Sixty megapixels take seconds.
  static let photo = FrameLimits(seconds: 60)
}

extension Frame {
  /// Something found, and the size of the picture in which its corners are.
  typealias Found = (thing: VisionAnswer.Thing, size: PixelSize)

  /// Looks for something in the frame as displayed.
  ///
  /// - Throws: `SafelightError` if the frame is too large, unless limits make it smaller, or if its answer was lost.
  func find(
    _ ability: VisionAbility, _ flags: VisionRequest.Flags, with worker: VisionWorker, limits: FrameLimits
  ) throws -> [Found] {
    let factor = limits.longEdge.map { UprightLuma.factor(for: buffer.size, longEdge: $0) } ?? 1
    var luma = UprightLuma(of: buffer.size, orientation: orientation, factor: factor)
    let size = luma.size
    let things = try worker.find(ability, flags, seconds: limits.seconds, size: size) { target in
      luma.add(buffer.height, of: buffer, to: target)
    }
    return things.map { ($0, size) }
  }
}
