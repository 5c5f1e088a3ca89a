import Dispatch
import FrameCore
import Synchronization
import TestSupport
import Testing

@testable import Capture

private func sound(_ count: Int, at position: Int) -> AudioBuffer {
  AudioBuffer(
    format: AudioFormat(sampleRate: 1000, layout: .mono), samples: Array(repeating: 0.5, count: count),
    time: Timestamp(nanoseconds: 0), position: Int64(position))
}

@Suite(.timeLimit(.minutes(10))) struct AudioDataOutputTests {
  @Test("What is too much costs the oldest, and is counted", arguments: 0..<20)
  func queue(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let limit = Int.random(in: 50...500, using: &random)
    var queue = AudioQueue(limit: Double(limit) / 1000)
    // The same rules in the plainest way.
    var model: [AudioBuffer] = []
    var (position, delivered, dropped, droppedBuffers) = (0, 0, 0, 0)
    for _ in 0..<2000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let count = Int.random(in: 1...80, using: &random)
        queue.append(sound(count, at: position))
        model.append(sound(count, at: position))
        position += count
        while model.reduce(0, { $0 + $1.frameCount }) > limit, model.count > 1 {
          dropped += model.removeFirst().frameCount
          droppedBuffers += 1
        }
      } else {
        let expected = model.isEmpty ? nil : model.removeFirst()
        delivered += expected?.frameCount ?? 0
        #expect(queue.popFirst()?.position == expected?.position)
      }
      let waiting = model.reduce(0) { $0 + $1.frameCount }
      #expect(queue.isEmpty == model.isEmpty && queue.hasRoom == (2 * waiting <= limit))
      let counts = queue.statistics
      #expect(
        [counts.captured, counts.delivered, counts.dropped, counts.waiting]
          == [position, delivered, dropped, waiting].map(Int64.init))
      #expect(counts.droppedBuffers == droppedBuffers)
    }
    #expect(dropped > 0)
  }

  @Test("A slow output loses its own oldest sound, counts it, and delays no other tap")
  func slowOutput() async throws {
    let input = ScriptedAudioInput()
    let (slow, fast) = (AudioDataOutput(keepingNewest: 0.2), AudioDataOutput())
    let session = try await CaptureSession.started(input, fast)
    try await session.configure { try $0.add(slow) }
    for _ in 0..<100 {
      input.send(.sound(480))
      #expect(runs(fast.take { _ in true }) == "s480")
    }
    input.send(.finished)
    #expect(fast.takeAll().isEmpty)
    let kept = slow.takeAll()
    #expect(kept.count == 20 && kept.first?.position == 80 * 480)
    let statistics = slow.statistics
    #expect([statistics.captured, statistics.delivered, statistics.dropped] == [48_000, 9600, 38_400])
    #expect(statistics.droppedBuffers == 80 && statistics.waiting == 0)
    #expect(fast.statistics.dropped == 0)
  }

  @Test("An unpaced source waits for its consumer: nothing is lost, even of long silence")
  func unpaced() async throws {
    let input = try SyntheticAudio(
      format: AudioFormat(sampleRate: 8000, layout: .mono), paced: false,
      startTime: Timestamp(nanoseconds: 0), duration: 30,
      faults: SyntheticAudioFaults(overruns: [3..<9], unplugged: [12..<20]))
    let output = AudioDataOutput(keepingNewest: 0.2)
    let session = try await CaptureSession.started(input, output)
    var count = 0
    for await buffer in output.buffers { count += buffer.frameCount }
    #expect(count == 240_000 && output.statistics.dropped == 0)
    #expect(session.audioStatistics.silentOverrun == 48_000)
    await session.stop()
  }

  @Test("Sound comes to tasks, to a queue and to threads; the latest consumer takes over")
  func consumers() async throws {
    let output = AudioDataOutput()
    output.openSound(nil)
    let task = Task {
      var positions: [Int64] = []
      for await buffer in output.buffers { positions.append(buffer.position) }
      return positions
    }
    output.accept(sound(10, at: 0))
    while output.statistics.delivered < 10 { await Task.yield() }
    // A delegate takes over, and the sequence ends.
    let heard = Monitor<[Int64]>([])
    output.setDelegate(queue: DispatchQueue(label: "sound")) { buffer in
      heard.update { $0.append(buffer.position) }
    }
    #expect(await task.value == [0])
    for position in 1...5 { output.accept(sound(10, at: position)) }
    heard.wait { $0.count == 5 ? true : nil }
    #expect(heard.read { $0 } == [1, 2, 3, 4, 5])
    // A thread takes over.
    output.removeDelegate()
    output.accept(sound(10, at: 6))
    #expect(output.nextBuffer(until: .now)?.position == 6)
    #expect(output.nextBuffer(until: .now) == nil)
    output.wake()
    output.accept(sound(10, at: 7))
    #expect(output.nextBuffer(until: Timestamp.now.advanced(bySeconds: 60)) == nil, "woken")
    #expect(!output.isFinished)
    output.closeSound()
    output.accept(sound(10, at: 8))
    #expect(output.nextBuffer(until: .now)?.position == 7)
    #expect(output.isFinished && output.statistics.captured == 80)
  }

  @Test("A cancelled task ends its sequence, and sound waits for the next consumer")
  func cancellation() async {
    let output = AudioDataOutput()
    output.openSound(nil)
    let task = Task {
      var count = 0
      for await _ in output.buffers { count += 1 }
      return count
    }
    while output.monitor.read({ $0.continuation == nil }) { await Task.yield() }
    task.cancel()
    #expect(await task.value == 0)
    output.accept(sound(10, at: 0))
    #expect(output.nextBuffer(until: .now)?.position == 0)
  }

  @Test("An output belongs to one session")
  func oneSession() async throws {
    let output = AudioDataOutput()
    let session = CaptureSession()
    try await session.configure { try $0.add(output) }
    await #expect(throws: SafelightError.self) { try await CaptureSession().configure { try $0.add(output) } }
    try await session.configure { $0.remove(output) }
    try await CaptureSession().configure { try $0.add(output) }
  }
}
