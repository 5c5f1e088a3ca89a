import FrameCore
import TestSupport
import Testing

@testable import LiveVideo

@Suite("Pairing the pictures of two cameras")
struct FramePairingTests {
  @Test("The last pictures of a clip leave at its end")
  func ending() {
    var pairing = FramePairing<Int>()
    let start = Timestamp(nanoseconds: 1_000_000_000)
    pairing.addSecond(7, at: start)
    pairing.addFirst(1, at: start.advanced(bySeconds: 0.01), now: start)
    #expect(pairing.next(now: start) == nil)
    #expect(pairing.next(now: start, isEnding: true)?.first == 1)
    #expect(pairing.next(now: start, isEnding: true) == nil)
  }

  private func time(_ milliseconds: Double) -> Timestamp {
    Timestamp(nanoseconds: Int64(milliseconds * 1e6))
  }

  /// Draws pairs as `3b`: the first camera's picture and the second's, `-` for none.
  private func drawn(_ pair: FramePairing<String>.Pair?) -> String {
    pair.map { $0.first + ($0.second ?? "-") } ?? "."
  }

  @Test("A picture leaves with the nearest one as soon as a later one has come")
  func nearest() {
    var pairing = FramePairing<String>(patience: 0.02)
    pairing.addSecond("a", at: time(90))
    pairing.addSecond("b", at: time(98))
    pairing.addFirst("1", at: time(100), now: time(101))
    #expect(drawn(pairing.next(now: time(102))) == ".")
    pairing.addSecond("c", at: time(105))
    let pair = pairing.next(now: time(106))
    #expect(drawn(pair) == "1b" && abs((pair?.offset ?? 0) + 0.002) < 1e-9)
    #expect(pairing.next(now: time(107)) == nil && pairing.due == nil)
  }

  @Test("A late camera delays the other by its patience, no more")
  func late() {
    var pairing = FramePairing<String>(patience: 0.02, longestAge: 1)
    pairing.addSecond("a", at: time(0))
    for (index, name) in ["1", "2", "3"].enumerated() {
      let moment = 100 + 33 * Double(index)
      pairing.addFirst(name, at: time(moment), now: time(moment + 1))
      #expect(pairing.next(now: time(moment + 20)) == nil)
      #expect(pairing.due == time(moment + 21))
      #expect(drawn(pairing.next(now: time(moment + 21))) == name + "a")
    }
    // After a second its last picture is too old.
    pairing.addFirst("4", at: time(1100), now: time(1100))
    #expect(drawn(pairing.next(now: time(1120))) == "4-")
    pairing.addFirst("5", at: time(1133), now: time(1133))
    pairing.addSecond("b", at: time(1134))
    #expect(drawn(pairing.next(now: time(1134))) == "5b")
  }

  @Test("No picture waits for a camera that has none")
  func alone() {
    var pairing = FramePairing<String>(patience: 0.02)
    for index in 0..<5 { pairing.addFirst("\(index)", at: time(Double(index)), now: time(Double(index))) }
    // More than three do not wait.
    #expect(drawn(pairing.next(now: time(5))) == "0-" && drawn(pairing.next(now: time(5))) == "1-")
    #expect(pairing.next(now: time(5)) == nil)
  }

  @Test(
    "Two cameras of any rates pair within half an interval, and every picture leaves once", arguments: 0..<20)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let rates = (Double.random(in: 10...60, using: &random), Double.random(in: 10...60, using: &random))
    let delays = (Double.random(in: 0...10, using: &random), Double.random(in: 0...10, using: &random))
    var events: [(arrival: Double, time: Double, isFirst: Bool)] = []
    for index in 0..<300 {
      let first = Double(index) * 1000 / rates.0, second = Double(index) * 1000 / rates.1 + 3
      events.append((first + delays.0, first, true))
      events.append((second + delays.1, second, false))
    }
    events.sort { $0.arrival < $1.arrival }
    var pairing = FramePairing<Double>(patience: 0.15)
    var shown: [Double] = []
    let end = 290 * 1000 / max(rates.0, rates.1)
    for event in events {
      if event.isFirst {
        pairing.addFirst(event.time, at: time(event.time), now: time(event.arrival))
      } else {
        pairing.addSecond(event.time, at: time(event.time))
      }
      while let pair = pairing.next(now: time(event.arrival)) {
        shown.append(pair.first)
        guard let second = pair.second, pair.first > 200, pair.first < end else { continue }
        #expect(abs(second - pair.first) <= 500 / rates.1 + 0.001)
      }
    }
    let expected = (0..<shown.count).map { Double($0) * 1000 / rates.0 }
    #expect(shown.count > 250 && shown == expected)
  }
}
