import Capture
import FrameCore
import MovieIO
import Synchronization

/// Records pictures and sound into movies.
///
///     pictures → [encoder's thread] ─┐
///                                    ├→ RecordingPlan → [writer's thread] → files
///     sound → [sound's thread] ──────┘
///
/// The queues are bounded: a picture that does not fit is dropped and counted with its reason, so that neither the
/// encoder nor the disk ever holds up what delivers pictures. Orders may come from any thread.
public final class MovieRecorder: Sendable {
  /// Everything behind the recorder's lock.
  struct State {
    var plan: RecordingPlan?
    /// Whether `record` was called before the first picture.
    var isToRecord = false
    var status = MovieStatus()
    var events: [MovieEvent] = []
    var marks = RecordingMarks()
    /// Why the current recording ends.
    var end: MovieEnd?
    var failure: (any Error)?
    var speedStep = 0
    var isClosing = false
    var size = RecordingSize()
    /// The numbers of files of which it is told that they are lost.
    var toldLost: Set<Int> = []
  }

  enum Sound: Sendable {
    case movie(AudioBuffer)
    case voice(AudioBuffer)
    /// The voice-over comes no more.
    case voiceEnd

    /// In milliseconds.
    var duration: Int {
      switch self {
      case .movie(let sound), .voice(let sound): sound.frameCount * 1000 / max(1, sound.format.sampleRate)
      case .voiceEnd: 0
      }
    }
  }

  struct Picture: Sendable {
    var buffer: PixelBuffer
    var time: Timestamp
  }

  /// Pictures that wait for the encoder: a quarter of a second at 30 a second.
  public static let queueLength = 8
  /// Bytes that wait for the disk.
  private static let mostWaitingBytes = 64 << 20
  /// Milliseconds of sound that wait; as long as no picture has come, the latest ones.
  private static let mostWaitingSound = 10_000

  public let settings: MovieSettings
  let parts: RecordingParts
  /// Whether pictures wait for room rather than be dropped; for sources that are not live.
  let losesNothing: Bool
  let state = Monitor(State())
  let pictures = RecordingQueue<Picture>(limit: MovieRecorder.queueLength)
  let sounds = RecordingQueue<Sound>(limit: MovieRecorder.mostWaitingSound) { $0.duration }
  let actions = RecordingQueue<WriterOrder>(limit: MovieRecorder.mostWaitingBytes) { $0.byteCount }
  /// What is laid over the sound; set before `open`, nil for nothing.
  let voice = Mutex<VoiceOver?>(nil)
  /// What pictures cost, for `PressurePolicy`.
  let budget: FrameBudget
  /// The sound that is copied, or decoded, from a file; set before the first picture is compressed.
  private let fileSound = Mutex<SoundFile?>(nil)
  /// The encoder's thread, which starts the others.
  private let encoding = Mutex<Joinable?>(nil)
  private let threads = Mutex<[Joinable]>([])
  /// The sound's thread; nil without sound.
  let aligning = Mutex<Joinable?>(nil)
  /// The seconds between two pictures of the source.
  private let interval = Mutex(1.0 / 30)
  /// Whether the encoder is open.
  let isOpen = Atomic(false)

  init(_ settings: MovieSettings, losesNothing: Bool, parts: RecordingParts) throws {
    self.settings = settings
    self.losesNothing = losesNothing
    self.parts = parts
    // `open` knows the rate.
    budget = try FrameBudget(frameInterval: 1.0 / 30, queueCapacity: Self.queueLength)
    // While the camera opens.
    if let warmUp = parts.warmUp { try start("sl-load") { _ in warmUp() } }
  }

  /// The file whose packets are copied; nil for none.
  var packetsOfFile: SoundFile? { fileSound.withLock { $0?.packetFormat == nil ? nil : $0 } }
  /// The file whose sound is decoded; nil for none.
  var samplesOfFile: SoundFile? { fileSound.withLock { $0?.packetFormat == nil ? $0 : nil } }

  // MARK: Pictures and sound

  /// Starts the recorder for pictures of this form. Called once, before the first picture, and returns at once: the
  /// first pictures wait while the encoder is opened. If that fails, `failure` says why.
  ///
  /// - Parameter sound: returns the format of the sound that is offered; nil records pictures only. Called on the
  ///   encoder's thread, and may wait for a microphone.
  /// - Throws: `SafelightError` if the system grants no thread.
  public func open(_ form: MoviePictures, sound: @escaping @Sendable () throws -> AudioFormat? = { nil })
    throws
  {
    var assembly = MovieAssembly.Settings(preRoll: Int64(settings.preRoll * 1e9))
    assembly.segment = settings.segment.map { Int64($0 * 1e9) }
    let plan = RecordingPlan.Settings(
      assembly: assembly, duration: settings.limits.duration.map { Int64($0 * 1e9) })
    state.update { state in
      state.plan = RecordingPlan(plan, framesPerSecond: form.framesPerSecond)
      if state.isToRecord { state.plan?.record() }
    }
    if form.framesPerSecond > 0 {
      interval.withLock { $0 = 1 / form.framesPerSecond }
      try budget.setFrameInterval(1 / form.framesPerSecond)
    }
    let thread = Joinable(try WorkerThread(name: "sl-encode") { [self] in encode(form, sound) })
    encoding.withLock { $0 = thread }
  }

  @discardableResult
  func start(_ name: String, _ body: @escaping @Sendable (MovieRecorder) -> Void) throws -> Joinable {
    let thread = Joinable(try WorkerThread(name: name) { [self] in body(self) })
    threads.withLock { $0.append(thread) }
    return thread
  }

  func keep(_ file: SoundFile?) { fileSound.withLock { $0 = file } }

  /// Offers a picture; its samples must not change afterwards.
  public func offer(_ buffer: PixelBuffer, at time: Timestamp) {
    let picture = Picture(buffer: buffer, time: time)
    guard !losesNothing else {
      _ = pictures.put(picture)
      return
    }
    let isDiskBusy = actions.isFull
    guard isDiskBusy || !pictures.offer(picture) else { return }
    // A faster preset does not open sooner.
    if isOpen.load(ordering: .relaxed) { budget.dropped() }
    state.update { $0.drop(isDiskBusy ? .diskBusy : .encoderBusy, at: time) }
  }

  /// Offers sound of the format that `open` was told. Never blocks; without a format it is ignored.
  public func offer(_ sound: AudioBuffer) { sounds.replace(with: .movie(sound)) }

  /// Offers sound that is laid over the other one.
  func offer(voice: AudioBuffer) { sounds.replace(with: .voice(voice)) }

  /// Tells that the voice-over has ended; it may begin anew.
  func endVoice() { sounds.replace(with: .voiceEnd) }

  // MARK: Orders

  /// Begins a recording, or resumes it. Does nothing while one is going on.
  public func record() {
    state.update { state in
      if state.plan == nil { state.isToRecord = true }
      state.plan?.record()
    }
  }

  /// Pauses the recording at the next picture; pictures and sound are cut at the same moment.
  public func pause(at moment: Timestamp = .now) {
    state.update { state in
      if state.plan?.pause(at: moment) == true { state.events.append(.paused) }
    }
  }

  public func resume(at moment: Timestamp = .now) {
    state.update { state in
      if state.plan?.resume(at: moment) == true { state.events.append(.resumed) }
    }
  }

  /// Gives the recording chapters, in seconds from the first picture that is offered.
  func setChapters(_ chapters: [MovieChapter]) {
    state.update { $0.marks = RecordingMarks(chapters: chapters) }
  }

  /// Marks the current moment of the recording; players show it as a chapter.
  public func mark() {
    state.update { state in
      guard let plan = state.plan, plan.phase == .recording || plan.phase == .paused else { return }
      if let now = plan.now { state.marks.mark(Double(now) / 1e9) }
      state.events.append(.marked(seconds: plan.seconds))
    }
  }

  /// Ends the recording at a moment and stands by for the next one.
  public func end(_ reason: MovieEnd = .stopped, at moment: Timestamp = .now) {
    state.update { state in
      guard state.plan?.phase == .recording || state.plan?.phase == .paused else { return }
      state.end = state.end ?? reason
      state.plan?.end(at: moment)
    }
  }

  /// Tells how many pictures a second are offered from now on, at most; nil for all of the source's.
  func expectRate(_ rate: Double?) {
    let interval = interval.withLock { $0 }
    // A rate that the policy chose is valid.
    try? budget.setFrameInterval(max(interval, rate.map { 1 / $0 } ?? 0))
  }

  /// Counts pictures that were lost right before one of this time, because there was no time for them.
  func countLate(_ count: Int, before time: Timestamp) {
    // How long the first ones take says nothing of the rest.
    if isOpen.load(ordering: .relaxed) { budget.dropped(count) }
    state.update { $0.drop(.late, count, before: time) }
  }

  /// Counts a picture that was left out before it was offered, to spare the machine.
  func countSpared(at time: Timestamp) { state.update { $0.drop(.pressure, at: time) } }

  /// How much faster the encoder is to work than it was set up, in steps; for `PressurePolicy`.
  public func setSpeedStep(_ step: Int) { state.update { $0.speedStep = step } }

  /// Ends the recording and closes everything; returns once the last file is complete.
  ///
  /// - Parameters:
  ///   - moment: where the recording ends; nil is after the last picture.
  ///   - reason: what the recording's end is called.
  public func close(_ reason: MovieEnd = .stopped, at moment: Timestamp? = .now) {
    state.update { state in
      state.isClosing = true
      state.end = state.end ?? reason
      if let moment { state.plan?.end(at: moment) }
    }
    pictures.close()
    encoding.withLock { $0 }?.join()
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  /// What a policy may ask of the recording of a source with this rate.
  func abilities(framesPerSecond: Double) -> PressureAbilities {
    var abilities = PressureAbilities()
    abilities.encoderSpeeds = EncoderPreset.allCases.filter { $0 > settings.preset }.count
    abilities.frameRate = framesPerSecond
    abilities.canInterrupt = false
    return abilities
  }

  // MARK: What happens

  public var status: MovieStatus {
    let waiting = pictures.count
    return state.read { state in
      var status = state.status
      status.phase = state.plan?.phase ?? .standby
      status.seconds = state.plan?.start == nil ? status.seconds : state.plan?.seconds ?? 0
      status.waiting = waiting
      return status
    }
  }

  /// Returns what has happened since the last call.
  public func takeEvents() -> [MovieEvent] {
    guard state.read({ !$0.events.isEmpty }) else { return [] }
    return state.update { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// The error that ended the recording; nil if there was none.
  public var failure: (any Error)? { state.read { $0.failure } }
}

extension MovieRecorder.State {
  /// Counts a picture that is missing. What was not to be recorded is not.
  mutating func drop(_ reason: MovieDrop, at time: Timestamp) {
    guard plan?.takes(time) ?? isToRecord else { return }
    status.drops[reason, default: 0] += 1
  }

  /// Counts pictures that are missing right before one of this time.
  mutating func drop(_ reason: MovieDrop, _ count: Int, before time: Timestamp) {
    let missing = plan?.missing(of: count, before: time) ?? (isToRecord ? count : 0)
    if missing > 0 { status.drops[reason, default: 0] += missing }
  }
}
