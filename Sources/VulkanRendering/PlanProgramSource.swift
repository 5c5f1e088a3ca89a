import FilterGraph
import FrameCore

/// What kernels read of the source: whole groups of samples, in which a camera's luma and colour differences lie together.
extension PlanProgram {
  /// The rows of the source that output pixels are sampled from. Valid where nothing is reduced.
  ///
  /// - Parameter columns: the part of the rows that is shown; nil means all of them.
  func sourceRows(for rows: Range<Int>, columns: Range<Int>? = nil) -> Range<Int> {
    sampledRows(about: plan.sourceRows(for: rows, columns: columns))
  }

  /// As `sourceRows`, the columns.
  func sourceColumns(for rows: Range<Int>, columns: Range<Int>? = nil) -> Range<Int> {
    let group = plan.input.format.planes.map(\.columnsPerGroup).max() ?? 1
    return plan.sourceColumns(for: rows, columns: columns)
      .widened(toGroupsOf: group, within: plan.input.size.width)
  }

  /// The rows of the source that rows of the reduced picture are averaged from; the rows themselves where nothing is
  /// reduced.
  func sourceRows(forReduced rows: Range<Int>) -> Range<Int> {
    rowTaps.map { sampledRows(about: $0.sources(of: rows)) } ?? rows
  }

  private func sampledRows(about rows: Range<Int>) -> Range<Int> {
    let group = plan.input.format.planes.map(\.rowsPerGroup).max() ?? 1
    return rows.widened(toGroupsOf: group, within: plan.input.size.height)
  }
}

extension Range<Int> {
  /// Widened by the reach of a kernel among the samples of a plane that has one for each `group` of pixels, and by no
  /// more than `count` pixels allow. Where each pixel has its sample, the range includes the reach already.
  fileprivate func widened(toGroupsOf group: Int, within count: Int) -> Range<Int> {
    guard group > 1, !isEmpty else { return self }
    // Three samples each way, and one for where they lie in their group.
    let reach = 4 * group
    let first = Swift.max(0, lowerBound - reach) / group * group
    return first..<Swift.min(count, (upperBound + reach + group - 1) / group * group)
  }

  /// This range in pieces of `length`, the last of which may be shorter.
  func pieces(of length: Int) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: length).map { $0..<Swift.min($0 + length, upperBound) }
  }
}
