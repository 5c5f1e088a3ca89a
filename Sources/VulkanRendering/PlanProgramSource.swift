import FilterGraph
import FrameCore

extension PlanProgram {
  /// The rows of the source that rows of the reduced picture are averaged from, in whole groups of samples; the rows
  /// themselves where nothing is reduced.
  func sourceRows(forReduced rows: Range<Int>) -> Range<Int> {
    guard let rowTaps else { return rows }
    let group = plan.input.format.planes.map(\.rowsPerGroup).max() ?? 1
    return rowTaps.sources(of: rows).widened(toGroupsOf: group, within: plan.input.size.height)
  }
}

extension Range<Int> {
  /// Widened by the reach of a kernel among samples of which each stands for a group of pixels, and by no more than
  /// `count` pixels allow. Where each pixel has a sample, it lies in its place.
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
