import FrameCore
import Synchronization
import Testing

@testable import Capture
import Libc

@Suite(.timeLimit(.minutes(5))) struct FrameFeedTests {
  /// An output that remembers whether it is open, and can hold up whoever closes it.
  private final class Probe: CaptureOutput {
    let isOpen = Mutex(false)
    private let onClose: @Sendable () -> Void

    init(onClose: @escaping @Sendable () -> Void = {}) { self.onClose = onClose }

    var purpose: OutputPurpose { .data }
    func attach(to session: ObjectIdentifier) throws {}
    func detach(from session: ObjectIdentifier) {}
    func open() {
      // Time for another thread to come in between.
      sched_yield()
      isOpen.withLock { $0 = true }
    }
    func accept(_ frame: Frame) {}
    func sourceDropped(first: DroppedFrame, count: Int) {}
    func close() {
      onClose()
      isOpen.withLock { $0 = false }
    }
    var holdsFrames: Bool { false }
    func waitForRoom(until deadline: Timestamp) -> Bool { true }
  }

  @Test("Whatever threads open, close and route at once, outputs hear of the last of it last")
  func order() {
    let probes = (0..<3).map { _ in Probe() }
    let routes = probes.map { FrameFeed.Route(output: $0, orientation: .up) }
    for round in 0..<300 {
      let feed = FrameFeed()
      ThreadTeam(name: "feed", threads: 2).run(8) { piece in
        switch (piece + round) % 4 {
        case 0: feed.open()
        case 1: feed.setRoutes([routes[0], routes[1]])
        case 2: feed.close()
        default: feed.setRoutes([routes[1], routes[2]])
        }
      }
      feed.setRoutes([routes[0]])
      #expect(!probes[1].isOpen.withLock { $0 } && !probes[2].isOpen.withLock { $0 }, "round \(round)")
      feed.close()
      #expect(!probes[0].isOpen.withLock { $0 })
    }
  }

  @Test("What the camera sent goes to outputs that ask for it, and to no other")
  func encodedPictures() throws {
    final class Taker: CaptureOutput {
      let takesEncodedPictures: Bool
      let taken = Mutex<[Frame]>([])
      init(takesEncodedPictures: Bool) { self.takesEncodedPictures = takesEncodedPictures }
      var purpose: OutputPurpose { .data }
      func attach(to session: ObjectIdentifier) throws {}
      func detach(from session: ObjectIdentifier) {}
      func open() {}
      func accept(_ frame: Frame) { taken.withLock { $0.append(frame) } }
      func sourceDropped(first: DroppedFrame, count: Int) {}
      func close() {}
      var holdsFrames: Bool { false }
      func waitForRoom(until deadline: Timestamp) -> Bool { true }
    }
    let (asking, plain) = (Taker(takesEncodedPictures: true), Taker(takesEncodedPictures: false))
    let feed = FrameFeed()
    feed.setRoutes([asking, plain].map { FrameFeed.Route(output: $0, orientation: .up) })
    feed.open()
    var frame = Frame(buffer: try PixelBuffer(size: PixelSize(width: 2, height: 2), format: .rgba8))
    let bytes = [UInt8](repeating: 7, count: 4).withUnsafeBytes { EncodedPicture(copying: $0) }
    frame.encoded = bytes
    frame.mosaic = try BayerMosaic(
      bytes, size: PixelSize(width: 2, height: 2), format: BayerFormat(.rggb, .bits8), rowBytes: 2,
      transfer: .linear, neutral: nil)
    feed.deliver(frame)
    let got = (asking.taken.withLock { $0 }, plain.taken.withLock { $0 })
    #expect(got.0.count == 1 && got.0[0].encoded === bytes && got.0[0].mosaic?.samples === bytes)
    #expect(got.1.count == 1 && got.1[0].encoded == nil && got.1[0].mosaic == nil)
  }

  @Test("A session that is started while the thread of its last source still closes the outputs starts")
  func startsAtTheEnd() async throws {
    let mayClose = Monitor(false)
    let (input, probe) = (try ScriptedInput(), Probe { mayClose.wait { $0 ? () : nil } })
    let session = try await CaptureSession.connecting(input, probe)
    input.send(.frame(0), .finished)
    try await session.start()
    await session.wait { $0 == .stopped }
    // The former thread is closing the output, and `start()` waits for that.
    let helper = try WorkerThread(name: "closing") {
      usleep(20_000)
      mayClose.update { $0 = true }
    }
    try await session.start()
    helper.join()
    #expect(input.script.read { $0.opened } == 2)
    #expect(probe.isOpen.withLock { $0 })
    await session.stop()
    #expect(!probe.isOpen.withLock { $0 })
  }
}
