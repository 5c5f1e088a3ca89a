import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("A queue of samples")
struct SampleQueueTests {
  /// What the queue is compared with: the left channel of all samples from the start on, and which are silence.
  private struct Model {
    var start: Int64 = 0
    var samples: [Float] = []
    var silent: [Bool] = []
  }

  @Test("does in any order what a plain list of samples does", arguments: 1...20)
  func randomised(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var queue = SampleQueue(channelCount: 2)
    var model = Model(start: Int64.random(in: -1000...1000, using: &random))
    queue.restart(at: model.start)
    var next: Float = 1
    for _ in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let count = Int.random(in: 0...300, using: &random)
        let samples = (0..<count).map { next + Float($0) }
        next += Float(count)
        queue.append(samples.flatMap { [$0, -$0] }[...], silence: nil)
        model.samples += samples
        model.silent += [Bool](repeating: false, count: count)
      case 2:
        let count = Int.random(in: 0...100, using: &random)
        queue.appendSilence(count, .overrun)
        model.samples += [Float](repeating: 0, count: count)
        model.silent += [Bool](repeating: true, count: count)
      case 3:
        let count = Int.random(in: 0...200, using: &random)
        queue.drop(before: model.start + Int64(count))
        let dropped = min(count, model.samples.count)
        model.samples.removeFirst(dropped)
        model.silent.removeFirst(dropped)
        model.start += Int64(dropped)
      case 4 where model.samples.count > 10:
        let place = Int.random(in: 0..<model.samples.count, using: &random)
        let count = Int.random(in: 0...model.samples.count - place, using: &random)
        queue.remove(count, at: model.start + Int64(place), fade: 0)
        model.samples.removeSubrange(place..<place + count)
        model.silent.removeSubrange(place..<place + count)
      default:
        // At the first place, what was dropped before it would decide whether it is silence.
        guard !model.samples.isEmpty else { continue }
        let place = Int.random(in: 1...model.samples.count, using: &random)
        let count = Int.random(in: 0...50, using: &random)
        queue.insertSilence(count, at: model.start + Int64(place), fade: 0)
        model.samples.insert(contentsOf: [Float](repeating: 0, count: count), at: place)
        // What is inserted behind silence prolongs it.
        let isProlonged = model.silent[place - 1]
        model.silent.insert(contentsOf: [Bool](repeating: isProlonged, count: count), at: place)
      }
      #expect(queue.start == model.start && queue.count == model.samples.count)
      let first = Int.random(in: -20...model.samples.count, using: &random)
      let count = Int.random(in: 0...100, using: &random)
      let read = queue.read(from: model.start + Int64(first), count: count) { Array($0) }
      for index in 0..<count {
        let place = first + index
        let expected = model.samples.indices.contains(place) ? model.samples[place] : 0
        #expect(read[2 * index] == expected && read[2 * index + 1] == -expected)
      }
      let silent = Set(queue.silences.flatMap { $0.positions.filter { $0 >= model.start } })
      let expected = model.silent.indices.filter { model.silent[$0] }.map { model.start + Int64($0) }
      #expect(silent == Set(expected) && queue.silences.allSatisfy { $0.reason == .overrun })
    }
  }

  @Test("fades in and out where sound is taken out or silence put in")
  func fades() {
    var queue = SampleQueue(channelCount: 1)
    queue.append([Float](repeating: 1, count: 10)[...] + [Float](repeating: 3, count: 10), silence: nil)
    queue.remove(10, at: 4, fade: 3)
    // From 1 to 3 over three samples, then what was after them.
    #expect(
      queue.read(from: 0, count: 10) { Array($0) }
        == [1, 1, 1, 1, 1.5, 2, 2.5, 3, 3, 3].prefix(10).map { $0 })
    queue.restart(at: 0)
    queue.append([Float](repeating: 1, count: 8)[...], silence: nil)
    queue.insertSilence(2, at: 1, fade: 3)
    #expect(queue.read(from: 0, count: 10) { Array($0) } == [1, 0.75, 0.5, 0.25, 0, 0, 0.25, 0.5, 0.75, 1])
  }
}
