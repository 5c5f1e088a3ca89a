import FilterGraph
import FrameCore

extension PlanProgram {
  /// The rows of the source that rows of the reduced picture are averaged from, with those that a camera's colour
  /// differences are interpolated from; the rows themselves where nothing is reduced.
  func sourceRows(forReduced rows: Range<Int>) -> Range<Int> {
    let columns = 0..<(reduction?.reducedSize.width ?? plan.input.size.width)
    return plan.region(
      in: .source, for: Region(columns: columns, rows: rows), of: .reduced, margin: .shaders
    ).rows
  }

  /// The rows of the source that narrowing some of its rows reads: a camera's colour differences are interpolated.
  func sourceRows(forNarrowed rows: Range<Int>) -> Range<Int> {
    plan.region(
      in: .source, for: Region(columns: 0..<plan.input.size.width, rows: rows), of: .unreduced,
      margin: .shaders
    ).rows
  }
}

extension Range<Int> {
  /// This range in pieces of `length`, the last of which may be shorter.
  func pieces(of length: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: length).map { $0..<Swift.min($0 + length, upperBound) }
  }
}
