import Testing

@testable import Capture

@Suite("A driver's frame counter")
struct DriverSequenceTests {
  private func advance(_ counters: [UInt32]) -> [(position: UInt64, missing: Int)] {
    var sequence = DriverSequence()
    return counters.map { sequence.advance(to: $0) }
  }

  @Test("The first frame is at 0, whatever the driver calls it")
  func first() {
    for counter in [0, 7, UInt32.max] {
      let found = advance([counter])
      #expect(found[0].position == 0 && found[0].missing == 0)
    }
  }

  @Test("A gap counts the frames in it, and positions leave room for them")
  func gap() {
    let found = advance([4, 5, 9, 10])
    #expect(found.map(\.position) == [0, 1, 5, 6])
    #expect(found.map(\.missing) == [0, 0, 3, 0])
  }

  @Test("The counter wraps after 2³²−1 without a gap, and gaps across the wrap are counted")
  func wrap() {
    let whole = advance([UInt32.max - 1, UInt32.max, 0, 1])
    #expect(whole.map(\.position) == [0, 1, 2, 3])
    #expect(whole.allSatisfy { $0.missing == 0 })
    let broken = advance([UInt32.max - 1, 1])
    #expect(broken[1].position == 3 && broken[1].missing == 2)
  }

  @Test("A counter that stands still or starts anew counts on by one")
  func restart() {
    let found = advance([100, 100, 0, 1])
    #expect(found.map(\.position) == [0, 1, 2, 3])
    #expect(found.allSatisfy { $0.missing == 0 })
  }
}
