import FrameCore
import Synchronization

/// Finds how far the pictures of a bracket taken by hand are shifted against each other.
///
/// A picture's samples above and below its median are the same at every exposure. The shift is found for
/// which most of them agree: among all shifts in small pictures, then more exactly at twice the size, up to
/// full size. Samples that hardly differ from the median are left out, since noise decides about them. Where
/// most of a picture is clipped, another percentile takes the median's place. Turns and perspective are not
/// corrected.
///
/// The picture of middle brightness stays in place. The others are compared with it, or with the next one
/// towards it if they have too few levels in common.
///
/// Memory: 1.7 bytes per pixel of each picture.
///
/// Source: G. Ward, Fast, Robust Image Registration for Compositing High Dynamic Range Photographs from
/// Hand-Held Exposures, Journal of Graphics Tools 8 (2), 2003. He begins with pictures of so few samples that
/// a step is the largest shift; these are too few for the median in many scenes.
public struct BracketAlignment: Sendable, Hashable, Codable {
  /// The largest shift that is looked for along each axis, in pixels: 1…1023. No shift by more than half of
  /// the picture is found.
  public var maximumShift: Int

  public init(maximumShift: Int = 63) { self.maximumShift = maximumShift }

  /// Samples that differ from the threshold by no more are left out, in 8-bit codes: Ward's value.
  private static let tolerance: UInt8 = 4
  /// The percentiles that are tried: the median, then the nearest to it.
  private static let percentiles = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9]
  /// The distance of a threshold from black and white, in 8-bit codes: what suffices, and the least.
  private static let (goodRoom, leastRoom) = (32, 12)
  /// The shortest edge of the pictures in which all shifts are tried, if the photos are not smaller.
  private static let leastEdge = 48
  /// Of pictures that have nothing in common, half of the samples differ.
  private static let mostDifference = 0.3

  /// Returns the shift of each picture; the reference has none.
  ///
  /// - Parameters:
  ///   - pictures: as for `ExposureFusion.fuse`.
  ///   - threads: the number of threads to use; nil uses all processors.
  /// - Throws: `SafelightError` if the pictures do not match or are in another format, or if `maximumShift`
  ///   is out of range.
  public func shifts(of pictures: [PixelBuffer], threads: Int? = nil) throws -> [PictureShift] {
    guard (1...1023).contains(maximumShift) else {
      throw SafelightError(
        .invalidValue, "The largest shift of an alignment is \(maximumShift)", remedy: "use 1 to 1023")
    }
    _ = try ExposureFusion.validate(pictures)
    let team = ThreadTeam(
      name: "alignment", threads: min(max(threads ?? ProcessorCount.usable, 1), pictures.count))
    let depth = Int.bitWidth - maximumShift.leadingZeroBitCount
    let pyramids = Self.concurrently(on: team, pictures.indices) {
      HistogramPyramid(pictures[$0], depth: depth, leastEdge: Self.leastEdge)
    }
    let radius = maximumShift
    // Outwards from the picture of middle brightness.
    let order = pyramids.indices.sorted { pyramids[$0].levels[0].mean < pyramids[$1].levels[0].mean }
    let middle = (order.count - 1) / 2
    let direct = Self.concurrently(on: team, order.indices) { place in
      place == middle
        ? PictureShift(x: 0, y: 0)
        : Self.shift(of: pyramids[order[place]], against: pyramids[order[middle]], upTo: radius)
    }
    var found = direct
    for place in Array(stride(from: middle - 1, through: 0, by: -1)) + Array(middle + 1..<order.count)
    where direct[place] == nil {
      let inner = place < middle ? place + 1 : place - 1
      guard let base = found[inner],
        let step = Self.shift(of: pyramids[order[place]], against: pyramids[order[inner]], upTo: radius)
      else { continue }
      found[place] = PictureShift(x: base.x + step.x, y: base.y + step.y)
    }
    var shifts = pictures.map { _ in PictureShift(x: 0, y: 0, isFound: false) }
    for (place, index) in order.enumerated() {
      if let shift = found[place] { shifts[index] = shift }
    }
    return shifts
  }

  /// The shift for which most samples agree; nil if the pictures have too little in common.
  private static func shift(
    of picture: HistogramPyramid, against reference: HistogramPyramid, upTo radius: Int
  ) -> PictureShift? {
    guard let percentile = percentile(for: picture, and: reference) else { return nil }
    func bitmap(_ level: HistogramPyramid.Level) -> ThresholdBitmap {
      ThresholdBitmap(
        level, threshold: level.level(atPercentile: percentile), tolerance: Self.tolerance)
    }
    let last = reference.levels.count - 1
    var best = (x: 0, y: 0, difference: Double.infinity)
    for index in (0...last).reversed() {
      let (base, shifted) = (bitmap(reference.levels[index]), bitmap(picture.levels[index]))
      let size = reference.levels[index].size
      let reach = index == last ? (radius + (1 << last) - 1) >> last : 1
      let start = (x: 2 * best.x, y: 2 * best.y)
      // A coarse level may lead astray.
      best = (0, 0, base.difference(from: shifted, x: 0, y: 0) ?? .infinity)
      let reachX: Int = min(reach, size.width / 2)
      let reachY: Int = min(reach, size.height / 2)
      for y in (start.y - reachY)...(start.y + reachY) {
        for x in (start.x - reachX)...(start.x + reachX) {
          guard let difference = base.difference(from: shifted, x: x, y: y) else { continue }
          let length: Int = x * x + y * y
          let bestLength: Int = best.x * best.x + best.y * best.y
          if difference < best.difference || (difference == best.difference && length < bestLength) {
            best = (x, y, difference)
          }
        }
      }
    }
    return best.difference < mostDifference ? PictureShift(x: best.x, y: best.y) : nil
  }

  /// The percentile nearest to the median at which both pictures are far enough from black and white.
  private static func percentile(for a: HistogramPyramid, and b: HistogramPyramid) -> Double? {
    func room(_ pyramid: HistogramPyramid, _ percentile: Double) -> Int {
      let level = Int(pyramid.levels[0].level(atPercentile: percentile))
      return min(level, 255 - level)
    }
    var best = (percentile: 0.5, room: 0)
    for percentile in percentiles {
      let room = min(room(a, percentile), room(b, percentile))
      if room >= goodRoom { return percentile }
      if room > best.room { best = (percentile, room) }
    }
    return best.room >= leastRoom ? best.percentile : nil
  }

  private static func concurrently<Value: Sendable>(
    on team: ThreadTeam, _ indices: Range<Int>, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let values = Mutex([Value?](repeating: nil, count: indices.count))
    team.run(indices.count) { index in
      let value = body(index)
      values.withLock { $0[index] = .some(value) }
    }
    return values.withLock { $0.compactMap(\.self) }
  }
}
