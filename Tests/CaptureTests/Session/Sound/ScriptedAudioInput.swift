import FrameCore

@testable import Capture

/// A source of sound that does what a test tells it, when it tells it. Each sample is its number since the
/// first stream began, by its time, so that sound in the wrong place shows.
final class ScriptedAudioInput: AudioInput {
  enum Event {
    /// So many samples.
    case sound(Int)
    case lost(Int)
    case failure(CaptureFailure)
    case finished
  }

  struct State {
    var events: [Event] = []
    /// What opening says, in turn; afterwards it succeeds.
    var openings: [CaptureFailure?] = []
    /// The formats of streams in turn; the last one remains.
    var formats: [AudioFormat]
    /// Whether `awaitReturn` sees the source; nil: it never comes back.
    var isPresent: Bool? = true
    /// Whether opening blocks.
    var isStuck = false
    var isExclusive = false
    var isWoken = false
    var opened = 0
    var closed = 0
    var openingsBegun = 0
    var requests: [AudioRequest] = []
    /// The number of the next sample since the first stream began.
    var number = 0
  }

  let id: String
  var name: String { id }
  let isPaced: Bool
  /// When sample 0 of the first stream was captured.
  let start = Timestamp.now
  let script: Monitor<State>

  static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  init(_ id: String = "microphone", format: AudioFormat = format, isPaced: Bool = true) {
    self.id = id
    self.isPaced = isPaced
    script = Monitor(State(formats: [format]))
  }

  func send(_ events: Event...) { script.update { $0.events += events } }

  static func failure(_ reason: CaptureFailure.Reason) -> CaptureFailure {
    CaptureFailure(reason, SafelightError(.device, "The microphone is \(reason)"))
  }

  func openStream(_ request: AudioRequest) throws -> any AudioStream {
    script.update { $0.openingsBegun += 1 }
    let result = script.wait { state -> Result<AudioFormat, CaptureFailure>? in
      if state.isStuck { return nil }
      state.requests.append(request)
      if state.isExclusive, state.opened > state.closed { return .failure(Self.failure(.busy)) }
      if !state.openings.isEmpty, let failure = state.openings.removeFirst() { return .failure(failure) }
      state.opened += 1
      return .success(state.formats.count > 1 ? state.formats.removeFirst() : state.formats[0])
    }
    // What changes while waiting wakes nobody, and a test may wait for this opening.
    script.update { _ in }
    return ScriptedAudioStream(self, format: try result.get())
  }

  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    if script.read({ $0.isPresent }) == nil { return false }
    return script.wait(until: deadline) { $0.isPresent == true ? true : nil } ?? false
  }
}

final class ScriptedAudioStream: AudioStream {
  private let input: ScriptedAudioInput
  let format: AudioFormat
  private var position: Int64 = 0

  init(_ input: ScriptedAudioInput, format: AudioFormat) {
    self.input = input
    self.format = format
  }

  var isPaced: Bool { input.isPaced }

  func next(until deadline: Timestamp) throws -> AudioEvent {
    let beat = min(deadline, Timestamp.now.advanced(bySeconds: 0.05))
    let event = input.script.wait(until: beat) { state -> (ScriptedAudioInput.Event, Int)?? in
      if state.isWoken {
        state.isWoken = false
        return .some(nil)
      }
      guard !state.events.isEmpty else { return nil }
      let (event, number) = (state.events.removeFirst(), state.number)
      switch event {
      case .sound(let count), .lost(let count): state.number += count
      case .failure, .finished: break
      }
      return .some((event, number))
    }
    // A loss of nothing: it is alive, however slow the test is.
    guard let event else { return .lost(count: 0, reason: .overrun, at: .now) }
    guard let (event, number) = event else { return .idle }
    let time = input.start.advanced(bySeconds: Double(number) / Double(format.sampleRate))
    switch event {
    case .sound(let count):
      defer { position += Int64(count) }
      let samples = (number..<number + count).flatMap {
        [Float](repeating: Float($0), count: format.channelCount)
      }
      return .sound(AudioBuffer(format: format, samples: samples, time: time, position: position))
    case .lost(let count):
      position += Int64(count)
      return .lost(count: count, reason: .overrun, at: time)
    case .failure(let failure): throw failure
    case .finished: return .finished
    }
  }

  func wake() { input.script.update { $0.isWoken = true } }
  func close() { input.script.update { $0.closed += 1 } }
}

extension CaptureSession {
  /// A session with one input of sound and one output that has been started.
  static func started(_ input: any AudioInput, _ output: any SessionOutput) async throws -> CaptureSession {
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    try await session.start()
    return session
  }
}

extension AudioDataOutput {
  /// The next sound until `condition` holds for a buffer, which is the last one.
  func take(until condition: (AudioBuffer) -> Bool) -> [AudioBuffer] {
    var buffers: [AudioBuffer] = []
    while let buffer = nextBuffer(until: Timestamp.now.advanced(bySeconds: 60)) {
      buffers.append(buffer)
      if condition(buffer) { break }
    }
    return buffers
  }

  /// The sound until the end of the run.
  func takeAll() -> [AudioBuffer] { take { _ in false } }
}

/// Runs of captured and silent samples in turn, such as “s480 overrun100 s380”, with “gap” where positions
/// jump.
func runs(_ buffers: [AudioBuffer]) -> String {
  var found: [(name: String, count: Int)] = []
  var next: Int64?
  for buffer in buffers {
    let name = buffer.silence?.rawValue ?? "s"
    if let next, next != buffer.position { found.append(("gap", Int(buffer.position - next))) }
    next = buffer.position + Int64(buffer.frameCount)
    if found.last?.name == name {
      found[found.count - 1].count += buffer.frameCount
    } else {
      found.append((name, buffer.frameCount))
    }
  }
  return found.map { "\($0.name)\($0.count)" }.joined(separator: " ")
}
