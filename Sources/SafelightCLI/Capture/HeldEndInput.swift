import Safelight

/// An input of files whose end is withheld until the first photo is asked for: one picture is over before anybody
/// could press.
final class HeldEndInput: CaptureInput {
  private let input: any CaptureInput
  private let gate = Gate()

  init(_ input: any CaptureInput) { self.input = input }

  var id: String { input.id }
  var name: String { input.name }
  var facing: CameraFacing { input.facing }

  /// Lets the stream end.
  func letEnd() { gate.state.update { $0.isLetGo = true } }

  func openStream(_ request: StreamRequest) throws -> any FrameStream {
    HeldEndStream(try input.openStream(request), gate)
  }

  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    input.awaitReturn(after: failure, until: deadline)
  }

  fileprivate final class Gate: Sendable {
    struct State {
      var isLetGo = false
      var isWoken = false
    }
    let state = Monitor(State())
  }
}

private final class HeldEndStream: FrameStream {
  private let stream: any FrameStream
  private let gate: HeldEndInput.Gate
  private var hasFrame = false
  private var hasEnded = false

  init(_ stream: any FrameStream, _ gate: HeldEndInput.Gate) { (self.stream, self.gate) = (stream, gate) }

  var format: StreamFormat { stream.format }
  var isPaced: Bool { stream.isPaced }
  var mayStall: Bool { stream.mayStall }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if !hasEnded {
      let event = try stream.next(until: deadline)
      if case .frame = event { hasFrame = true }
      // Without a single picture there is nothing to wait for.
      guard case .finished = event, hasFrame else { return event }
      hasEnded = true
    }
    return gate.state.wait(until: deadline) { state -> StreamEvent? in
      if state.isLetGo { return .finished }
      guard state.isWoken else { return nil }
      state.isWoken = false
      return .idle
    } ?? .idle
  }

  func wake() {
    gate.state.update { $0.isWoken = true }
    stream.wake()
  }

  func close() { stream.close() }
}
