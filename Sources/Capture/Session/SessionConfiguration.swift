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

  /// The format to request from the source of sound.
  public var audioRequest = AudioRequest()

  /// The source of the frames.
  public private(set) var input: (any CaptureInput)?
  /// The source of the sound.
  public private(set) var audioInput: (any AudioInput)?
  /// The destinations of the frames, in the order in which they were added.
  public var outputs: [any CaptureOutput] { joined.compactMap(\.video) }
  /// The destinations of the sound, in the order in which they were added.
  public var audioOutputs: [any AudioCaptureOutput] { joined.compactMap(\.audio) }

  struct Joined: Sendable {
    let output: any SessionOutput
    /// The output as one of pictures and as one of sound; nil if it does not take them.
    let video: (any CaptureOutput)?
    let audio: (any AudioCaptureOutput)?
    var connection: Connection
    var audioConnection: AudioConnection
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

  /// Sets the input of sound.
  ///
  /// - Throws: `SafelightError` if there already is one.
  public mutating func add(_ input: any AudioInput) throws {
    if let present = audioInput {
      throw SafelightError(
        .invalidValue, "The session already has a source of sound: \(present.name)",
        remedy: "use replaceAudioInput(with:), or another session for \(input.name)")
    }
    audioInput = input
  }

  /// Sets the input of sound, replacing any existing one. If the new one cannot be opened while the session
  /// runs, `configure` throws and the former one continues. Of a new one with the former's format, outputs
  /// get the sound in the same run, with silence between.
  public mutating func replaceAudioInput(with input: any AudioInput) { audioInput = input }

  /// Removes the input of sound. A running session goes on with its pictures; without any it stops.
  public mutating func removeAudioInput() { audioInput = nil }

  /// Adds an output of pictures, of sound, or of both, which is connected with the inputs that it fits.
  /// Inputs may be added later; `start()` requires one that fits.
  ///
  /// - Throws: `SafelightError` if it was already added, or is of neither kind.
  public mutating func add(
    _ output: any SessionOutput, connection: Connection = Connection(),
    audioConnection: AudioConnection = AudioConnection()
  ) throws {
    guard index(of: output) == nil else {
      throw SafelightError(
        .invalidValue, "The output is already in the session",
        remedy: "change its connection with setConnection(_:to:)")
    }
    let (video, audio) = (output as? any CaptureOutput, output as? any AudioCaptureOutput)
    guard video != nil || audio != nil else {
      throw SafelightError(
        .invalidValue, "The output takes neither pictures nor sound",
        remedy: "let it conform to CaptureOutput or to AudioCaptureOutput")
    }
    joined.append(
      Joined(
        output: output, video: video, audio: audio, connection: connection, audioConnection: audioConnection))
  }

  /// Removes an output, which ends its frames and sound. Does nothing if it was not added.
  public mutating func remove(_ output: any SessionOutput) {
    joined.removeAll { $0.output === output }
  }

  /// Returns the connection of pictures to an output; nil if the output is not in the session.
  public func connection(to output: any CaptureOutput) -> Connection? {
    index(of: output).map { joined[$0].connection }
  }

  /// Returns the connection of sound to an output; nil if the output is not in the session.
  public func audioConnection(to output: any AudioCaptureOutput) -> AudioConnection? {
    index(of: output).map { joined[$0].audioConnection }
  }

  /// Changes the connection of pictures to an output, from the next frame on.
  ///
  /// - Throws: `SafelightError` if the output is not in the session.
  public mutating func setConnection(_ connection: Connection, to output: any CaptureOutput) throws {
    joined[try requiredIndex(of: output)].connection = connection
  }

  /// Changes the connection of sound to an output, from the next buffer on. If it then gets other channels,
  /// its run of sound ends and another begins.
  ///
  /// - Throws: `SafelightError` if the output is not in the session.
  public mutating func setConnection(_ connection: AudioConnection, to output: any AudioCaptureOutput) throws
  {
    joined[try requiredIndex(of: output)].audioConnection = connection
  }

  private func index(of output: any SessionOutput) -> Int? {
    joined.firstIndex { $0.output === output }
  }

  private func requiredIndex(of output: any SessionOutput) throws -> Int {
    guard let index = index(of: output) else {
      throw SafelightError(
        .invalidValue, "The output is not in the session", remedy: "add it, with its connection")
    }
    return index
  }
}

// MARK: - For the session

extension SessionConfiguration {
  /// The formats to request from the source, best first.
  var requests: [StreamRequest] { request.map { [$0] } ?? preset.requests }

  /// The destinations of `input`'s frames.
  var routes: [FrameFeed.Route] {
    joined.compactMap { joined in
      joined.video.map { output in
        FrameFeed.Route(
          output: output,
          orientation: joined.connection.orientation(
            facing: input?.facing ?? .external, purpose: output.purpose))
      }
    }
  }

  /// Whether a stream opened for `other` also serves this configuration.
  func usesSameStream(as other: SessionConfiguration) -> Bool {
    input === other.input && requests == other.requests
  }

  /// The destinations of `audioInput`'s sound.
  var audioRoutes: [AudioFeed.Route] {
    joined.compactMap { joined in
      joined.audio.map { AudioFeed.Route(output: $0, connection: joined.audioConnection) }
    }
  }

  /// Whether a stream of sound opened for `other` also serves this configuration.
  func usesSameSound(as other: SessionConfiguration) -> Bool {
    audioInput === other.audioInput && audioRequest == other.audioRequest
  }

  /// - Throws: `SafelightError` if a connection asks for channels that `format` lacks.
  func check(_ format: AudioFormat) throws {
    for route in audioRoutes { _ = try route.connection.format(of: format) }
  }

  /// - Parameter formerly: outputs that are not looked at.
  /// - Throws: `SafelightError` if an output takes nothing that the inputs give.
  func checkFit(except formerly: [any SessionOutput] = []) throws {
    for one in joined where !formerly.contains(where: { $0 === one.output }) {
      let isFed = one.video != nil && input != nil || one.audio != nil && audioInput != nil
      guard !isFed else { continue }
      throw SafelightError(
        .invalidValue,
        one.video != nil
          ? "An output takes pictures, and the session has only a source of sound"
          : "An output takes sound, and the session has no source of it",
        remedy: one.video != nil
          ? "add a camera or another input of pictures, or remove the output"
          : "add a microphone or another input of sound, or remove the output")
    }
  }
}
