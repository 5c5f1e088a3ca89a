import FilterGraph
import FrameCore

extension PlanProgram {
  /// The step behind the frame if the plan sharpens: a picture in between → output.
  struct Sharpened: Sendable {
    /// The format of the picture in between.
    var format: PixelFormat
    /// The pixels on each side of a pixel on which it depends.
    var halo: Int
    /// Index into `PlanProgram.variants`.
    var variant: Int
  }

  /// Returns the picture in between that a rectangle of the output is made of; nil if the plan does not sharpen.
  func transferInBetween(for target: DeviceLayout) -> PictureTransfer? {
    transferInBetween(columns: target.columns, rows: target.rows)
  }

  func transferInBetween(columns: Range<Int>, rows: Range<Int>) -> PictureTransfer? {
    guard let sharpened else { return nil }
    let (size, halo) = (plan.outputSize, sharpened.halo)
    // Colour differences depend on pixels before the rectangle, with halos of their own.
    func grown(_ range: Range<Int>, _ before: UInt32, _ count: Int) -> Range<Int> {
      max(0, range.lowerBound - halo - Int(before))..<min(count, range.upperBound + halo)
    }
    return PictureTransfer(
      size: size, format: sharpened.format, columns: grown(columns, plan.reach.x, size.width),
      rows: grown(rows, plan.reach.y, size.height))
  }
}

extension ProgramTables {
  /// The words of `shaders/sharpen.comp`: the number of windows, the luma weights, and of each window its reach, gains,
  /// limit and masking, and the place of its weights.
  mutating func setSharpening(_ sharpening: Sharpening) {
    var list = [UInt32(sharpening.masks.count)] + (0..<3).map { Float(sharpening.luma[$0]).bitPattern }
    for mask in sharpening.masks {
      let edges = mask.edges
      let numbers: [Double] = [
        mask.amount, mask.amount * UnsharpMask.darkPart, 1 / mask.limit, edges?.begin ?? 0,
        edges.map { 1 / ($0.end - $0.begin) } ?? 0,
      ]
      list += [UInt32(mask.reach)] + numbers.map { Float($0).bitPattern }
      list.append(append(mask.weights.map { Float($0) }))
    }
    setSharpening(list: list)
  }
}
