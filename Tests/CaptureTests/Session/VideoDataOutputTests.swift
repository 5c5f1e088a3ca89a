import Dispatch
import FrameCore
import Synchronization
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(20))) struct VideoDataOutputTests {
  private static func frame(_ sequence: UInt64) throws -> Frame {
    Frame(
      buffer: try PixelBuffer(size: PixelSize(width: 2, height: 2), format: .gray8),
      time: Timestamp(nanoseconds: Int64(sequence) * 1000), sequence: sequence)
  }

  private static var soon: Timestamp { Timestamp.now.advanced(bySeconds: 20) }
  private static var now: Timestamp { Timestamp(nanoseconds: 0) }

  @Test("Pulling: the newest frame, nothing at the deadline, nothing when woken, nothing at the end")
  func pulling() throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    #expect(output.nextFrame(until: Self.now) == nil)
    for number: UInt64 in 0..<3 { output.accept(try Self.frame(number)) }
    #expect(output.statistics.droppedLate == 2)
    #expect(output.nextFrame(until: Self.now)?.sequence == 2)
    output.wake()
    #expect(output.nextFrame(until: Self.soon) == nil)
    output.accept(try Self.frame(3))
    output.close()
    #expect(!output.isFinished)
    #expect(output.nextFrame(until: Self.soon)?.sequence == 3)
    #expect(output.nextFrame(until: Self.soon) == nil)
    #expect(output.isFinished)
    output.open()
    #expect(!output.isFinished)
  }

  @Test("A thread that pulls and a thread that captures: nothing is lost, doubled or reordered")
  func pullingOnAThread() throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 2))
    let frame = try Self.frame(0)
    let capture = try WorkerThread(name: "test capture") {
      for number: UInt64 in 0..<20_000 {
        var frame = frame
        frame.sequence = number
        output.accept(frame)
        if number % 7 == 0 { output.wake() }
      }
      output.close()
    }
    var (last, count) = (-1, 0)
    while !output.isFinished {
      // Some waits end at a deadline that is just past.
      let deadline = count % 3 == 0 ? Timestamp.now : Self.soon
      guard let frame = output.nextFrame(until: deadline) else { continue }
      #expect(Int(frame.sequence) > last)
      last = Int(frame.sequence)
      count += 1
    }
    capture.join()
    let statistics = output.statistics
    #expect(statistics.captured == 20_000)
    #expect(statistics.delivered == count)
    #expect(statistics.waiting == 0)
    #expect(last == 19_999)
  }

  @Test("A loop over frames is busy while its body runs, and each drop is told once")
  func sequence() async throws {
    let output = VideoDataOutput(lateFrames: .discardWhileBusy)
    var frames = output.frames.makeAsyncIterator()
    let drops = output.drops
    output.accept(try Self.frame(0))
    #expect(await frames.next()?.sequence == 0)
    output.accept(try Self.frame(1))
    output.accept(try Self.frame(2))
    let waiting = Task {
      for await frame in output.frames { return frame.sequence }
      return UInt64.max
    }
    while !output.monitor.read({ $0.continuation != nil }) { await Task.yield() }
    output.accept(try Self.frame(3))
    #expect(await waiting.value == 3)
    output.close()
    #expect(await frames.next() == nil)
    #expect(output.isFinished)
    var iterator = drops.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first == DroppedFrame(sequence: 1, time: Timestamp(nanoseconds: 1000), reason: .late))
    #expect(await iterator.next()?.sequence == 2)
  }

  @Test("A cancelled task stops waiting, and the frame that comes then goes to the next consumer")
  func cancellation() async throws {
    let output = VideoDataOutput()
    let task = Task {
      for await _ in output.frames {}
      return true
    }
    while !output.monitor.read({ $0.continuation != nil }) { await Task.yield() }
    task.cancel()
    #expect(await task.value)
    output.accept(try Self.frame(4))
    #expect(output.nextFrame(until: Self.soon)?.sequence == 4)
    #expect(output.statistics.dropped == 0)
  }

  @Test("Who comes last takes the output over, and the loop before ends")
  func takeOver() async throws {
    let output = VideoDataOutput()
    let first = Task {
      for await _ in output.frames {}
      return true
    }
    while !output.monitor.read({ $0.continuation != nil }) { await Task.yield() }
    #expect(output.nextFrame(until: Self.now) == nil)
    #expect(await first.value)
  }

  @Test(
    "A delegate hears of frames and drops on its queue, one at a time, in the order in which they happened")
  func delegate() async throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let queue = DispatchQueue(label: "test delegate")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (reports, send) = AsyncStream.makeStream(of: String.self)
    let gate = DispatchSemaphore(value: 0)
    output.setDelegate(
      queue: queue,
      didOutput: { frame in
        send.yield("\(frame.sequence)\(DispatchQueue.getSpecific(key: key) == true ? "" : "?")")
        gate.wait()
      },
      didDrop: { send.yield("-\($0.sequence) \($0.reason)") })
    var iterator = reports.makeAsyncIterator()
    output.accept(try Self.frame(0))
    #expect(await iterator.next() == "0")
    for number: UInt64 in 1..<4 { output.accept(try Self.frame(number)) }
    output.sourceDropped(
      first: DroppedFrame(sequence: 4, time: Timestamp(nanoseconds: 1), reason: .discontinuity), count: 2)
    gate.signal()
    var heard: [String] = []
    for _ in 0..<5 { heard.append(await iterator.next() ?? "") }
    #expect(heard == ["-1 late", "-2 late", "-4 discontinuity", "-5 discontinuity", "3"])
    gate.signal()
    output.accept(try Self.frame(6))
    #expect(await iterator.next() == "6")
    output.removeDelegate()
    gate.signal()
    output.accept(try Self.frame(7))
    #expect(output.nextFrame(until: Self.soon)?.sequence == 7)
  }

  @Test("A concurrent queue does not make deliveries concurrent")
  func delegateOnConcurrentQueue() async throws {
    let output = VideoDataOutput(lateFrames: .keepAll(limit: 500))
    let active = Atomic(0)
    let (reports, send) = AsyncStream.makeStream(of: UInt64.self)
    output.setDelegate(queue: .global()) { frame in
      if active.add(1, ordering: .relaxed).newValue != 1 { Issue.record("two deliveries at once") }
      send.yield(frame.sequence)
      active.subtract(1, ordering: .relaxed)
    }
    for number: UInt64 in 0..<500 { output.accept(try Self.frame(number)) }
    var heard: [UInt64] = []
    for await number in reports {
      heard.append(number)
      if heard.count == 500 { break }
    }
    #expect(heard == Array(0..<500))
  }

  @Test("A delegate that is flooded with drops still gets its frames")
  func flood() async throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let queue = DispatchQueue(label: "test flood")
    let (reports, send) = AsyncStream.makeStream(of: UInt64.self)
    queue.suspend()
    output.setDelegate(queue: queue, didOutput: { send.yield($0.sequence) }, didDrop: { _ in })
    for number: UInt64 in 0..<5 {
      output.sourceDropped(
        first: DroppedFrame(sequence: number, time: Timestamp(nanoseconds: 1), reason: .corrupt), count: 1000)
    }
    output.accept(try Self.frame(9))
    queue.resume()
    var iterator = reports.makeAsyncIterator()
    #expect(await iterator.next() == 9)
    #expect(output.statistics.droppedCorrupt == 5000)
  }

  @Test("A frame that left holds no memory: neither the queue nor the output refers to it any more")
  func memory() throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    weak var first: PixelBuffer?
    do {
      let frame = try Self.frame(0)
      first = frame.buffer
      output.accept(frame)
    }
    #expect(first != nil)
    output.accept(try Self.frame(1))
    #expect(first == nil, "a late frame is let go at once")
    weak var second: PixelBuffer?
    do {
      let frame = output.nextFrame(until: Self.soon)
      second = frame?.buffer
      #expect(second != nil)
    }
    #expect(second == nil)
  }
}
