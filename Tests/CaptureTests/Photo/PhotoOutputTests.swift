import FrameCore
import Libc
import Synchronization
import TestSupport
import Testing

@testable import Capture

/// Pictures whose samples all are the frame's number, so that a photo tells which frame it is of.
private func picture(_ number: UInt8) throws -> PixelBuffer {
  let buffer = try PixelBuffer(size: PixelSize(width: 64, height: 48), format: .nv12)
  for plane in buffer.planes { memset(plane.base, Int32(number), plane.rowBytes * plane.rows) }
  return buffer
}

private func frame(_ number: UInt8, at seconds: Double) throws -> Frame {
  Frame(
    buffer: try picture(number), time: Timestamp.now.advanced(bySeconds: seconds), sequence: UInt64(number))
}

/// Passes two frames on; returns the time of the first.
private func acceptTwo<Photo>(_ output: PhotoOutput<Photo>) throws -> Timestamp {
  let first = try frame(1, at: -0.1)
  output.accept(first)
  output.accept(try frame(2, at: -0.07))
  return first.time
}

extension PhotoEvent {
  fileprivate var name: String {
    switch self {
    case .willBegin: "willBegin"
    case .willCapture: "willCapture"
    case .didCapture: "didCapture"
    case .thumbnail: "thumbnail"
    case .proxy: "proxy"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

/// Outputs of photos that are the first sample of their frame.
private func makeOutput(memory: Int = 1 << 20, threads: Int = 1) -> PhotoOutput<UInt8> {
  PhotoOutput(memory: memory, threads: threads) { captured, _ in
    try captured.referenceFrame.samples().row(0, of: 0, as: UInt8.self)[0]
  }
}

extension PhotoOutput {
  /// The output's own session, so that its frames come when a test wants them.
  func openAlone() throws {
    try attach(to: ObjectIdentifier(self))
    open()
  }
}

private let patience = 20.0

@Suite struct PhotoOutputTests {
  @Test("A photo is of the frame nearest to the press, and its events come in order")
  func photo() throws {
    let output = makeOutput()
    try output.openAlone()
    let begin = Timestamp.now.advanced(bySeconds: -0.25)
    for number: UInt8 in 1...8 {
      var frame = try frame(number, at: 0)
      frame.time = begin.advanced(bySeconds: Double(number) * 0.03)
      output.accept(frame)
    }
    let names = Mutex<[String]>([])
    let press = begin.advanced(bySeconds: 5 * 0.03 + 0.004)
    let settings = PhotoSettings(qualityPrioritization: .speed)
    let capture = try output.capture(settings, pressedAt: press) { event in
      names.withLock { $0.append(event.name) }
    }
    #expect(try capture.wait(until: Timestamp.now.advanced(bySeconds: patience)) == 5)
    // The last event follows the result.
    while names.withLock({ $0.count }) < 4 { usleep(1000) }
    #expect(names.withLock { $0 } == ["willBegin", "willCapture", "didCapture", "finished"])
    #expect(output.readiness == .ready)
  }

  @Test("A deferred photo's proxy comes before it is finished")
  func proxy() async throws {
    let output = PhotoOutput<String>(memory: 1 << 20) { captured, updates in
      if captured.settings.isDeferred { updates.proxy("proxy") }
      return "final"
    }
    try output.openAlone()
    let press = try acceptTwo(output)
    let capture = try output.capture(
      PhotoSettings(qualityPrioritization: .speed, isDeferred: true), pressedAt: press)
    var names: [String] = []
    for await event in capture.events { names.append(event.name) }
    #expect(names == ["willBegin", "willCapture", "didCapture", "proxy", "finished"])
  }

  @Test("What goes wrong in processing fails this photo, and the next one is taken")
  func processingFails() async throws {
    let failsOnce = Atomic(true)
    let output = PhotoOutput<Int>(memory: 1 << 20) { _, _ in
      if failsOnce.exchange(false, ordering: .relaxed) { throw SafelightError(.noSpace, "The disk is full") }
      return 7
    }
    try output.openAlone()
    let press = try acceptTwo(output)
    let (first, second) = (
      PhotoSettings(qualityPrioritization: .speed), PhotoSettings(qualityPrioritization: .speed)
    )
    await #expect(throws: SafelightError(.noSpace, "The disk is full")) {
      try await output.capture(first, pressedAt: press).photo()
    }
    #expect(try await output.capture(second, pressedAt: press).photo() == 7)
  }

  @Test("A session that is not running takes no photo, and one that stops ends those that wait")
  func notRunning() async throws {
    let output = makeOutput()
    #expect(output.readiness == .sessionNotRunning)
    #expect(throws: SafelightError.self) { try output.capture() }
    try output.openAlone()
    #expect(output.readiness == .notReadyMomentarily)
    let capture = try output.capture()
    output.close()
    await #expect(throws: SafelightError.self) { try await capture.photo() }
    #expect(capture.hasEnded)
  }

  @Test("A silent source fails a photo in about a second")
  func silence() async throws {
    let output = makeOutput()
    try output.openAlone()
    let capture = try output.capture()
    await #expect(throws: SafelightError.self) { try await capture.photo() }
  }

  @Test("A burst takes every frame from the press on, also those that came before it was begun")
  func burst() throws {
    let output = makeOutput()
    try output.openAlone()
    let begin = Timestamp.now.advanced(bySeconds: -0.25)
    func accept(_ numbers: ClosedRange<UInt8>) throws {
      for number in numbers {
        var frame = try frame(number, at: 0)
        frame.time = begin.advanced(bySeconds: Double(number) * 0.03)
        output.accept(frame)
      }
    }
    try accept(1...8)
    let press = begin.advanced(bySeconds: 4 * 0.03)
    let burst = try output.captureBurst(of: 7, pressedAt: press)
    try accept(9...14)
    let end = Timestamp.now.advanced(bySeconds: patience)
    while !burst.hasEnded, .now < end { usleep(1000) }
    let numbers = try burst.captures.map { try $0.wait(until: end) }
    #expect(numbers == [4, 5, 6, 7, 8, 9, 10])
    #expect(burst.captures.map(\.settings.burst?.index) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test("A burst that is stopped takes no further frame")
  func stoppedBurst() throws {
    let output = makeOutput()
    try output.openAlone()
    for number: UInt8 in 1...3 { output.accept(try frame(number, at: Double(number) * 0.03 - 0.1)) }
    let burst = try output.captureBurst(of: 1000, pressedAt: Timestamp.now.advanced(bySeconds: -0.1))
    let end = Timestamp.now.advanced(bySeconds: patience)
    while burst.captures.count < 3, .now < end { usleep(1000) }
    burst.stop()
    for number: UInt8 in 4...20 { output.accept(try frame(number, at: Double(number) * 0.03 - 0.1)) }
    while !burst.hasEnded, .now < end { usleep(1000) }
    #expect(burst.hasEnded && burst.captures.count < 10)
  }

  @Test(
    "A burst whose next frame does not come ends, and so does one that is given up", .timeLimit(.minutes(1)))
  func failingBurst() throws {
    let output = makeOutput()
    try output.openAlone()
    for number: UInt8 in 1...3 { output.accept(try frame(number, at: Double(number) * 0.03 - 0.1)) }
    let burst = try output.captureBurst(of: 10, pressedAt: Timestamp.now.advanced(bySeconds: -0.07))
    while !burst.hasEnded { usleep(2000) }
    #expect((2...4).contains(burst.captures.count))
    let second = try output.captureBurst(of: 10, pressedAt: Timestamp.now)
    output.close()
    while !second.hasEnded { usleep(2000) }
  }

  @Test("An output that is released lets go of what its photos were made with", .timeLimit(.minutes(1)))
  func release() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      let output = PhotoOutput<Int>(memory: 1 << 20, threads: 3) { _, _ in withExtendedLifetime(held) { 1 } }
      try output.openAlone()
    }
    while witness != nil { usleep(2000) }
  }

  @Test("Kept frames stay below the bound, while photos are in work too; the next photo has its frame again")
  func memory() throws {
    let isOpen = Monitor(false)
    let bytes = 64 * 48 * 3 / 2
    let output = PhotoOutput<UInt64>(memory: 4 * bytes) { captured, _ in
      isOpen.wait { $0 ? true : nil }
      return captured.referenceFrame.sequence
    }
    try output.openAlone()
    let begin = Timestamp.now.advanced(bySeconds: -1)
    func accept(_ number: Int) throws {
      output.accept(
        Frame(
          buffer: try picture(UInt8(number)), time: begin.advanced(bySeconds: Double(number) * 0.01),
          sequence: UInt64(number)))
      #expect(output.keptBytes <= 4 * bytes)
    }
    var captures: [PhotoCapture<UInt64>] = []
    for number in 1...40 {
      try accept(number)
      if number % 10 == 0 {
        let press = begin.advanced(bySeconds: Double(number) * 0.01)
        captures.append(try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press))
      }
    }
    // Four photos hold all memory.
    try accept(41)
    #expect(output.framesNotKept > 0)
    isOpen.update { $0 = true }
    let end = Timestamp.now.advanced(bySeconds: patience)
    #expect(try captures.map { try $0.wait(until: end) } == [10, 20, 30, 40])
    try accept(60)
    let press = begin.advanced(bySeconds: 0.6)
    let last = try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press)
    output.close()
    #expect(try last.wait(until: end) == 60)
  }

  @Test("Of Motion JPEG the camera's own bytes are kept, and decoded when they are needed")
  func motionJPEG() async throws {
    let bytes = FlatJPEG(
      width: 64, height: 48, components: [.init(h: 2, v: 2), .init(h: 1, v: 1), .init(h: 1, v: 1)]
    ).bytes()
    let output = PhotoOutput<CapturedPhoto>(memory: 1 << 20) { captured, _ in captured }
    try output.openAlone()
    let size = PixelSize(width: 64, height: 48)
    for number: UInt8 in 1...2 {
      var frame = try frame(number, at: Double(number) * 0.03 - 0.1)
      frame.buffer = try PixelBuffer(size: size, format: .i420, tags: MJPEGDecoder.defaultTags)
      frame.encoded = bytes.withUnsafeBytes { EncodedPicture(copying: $0) }
      output.accept(frame)
    }
    let settings = PhotoSettings(qualityPrioritization: .speed)
    let press = Timestamp.now.advanced(bySeconds: -0.07)
    let photo = try await output.capture(settings, pressedAt: press).photo()
    guard case .jpeg(let kept) = photo.referenceFrame.content else {
      Issue.record("not the camera's JPEG")
      return
    }
    #expect(Array(kept.bytes) == bytes)
    #expect(try photo.referenceFrame.samples().size == size)
  }

  @Test("The same settings cannot be in use twice, and a press far in the future is refused")
  func settings() throws {
    let output = makeOutput()
    try output.openAlone()
    let settings = PhotoSettings()
    _ = try output.capture(settings)
    #expect(throws: SafelightError.self) { try output.capture(settings) }
    #expect(throws: SafelightError.self) {
      try output.capture(pressedAt: Timestamp.now.advanced(bySeconds: 3600))
    }
    output.close()
  }

  @Test("Announced settings change readiness before the press, and giving them up changes it back")
  func tracking() throws {
    let output = PhotoOutput<Int>(memory: 1 << 20, isResponsive: false) { _, _ in 0 }
    try output.openAlone()
    output.accept(try frame(1, at: 0))
    let settings = PhotoSettings()
    output.startTracking(settings)
    #expect(output.readiness == .notReadyWaitingForCapture)
    output.stopTracking(settings)
    #expect(output.readiness == .ready)
  }
}
