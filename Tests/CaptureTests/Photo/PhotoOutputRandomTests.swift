import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite struct PhotoOutputRandomTests {
  @Test("Whatever happens, each photo ends once, and its frame is the nearest of all that came")
  func random() throws {
    var random = SeededRandom(seed: 17)
    for _ in 0..<200 { try run(&random) }
  }

  private func run(_ random: inout SeededRandom) throws {
    var machine = PhotoOutputStateMachine<Int>()
    machine.opened()
    let interval = Int64.random(in: 4_000_000...100_000_000, using: &random)
    var now = Timestamp(nanoseconds: 1_000_000_000_000)
    var times: [Timestamp] = []
    var moments: [UInt64: Timestamp] = [:]
    var ended: [UInt64: Int] = [:]
    func perform(_ actions: [PhotoOutputStateMachine<Int>.Action]) {
      for action in actions {
        switch action {
        case .fail(let id, _): ended[id, default: 0] += 1
        case .process(let settings, let entries, let reference, _):
          ended[settings.id, default: 0] += 1
          #expect(entries.map(\.time) == entries.map(\.time).sorted())
          #expect(entries.count == settings.qualityPrioritization.frameCount)
          // No frame that came was nearer, nor will one be: none is nearer than half an interval.
          guard let moment = moments[settings.id] else { return }
          func distance(_ time: Timestamp) -> Int64 { abs(time.nanoseconds - moment.nanoseconds) }
          let chosen = distance(entries[reference].time)
          #expect(times.allSatisfy { distance($0) >= chosen })
          if settings.zeroShutterLag == .applies { #expect(chosen <= interval / 2 + 1) }
        }
      }
    }
    for number in 0..<60 {
      times.append(now)
      perform(machine.captured(number, at: now, now: now))
      let next = now.advanced(by: interval)
      var presses = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Int64.random(in: 0..<interval, using: &random)
      }
      presses.sort()
      for press in presses where number > 10 && number < 45 {
        let quality = PhotoQualityPrioritization.allCases.randomElement(using: &random)
        let settings = PhotoSettings(qualityPrioritization: quality ?? .speed)
        let moment = now.advanced(by: press)
        moments[settings.id] = moment
        perform(machine.begin(try machine.resolve(settings, pressedAt: moment, now: moment), now: moment))
      }
      now = next
    }
    perform(machine.closed())
    #expect(moments.keys.allSatisfy { ended[$0] == 1 })
    #expect(ended.count == moments.count)
  }

  @Test("A selection is what a search of all neighbourhoods finds")
  func selections() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<2000 {
      var ring = PhotoRing<Int>()
      var time: Int64 = 0
      for number in 0..<Int.random(in: 1...12, using: &random) {
        time += Int64.random(in: 1...20, using: &random)
        ring.append(number, at: Timestamp(nanoseconds: time))
      }
      let moment = Int64.random(in: -10...time + 10, using: &random)
      let count = Int.random(in: 1...9, using: &random)
      func distance(_ index: Int) -> Int64 { abs(ring.entries[index].time.nanoseconds - moment) }
      let sorted = ring.entries.indices.sorted { (distance($0), $0) < (distance($1), $1) }
      let expected = sorted.prefix(count).sorted()
      let selection = ring.nearest(count, to: Timestamp(nanoseconds: moment))
      #expect(selection.map { Array($0.range) } == expected)
      #expect(selection?.reference == sorted[0])
    }
  }
}
