import FilterGraph
import FrameCore

extension PlanProgram {
  /// The source rows that rows of the downsampled picture are averaged from, including those that a camera's chroma is
  /// interpolated from; the rows themselves if nothing is downsampled.
  func sourceRows(forDownsampled rows: Range<Int>) -> Range<Int> {
    let columns = 0..<(downsampling?.downsampledSize.width ?? plan.input.size.width)
    return plan.region(
      in: .source, for: Region(columns: columns, rows: rows), of: .downsampled, margin: .shaders
    ).rows
  }

  /// The source rows read for the horizontal pass of some of its rows, including those that a camera's chroma is
  /// interpolated from.
  func sourceRows(forHorizontal rows: Range<Int>) -> Range<Int> {
    plan.region(
      in: .source, for: Region(columns: 0..<plan.input.size.width, rows: rows), of: .fullSize,
      margin: .shaders
    ).rows
  }
}

extension Range<Int> {
  /// Divides this range into pieces of `length`, the last of which may be shorter.
  func pieces(of length: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: length).map { $0..<Swift.min($0 + length, upperBound) }
  }
}
