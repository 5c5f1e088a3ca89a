import AudioProcessing
import Capture
import FrameCore
import Synchronization

/// The sound of a second microphone, laid over that of a movie while it is recorded. It is an output for a session of
/// its own, since each microphone has its clock:
///
///     let voice = movie.voiceOver
///     try await narration.configure {
///       try $0.add(MicrophoneInput(headset))
///       try $0.add(voice)
///     }
///
/// While the voice is on, the movie's own sound is softer by `duck`.
public final class VoiceOver: AudioCaptureOutput {
  private struct State {
    var claim = SessionClaim()
    var isOn = true
    var duck = 12.0
  }

  private let recorder: MovieRecorder
  private let state = Mutex(State())

  init(_ recorder: MovieRecorder) { self.recorder = recorder }

  /// Whether it is heard. It fades within 10 ms.
  public var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  /// Decibels by which the movie's own sound is softer while the voice is on; 0…60.
  public var duck: Double {
    get { state.withLock { $0.duck } }
    set { state.withLock { $0.duck = min(60, max(0, newValue)) } }
  }

  // MARK: The session's side

  public func attach(to session: ObjectIdentifier) throws {
    try state.withLock { try $0.claim.claim(by: session, of: "voice-over", another: "one") }
  }

  public func detach(from session: ObjectIdentifier) {
    state.withLock { $0.claim.release(by: session) }
  }

  public func openSound(_ format: AudioFormat?) {}
  public func accept(_ sound: AudioBuffer) { recorder.offer(voice: sound) }
  public func closeSound() { recorder.endVoice() }
}

/// Lays a voice over sound that is in its place; used by the recorder's thread for sound.
///
/// Both are aligned to the same clock before, so that their samples have the same numbers.
final class VoiceMixer {
  private let mixer: AudioMixer
  private let makeAligner: (AudioFormat, Timestamp) throws -> any SoundAligner
  private let epoch: Timestamp
  private var aligner: (any SoundAligner)?
  /// The number of the voice's first sample in the movie's sound.
  private var begin: Int64 = 0
  private var matrix: ChannelMatrix?
  private let format: AudioFormat

  /// - Parameters:
  ///   - format: of the movie's sound.
  ///   - epoch: the moment of its sample 0.
  ///   - makeAligner: makes the aligner of a voice in a format, from a moment on, at the rate of the movie's sound.
  init(
    _ format: AudioFormat, epoch: Timestamp,
    makeAligner: @escaping (AudioFormat, Timestamp) throws -> any SoundAligner
  ) {
    (self.format, self.epoch) = (format, epoch)
    self.makeAligner = makeAligner
    mixer = AudioMixer(format: format)
  }

  /// Takes runs of the movie's sound; returns those that are mixed.
  func mix(_ runs: [AlignedSound], isOn: Bool, duck: Double) throws -> [AlignedSound] {
    mixer.gains[0].decibels = isOn ? -duck : 0
    mixer.gains[1].isMuted = !isOn
    return try collect { emit in
      for run in runs { try mixer.add(buffer(run), emit) }
    }
  }

  /// Takes sound of the voice; returns what it was waited for with.
  ///
  /// - Throws: `SafelightError` if its channels do not go with the movie's.
  func add(_ voice: AudioBuffer) throws -> [AlignedSound] {
    if aligner == nil {
      matrix = try ChannelMatrix(from: voice.format.layout, to: format.layout)
      // From its own beginning on, at a sample of the movie's.
      let rate = format.sampleRate
      begin = max(0, SampleTime.samples(voice.time.nanoseconds - epoch.nanoseconds, rate: rate))
      let start = Timestamp(nanoseconds: epoch.nanoseconds + SampleTime.nanoseconds(begin, rate: rate))
      aligner = try makeAligner(voice.format, start)
    }
    guard let aligner, let matrix else { return [] }
    let runs = try aligner.align(voice)
    return try collect { emit in
      for run in runs {
        let samples = matrix.apply(to: run.samples)
        try mixer.add(buffer(AlignedSound(samples: samples, position: begin + run.position)), source: 1, emit)
      }
    }
  }

  /// Ends the voice, which may begin anew in another format; returns what it was waited for with.
  func endVoice() throws -> [AlignedSound] {
    aligner = nil
    return try collect { try mixer.end(source: 1, $0) }
  }

  /// Returns the rest.
  func finish() throws -> [AlignedSound] { try collect { try mixer.finish($0) } }

  private func buffer(_ run: AlignedSound) -> AudioBuffer {
    AudioBuffer(
      format: format, samples: run.samples, time: Timestamp(nanoseconds: 0), position: run.position)
  }

  private func collect(_ body: ((AudioBuffer) -> Void) throws -> Void) rethrows -> [AlignedSound] {
    var mixed: [AlignedSound] = []
    try withoutActuallyEscaping({ (buffer: AudioBuffer) in
      mixed.append(AlignedSound(samples: buffer.samples, position: buffer.position))
    }) { try body($0) }
    return mixed
  }
}
