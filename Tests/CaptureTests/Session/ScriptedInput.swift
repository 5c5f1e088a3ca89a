import FrameCore
import Synchronization

@testable import Capture
import Libc

/// A source that does what a test tells it, when it tells it.
final class ScriptedInput: CaptureInput {
  enum Event {
    case frame(UInt64)
    case picture(PixelBuffer, UInt64)
    case dropped(DroppedFrame, Int)
    case failure(CaptureFailure)
    case finished
  }

  struct State {
    var events: [Event] = []
    /// What opening says, in turn; afterwards it succeeds.
    var openings: [CaptureFailure?] = []
    /// Whether `awaitReturn` sees the source; nil: it never comes back.
    var isPresent: Bool? = true
    var opened = 0
    var closed = 0
    var requests: [StreamRequest] = []
    var openingThreads: [String] = []
    var isWoken = false
    /// Only one stream at a time, as with most cameras.
    var isExclusive = false
  }

  let id: String
  let name: String
  let facing: CameraFacing
  let framesPerSecond: Double
  let isPaced: Bool
  let script = Monitor(State())
  let buffer: PixelBuffer
  private static let tags = ColorTags(primaries: .bt709, transfer: .bt709)

  init(
    _ name: String = "scripted", facing: CameraFacing = .external, framesPerSecond: Double = 0,
    isPaced: Bool = true
  ) throws {
    id = name
    self.name = name
    self.facing = facing
    self.framesPerSecond = framesPerSecond
    self.isPaced = isPaced
    buffer = try PixelBuffer(size: PixelSize(width: 16, height: 16), format: .gray8, tags: Self.tags)
  }

  func send(_ events: Event...) { script.update { $0.events += events } }
  func sendFrames(_ range: Range<UInt64>) { script.update { $0.events += range.map { .frame($0) } } }

  static func failure(_ reason: CaptureFailure.Reason) -> CaptureFailure {
    CaptureFailure(reason, SafelightError(.device, "The scripted source is \(reason)"))
  }

  func openStream(_ request: StreamRequest) throws -> any FrameStream {
    let thread = Self.currentThreadName()
    let refusal = script.update { state -> CaptureFailure? in
      state.requests.append(request)
      state.openingThreads.append(thread)
      if state.isExclusive, state.opened > state.closed { return Self.failure(.busy) }
      if !state.openings.isEmpty, let failure = state.openings.removeFirst() { return failure }
      state.opened += 1
      return nil
    }
    if let refusal { throw refusal }
    return ScriptedStream(self)
  }

  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    if script.read({ $0.isPresent }) == nil { return false }
    return script.wait(until: deadline) { $0.isPresent == true ? true : nil } ?? false
  }

  private static func currentThreadName() -> String {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 32)
    guard fgets(&bytes, 32, file) != nil else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

final class ScriptedStream: FrameStream {
  private let input: ScriptedInput

  init(_ input: ScriptedInput) { self.input = input }

  var isPaced: Bool { input.isPaced }

  var format: StreamFormat {
    StreamFormat(
      size: input.buffer.size, encoding: .raw(.gray8), pixelFormat: .gray8, tags: input.buffer.tags,
      framesPerSecond: input.framesPerSecond)
  }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    let event = input.script.wait(until: deadline) { state -> ScriptedInput.Event?? in
      if state.isWoken {
        state.isWoken = false
        return .some(nil)
      }
      return state.events.isEmpty ? nil : state.events.removeFirst()
    }
    switch event {
    case .frame(let sequence):
      return .frame(Frame(buffer: input.buffer, time: .now, sequence: sequence))
    case .picture(let buffer, let sequence):
      return .frame(Frame(buffer: buffer, time: .now, sequence: sequence))
    case .dropped(let first, let count): return .dropped(first: first, count: count)
    case .failure(let failure): throw failure
    case .finished: return .finished
    case nil, .some(nil): return .idle
    }
  }

  func wake() { input.script.update { $0.isWoken = true } }
  func close() { input.script.update { $0.closed += 1 } }
}

extension AsyncStream<CaptureState> {
  /// Waits until a state satisfies `condition`; the states up to it.
  func collect(until condition: (CaptureState) -> Bool) async -> [CaptureState] {
    var seen: [CaptureState] = []
    for await state in self {
      seen.append(state)
      if condition(state) { break }
    }
    return seen
  }
}

extension CaptureSession {
  /// A session with one input and one output.
  static func connecting(_ input: ScriptedInput, _ output: any CaptureOutput) async throws -> CaptureSession {
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    return session
  }

  /// A session with one input and one output that has been started.
  static func started(_ input: ScriptedInput, _ output: any CaptureOutput) async throws -> CaptureSession {
    let session = try await connecting(input, output)
    try await session.start()
    return session
  }

  /// Waits until the session's state satisfies `condition`.
  func wait(for condition: (CaptureState) -> Bool) async { _ = await states.collect(until: condition) }
}

extension VideoDataOutput {
  /// The sequence numbers of the next frames, taken on a thread's behalf.
  func take(_ count: Int) -> [UInt64] {
    (0..<count).compactMap { _ in nextFrame(until: Timestamp.now.advanced(bySeconds: 20))?.sequence }
  }
}
