import Files
import FrameCore
import MovieIO

/// Gives photos the seconds around them: records all the time into memory, of which it keeps the last
/// seconds.
///
///     let live = try LivePhotoRecorder(.motionPhoto)
///     let pipeline = try LivePipeline(from: frames, through: look, to: [live.sink])
///     try live.start()
///     …
///     live.add("a.MP.jpg", capturedAt: frame.time)   // once the photo is a file
///     …
///     pipeline.stop()
///     live.finish()
///
/// A movie begins 1.5 s before its photo and ends 1.5 s after it. Movies may overlap: they share what was
/// encoded. The photo is there first, whole; its file gets the movie, atomically, when the movie's seconds
/// have passed.
public final class LivePhotoRecorder: Sendable {
  private struct Job: Sendable {
    var files: LivePhotoFiles
    var moment: Timestamp
    /// When to make do with what there is, because pictures do not come.
    var deadline: Timestamp
    var hold: Int
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    /// Movies that are not written yet, those of `jobs` among them.
    var pending = 0
    var isClosing = false
    var outcomes: [Result<LivePhoto, any Error>] = []
  }

  public let form: LivePhotoForm
  /// To be fed by a pipeline with the look of the photos.
  public let sink: MovieSink
  let keeper: PacketKeeper
  private let state = Monitor(State())
  private let thread = Monitor<Joinable?>(nil)

  /// Seconds of a movie before and after its photo.
  public static let side = Double(LivePhotoCut.side) / Double(EncodedVideoFormat.timeScale)
  /// The time for pictures to come out of the encoder, in seconds.
  private static let patience = 3.0
  /// The time that sound may be behind the pictures, in seconds.
  private static let soundPatience = 0.7

  /// - Parameters:
  ///   - hasSound: whether `sink.sound` is added to a session.
  ///   - soundDelay: as `MovieSink`.
  /// - Throws: `SafelightError` if the movie cannot be encoded here.
  public convenience init(
    _ form: LivePhotoForm = .motionPhoto, hasSound: Bool = false, soundDelay: Double = 0
  ) throws {
    let settings = MovieSettings()
    let container: MovieContainer = form == .applePair ? .mov : .mp4
    // The name is not used: nothing is written but into memory.
    let parts = try RecordingParts(settings, MovieNames("./", container: container))
    try self.init(form, settings, parts: parts, hasSound: hasSound, soundDelay: soundDelay)
  }

  init(
    _ form: LivePhotoForm, _ settings: MovieSettings, parts: RecordingParts, hasSound: Bool = false,
    soundDelay: Double = 0
  ) throws {
    self.form = form
    let keeper = PacketKeeper()
    self.keeper = keeper
    var (parts, settings) = (parts, settings)
    // It is in memory.
    settings.limits.freeBytes = 0
    parts.makeFile = { tracks, start in
      keeper.open(tracks, from: start)
      return ("live-photo", keeper)
    }
    parts.isIntact = { _, _ in true }
    sink = try MovieSink(
      settings, parts: parts, name: "live-photo", hasSound: hasSound, soundDelay: soundDelay)
  }

  /// Begins to record. Called once.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads.
  public func start() throws {
    sink.recorder.record()
    let worker = Joinable(try WorkerThread(name: "sl-live-photo") { [self] in work() })
    thread.update { $0 = worker }
  }

  /// Seconds that are recorded and kept.
  public var keptSeconds: Double {
    keeper.state.read { kept in
      Double(kept.end - (kept.pictures.first?.presentation ?? 0)) / Double(EncodedVideoFormat.timeScale)
    }
  }

  // MARK: Photos

  /// Keeps the present seconds for a photo that is asked for now and written later.
  ///
  /// - Returns: the number for `settle`.
  public func expectPhoto() -> Int { keeper.hold() }

  /// Ends what `expectPhoto` began: the photo was added, or there is none.
  public func settle(_ number: Int) { keeper.release(number) }

  /// Adds a photo that has just been written, whose file is to get its movie.
  ///
  /// - Parameter moment: when its frame was captured, as the frame says.
  public func add(_ path: String, capturedAt moment: Timestamp) {
    do {
      let files = LivePhotoFiles(path: path, fingerprint: try FileFingerprint(contentsOf: path))
      let side = Int64(Self.side * 1e9)
      let hold = keeper.hold(from: moment.nanoseconds - side)
      let job = Job(
        files: files, moment: moment, deadline: Timestamp.now.advanced(bySeconds: Self.side + Self.patience),
        hold: hold)
      state.update { state in
        state.jobs.append(job)
        state.pending += 1
      }
    } catch {
      state.update { $0.outcomes.append(.failure(Self.naming(path, error))) }
    }
  }

  /// The number of photos whose movie is not there yet.
  public var pending: Int { state.read { $0.pending } }

  /// Returns what has become of photos since the last call, in the order in which it became known.
  public func takeOutcomes() -> [Result<LivePhoto, any Error>] {
    guard state.read({ !$0.outcomes.isEmpty }) else { return [] }
    return state.update { state in
      defer { state.outcomes = [] }
      return state.outcomes
    }
  }

  /// Writes the movies that are pending from what there is, and returns once all are there. The pipeline has
  /// ended.
  public func finish() {
    keeper.state.update { $0.isFinished = true }
    state.update { $0.isClosing = true }
    thread.read { $0 }?.join()
  }

  // MARK: The thread that writes

  private func work() {
    while let job = nextJob() {
      let outcome = Result { try write(job) }
      keeper.release(job.hold)
      state.update { state in
        state.outcomes.append(outcome.mapError { Self.naming(job.files.path, $0) })
        state.pending -= 1
      }
    }
  }

  /// Waits for a photo; nil once there are to be no more.
  private func nextJob() -> Job? {
    state.wait { state -> Job?? in
      guard !state.jobs.isEmpty else { return state.isClosing ? .some(nil) : nil }
      return .some(state.jobs.removeFirst())
    }
  }

  private func write(_ job: Job) throws -> LivePhoto {
    wait(for: job, until: job.deadline)
    wait(for: job, until: Timestamp.now.advanced(bySeconds: Self.soundPatience), needsSound: true)
    guard let cut = keeper.state.read({ LivePhotoCut($0, around: job.moment) }) else {
      if let failure = sink.recorder.failure { throw failure }
      throw SafelightError(
        .device, "no picture of its seconds was recorded", remedy: "check that the source sends pictures")
    }
    return try job.files.add(cut, form)
  }

  private func wait(for job: Job, until deadline: Timestamp, needsSound: Bool = false) {
    _ = keeper.state.wait(until: deadline) { kept -> Bool? in
      let isThere =
        kept.isFinished || LivePhotoCut.isComplete(kept, around: job.moment, needsSound: needsSound)
      return isThere ? true : nil
    }
  }

  private static func naming(_ path: String, _ error: any Error) -> any Error {
    guard let error = error as? SafelightError else { return error }
    return SafelightError(
      error.code, "\(path) has no movie, and is a photo by itself: \(error.problem)", remedy: error.remedy)
  }
}
