import FilterGraph
import FrameCore

extension PlanProgram {
  /// The source rows that rows of the reduced picture are averaged from, including those that a camera's chroma is
  /// interpolated from; the rows themselves if nothing is reduced.
  func sourceRows(forReduced rows: Range<Int>) -> Range<Int> {
    let columns = 0..<(reduction?.reducedSize.width ?? plan.input.size.width)
    return plan.region(
      in: .source, for: Region(columns: columns, rows: rows), of: .reduced, margin: .shaders
    ).rows
  }

  /// The source rows read to narrow some of its rows, including those that a camera's chroma is interpolated from.
  func sourceRows(forNarrowed rows: Range<Int>) -> Range<Int> {
    plan.region(
      in: .source, for: Region(columns: 0..<plan.input.size.width, rows: rows), of: .unreduced,
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
