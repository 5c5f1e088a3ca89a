import Safelight

/// The movies of a capture's photos: a pipeline with the look of the photos that is recorded all the time.
final class LivePhotoMovies {
  let recorder: LivePhotoRecorder
  private let frames = VideoDataOutput(lateFrames: .discard(keepingNewest: 2))
  private let pipeline: LivePipeline
  private let audioInput: (any AudioInput)?
  private var watch: MovieWatch?
  private let framesPerSecond: Double?
  /// The number that keeps the seconds of each press, in the order of the presses.
  private var expected: [Int] = []
  private var isClosed = false

  /// The time for the movie's first seconds, after those that it shall have, in seconds.
  private static let patience = 5.0
  /// The time for the last pictures to come out of the encoder, in seconds.
  private static let encoderPatience = 0.5

  /// - Throws: `SafelightError` if the source is a file, the movie cannot be encoded here, or there is no such
  ///   microphone.
  init(_ form: LivePhotoForm, _ command: CaptureCommand, _ source: LiveSource, _ session: CaptureSession)
    throws
  {
    guard !source.isFile else {
      throw SafelightError(
        .unsupported,
        "--live-photo records the seconds around a press, and \(command.input.source) is a file",
        remedy: "use a camera, or cut the file with another program")
    }
    framesPerSecond = command.input.fps
    audioInput = try MicrophoneOptions.input(named: command.live.microphone ?? "none")
    recorder = try LivePhotoRecorder(form, hasSound: audioInput != nil)
    pipeline = try LivePipeline(
      from: frames, through: LiveLook(try command.edit.asked.recipe(in: .telling)), to: [recorder.sink],
      format: { session.format }, interpolation: command.sampling.interpolation)
  }

  /// Adds what the movies need to a session.
  func makeConfiguration(_ connection: Connection) -> @Sendable (inout SessionConfiguration) throws -> Void {
    let (frames, audioInput, sound) = (frames, audioInput, recorder.sink.sound)
    return {
      try $0.add(frames, connection: connection)
      guard let audioInput else { return }
      try $0.add(audioInput)
      try $0.add(sound)
    }
  }

  /// Begins to record; the session starts after it.
  func start(_ session: CaptureSession) throws {
    watch = try MovieWatch(
      [recorder.sink], session, hasSound: audioInput != nil, framesPerSecond: framesPerSecond)
    try recorder.start()
    try pipeline.start()
  }

  /// Whether a movie of a photo taken now would have its first seconds.
  ///
  /// - Parameters:
  ///   - needsAll: whether to wait for all of them; otherwise the movie must only have begun.
  ///   - began: since when it is waited for.
  /// - Throws: the error that ended the recording; `SafelightError` if pictures do not come in time.
  func isReady(needsAll: Bool, since began: Timestamp) throws -> Bool {
    try check()
    let kept = recorder.keptSeconds
    if needsAll ? kept >= LivePhotoRecorder.side : kept > 0 { return true }
    guard Timestamp.now.seconds(since: began) < LivePhotoRecorder.side + Self.patience else {
      throw SafelightError(
        .device, "No picture for the movie came within \(PlainNumber.fixed(Self.patience, 0)) s",
        remedy: "check that the source sends pictures, or leave --live-photo out")
    }
    return false
  }

  /// - Throws: the error that ended the recording.
  func check() throws {
    if let failure = recorder.sink.recorder.failure { throw failure }
    if case .failed(let error)? = pipeline.end { throw error }
  }

  // MARK: Presses

  func expectPhoto() { expected.append(recorder.expectPhoto()) }

  /// Ends what the oldest press keeps: its photo is written, or there is none.
  func settleOldest() { if !expected.isEmpty { recorder.settle(expected.removeFirst()) } }

  /// Tells what has become of the movies, and what is to be said besides.
  ///
  /// - Returns: the number of movies that are missing.
  func tell(isJSON: Bool) throws -> Int {
    let happened = (watch?.takeNotes() ?? []).map(\.text)
    for note in pipeline.takeNotes() + recorder.sink.takeNotes() + happened { Output.note(note) }
    var failures = 0
    for outcome in recorder.takeOutcomes() {
      switch outcome {
      case .success(let photo):
        if isJSON {
          try Output.jsonLine(photo)
        } else {
          for warning in photo.warnings { Output.warning(warning) }
          Output.done(photo.line)
        }
      case .failure(let error):
        failures += 1
        Output.note("Error: \(CaptureRun.sentence(error))")
      }
    }
    return failures
  }

  // MARK: The end

  /// Waits for the seconds after the last photo, unless a signal comes.
  func waitForLast(_ signals: Signals) {
    let deadline = Timestamp.now.advanced(bySeconds: LivePhotoRecorder.side + Self.encoderPatience)
    while recorder.pending > 0, Timestamp.now < deadline, recorder.sink.recorder.failure == nil,
      pipeline.end == nil
    {
      if signals.wait(seconds: 0.01) != nil { return }
    }
  }

  /// Ends the recording; movies that are not complete are written from what there is.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch?.end()
    recorder.sink.end(at: .now)
    pipeline.stop()
    recorder.finish()
  }
}

extension LivePhoto {
  /// `a.MP.jpg  movie of 3.0 s, with sound  1.2 MB`
  var line: String {
    let length = "movie of \(PlainNumber.fixed(seconds, 1)) s"
    return "\(movie ?? path)  \(length)\(hasSound ? ", with sound" : "")  \(ByteText.text(movieBytes))"
  }
}
