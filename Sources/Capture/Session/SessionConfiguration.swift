import FrameCore

/// What a session consists of. A value: it is edited in `CaptureSession.configure`, and either all of it takes effect
/// or nothing.
public struct SessionConfiguration: Sendable {
  /// What to ask the source for, unless `request` says it.
  public var preset = SessionPreset.inputPriority
  /// What to ask the source for, instead of the preset; a source that cannot deliver it fails.
  public var request: StreamRequest?
  /// Whether black and unsettled frames at the beginning of a stream are withheld.
  public var settling = Settling.off

  /// Where frames come from.
  public private(set) var input: (any CaptureInput)?
  /// Where frames go, in the order in which they were added.
  public var outputs: [any CaptureOutput] { joined.map(\.output) }

  struct Joined: Sendable {
    let output: any CaptureOutput
    var connection: Connection
  }
  private(set) var joined: [Joined] = []

  /// Nothing.
  public init() {}

  /// Sets the input.
  ///
  /// - Throws: `SafelightError` where there is one already.
  public mutating func add(_ input: any CaptureInput) throws {
    if let present = self.input {
      throw SafelightError(
        .invalidValue, "The session has an input already: \(present.name)",
        remedy: "use replaceInput(with:), or another session for \(input.name)")
    }
    self.input = input
  }

  /// Sets the input in place of the one there is, if any. If the new one cannot be opened while the session runs,
  /// `configure` throws and the former one goes on.
  public mutating func replaceInput(with input: any CaptureInput) { self.input = input }

  /// Removes the input; a running session stops.
  public mutating func removeInput() { input = nil }

  /// Adds an output.
  ///
  /// - Throws: `SafelightError` where it is there already.
  public mutating func add(_ output: any CaptureOutput, connection: Connection = Connection()) throws {
    guard index(of: output) == nil else {
      throw SafelightError(
        .invalidValue, "The output is in the session already",
        remedy: "change its connection with setConnection(_:to:)")
    }
    joined.append(Joined(output: output, connection: connection))
  }

  /// Takes an output out; its frames end. Nothing happens where it is not there.
  public mutating func remove(_ output: any CaptureOutput) {
    joined.removeAll { $0.output === output }
  }

  /// How the input's pictures reach an output; nil where the output is not in the session.
  public func connection(to output: any CaptureOutput) -> Connection? {
    index(of: output).map { joined[$0].connection }
  }

  /// Changes how the input's pictures reach an output, from the next frame on.
  ///
  /// - Throws: `SafelightError` where the output is not in the session.
  public mutating func setConnection(_ connection: Connection, to output: any CaptureOutput) throws {
    guard let index = index(of: output) else {
      throw SafelightError(
        .invalidValue, "The output is not in the session", remedy: "add it, with its connection")
    }
    joined[index].connection = connection
  }

  private func index(of output: any CaptureOutput) -> Int? {
    joined.firstIndex { $0.output === output }
  }

  /// What to ask the source for, best first.
  var requests: [StreamRequest] { request.map { [$0] } ?? preset.requests }

  /// Where the frames of `input` go.
  var routes: [FrameFeed.Route] {
    joined.map {
      FrameFeed.Route(
        output: $0.output,
        orientation: $0.connection.orientation(
          facing: input?.facing ?? .external, purpose: $0.output.purpose))
    }
  }

  /// Whether a stream for `other` serves this configuration as well.
  func usesSameStream(as other: SessionConfiguration) -> Bool {
    input === other.input && requests == other.requests
  }
}
