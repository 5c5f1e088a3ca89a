import FrameCore
import Testing

@testable import Recording

@Suite("Frames on their way to a movie")
struct FrameSelectionTests {
  /// Asks for 300 frames at 30 a second, loses some, and brings those that are rendered.
  private func run(rate: Double?, lost: Set<UInt64>, rendersAll: Bool) throws -> (
    wanted: Int, spared: Int, lost: Int
  ) {
    var selection = FrameSelection()
    try selection.limiter.setRate(rate)
    var (wanted, spared, missing) = (0, 0, 0)
    for number in UInt64(0)..<300 {
      // Lost by the camera: nobody asks for it.
      if lost.contains(number), number.isMultiple(of: 2) { continue }
      let isTaken = selection.takes(number, at: Timestamp(nanoseconds: Int64(number) * 33_333_333))
      if !isTaken { spared += 1 }
      // Lost by the look or its queue.
      if lost.contains(number) || !isTaken && !rendersAll { continue }
      let came = selection.came(number)
      #expect(came.isWanted == isTaken)
      wanted += came.isWanted ? 1 : 0
      missing += came.lost
    }
    return (wanted, spared, missing)
  }

  @Test("are all accounted for: recorded, spared under pressure, or lost", arguments: [false, true])
  func accounts(rendersAll: Bool) throws {
    let plain = try run(rate: nil, lost: [], rendersAll: rendersAll)
    #expect(plain.wanted == 300 && plain.spared == 0 && plain.lost == 0)
    let losing = try run(rate: nil, lost: [4, 5, 17], rendersAll: rendersAll)
    #expect(losing.wanted == 297 && losing.lost == 3)
    let sparing = try run(rate: 15, lost: [], rendersAll: rendersAll)
    #expect(
      sparing.lost == 0 && sparing.wanted + sparing.spared == 300 && (149...151).contains(sparing.wanted))
  }

  @Test("begin anew with another camera's numbers")
  func anew() {
    var selection = FrameSelection()
    for number in [UInt64(1000), 1001, 0, 1, 3] { _ = selection.takes(number, at: .now) }
    #expect(selection.came(1000).lost == 0 && selection.came(1001).lost == 0)
    #expect(selection.came(0).lost == 0 && selection.came(1).lost == 0 && selection.came(3).lost == 1)
  }
}
