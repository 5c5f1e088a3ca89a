import FrameCore

/// The components of a session. A value, edited in `CaptureSession.configure`; the edit takes effect completely or
/// not at all.
public struct SessionConfiguration: Sendable {
  /// The preset to request from the source, unless `request` is set.
  public var preset = SessionPreset.inputPriority
  /// The format to request instead of the preset; a source that cannot deliver it fails.
  public var request: StreamRequest?
  /// Whether black and unsettled frames at the start of a stream are withheld.
  public var settling = Settling.off

  /// The source of the frames.
  public private(set) var input: (any CaptureInput)?
  /// The destinations of the frames, in the order in which they were added.
  public var outputs: [any CaptureOutput] { joined.map(\.output) }

  struct Joined: Sendable {
    let output: any CaptureOutput
    var connection: Connection
  }
  private(set) var joined: [Joined] = []

  /// An empty configuration.
  package init() {}

  /// Sets the input.
  ///
  /// - Throws: `SafelightError` if there already is one.
  public mutating func add(_ input: any CaptureInput) throws {
    if let present = self.input {
      throw SafelightError(
        .invalidValue, "The session already has an input: \(present.name)",
        remedy: "use replaceInput(with:), or another session for \(input.name)")
    }
    self.input = input
  }

  /// Sets the input, replacing any existing one. If the new one cannot be opened while the session runs,
  /// `configure` throws and the former one continues.
  public mutating func replaceInput(with input: any CaptureInput) { self.input = input }

  /// Removes the input; a running session stops.
  public mutating func removeInput() { input = nil }

  /// Adds an output.
  ///
  /// - Throws: `SafelightError` if it was already added.
  public mutating func add(_ output: any CaptureOutput, connection: Connection = Connection()) throws {
    guard index(of: output) == nil else {
      throw SafelightError(
        .invalidValue, "The output is already in the session",
        remedy: "change its connection with setConnection(_:to:)")
    }
    joined.append(Joined(output: output, connection: connection))
  }

  /// Removes an output, which ends its frames. Does nothing if it was not added.
  public mutating func remove(_ output: any CaptureOutput) {
    joined.removeAll { $0.output === output }
  }

  /// Returns the connection to an output; nil if the output is not in the session.
  public func connection(to output: any CaptureOutput) -> Connection? {
    index(of: output).map { joined[$0].connection }
  }

  /// Changes the connection to an output, from the next frame on.
  ///
  /// - Throws: `SafelightError` if the output is not in the session.
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

  /// The formats to request from the source, best first.
  var requests: [StreamRequest] { request.map { [$0] } ?? preset.requests }

  /// The destinations of `input`'s frames.
  var routes: [FrameFeed.Route] {
    joined.map {
      FrameFeed.Route(
        output: $0.output,
        orientation: $0.connection.orientation(
          facing: input?.facing ?? .external, purpose: $0.output.purpose))
    }
  }

  /// Whether a stream opened for `other` also serves this configuration.
  func usesSameStream(as other: SessionConfiguration) -> Bool {
    input === other.input && requests == other.requests
  }
}
