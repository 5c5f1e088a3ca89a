import Capture
import FrameCore
import LiveVideo
import MovieIO
import Rendering

/// Records a session's frames and sound into movies, with a look.
///
///     let movie = try MovieFileOutput(to: "clip.mp4", look: LiveLook(recipe))
///     try await session.configure {
///       try $0.add(camera)
///       try $0.add(MicrophoneInput())
///       try $0.add(movie)
///     }
///     try await session.start()
///     movie.record()
///     …
///     movie.end()
///     try await movie.finish()
///     await session.stop()
///
/// The file plays at every moment: a crash costs at most its last second.
public final class MovieFileOutput: CaptureOutput, AudioCaptureOutput {
  private let frames: VideoDataOutput
  private let sink: MovieSink
  private let pipeline: LivePipeline

  /// - Parameters:
  ///   - path: a name in `.mp4`, `.mov` or `.mkv`, a folder, or a template; see `MovieNames`.
  ///   - hasSound: whether the session has a source of sound for it.
  ///   - hasVoiceOver: whether another session lays a voice over that sound; see `VoiceOver`.
  /// - Throws: `SafelightError` if the name is none of a movie, or taken.
  public init(
    to path: String, settings: MovieSettings = MovieSettings(), look: LiveLook = LiveLook(),
    hasSound: Bool = true, hasVoiceOver: Bool = false, renderer: any Renderer = CPURenderer()
  ) throws {
    frames = VideoDataOutput(lateFrames: .discard(keepingNewest: 2))
    sink = try MovieSink(
      settings, to: MovieNames(path, isSegmented: settings.segment != nil), hasSound: hasSound,
      hasVoiceOver: hasVoiceOver)
    pipeline = try LivePipeline(from: frames, through: look, to: [sink], renderer: renderer)
    try pipeline.start()
  }

  // MARK: Recording

  /// Begins a recording, or resumes it. Does nothing while one is going on.
  public func record() { sink.recorder.record() }

  /// Pauses at the next frame; pictures and sound are cut at the same moment.
  public func pause() { sink.recorder.pause() }

  public func resume() { sink.recorder.resume() }

  /// Marks the current moment; players show it as a chapter.
  public func mark() { sink.recorder.mark() }

  /// Ends the recording and stands by for the next one.
  public func end() { sink.recorder.end() }

  /// The look of the frames; a change takes effect within a few frames.
  public var look: LiveLook {
    get { pipeline.look }
    set { pipeline.look = newValue }
  }

  /// What is laid over the sound; nil for nothing.
  public var voiceOver: VoiceOver? { sink.voiceOver }

  public var status: MovieStatus { sink.recorder.status }

  /// Returns what has happened since the last call.
  public func takeEvents() -> [MovieEvent] { sink.recorder.takeEvents() }

  /// Ends the recording and returns once its last file is complete.
  ///
  /// - Throws: the error that ended the recording early; what was recorded before stays.
  public func finish() async throws {
    sink.end(at: .now)
    let pipeline = pipeline
    await withCheckedContinuation { continuation in
      do {
        try WorkerThread(name: "sl-movie-end") {
          pipeline.stop()
          continuation.resume()
        }.detach()
      } catch {
        // Without a thread this one waits.
        pipeline.stop()
        continuation.resume()
      }
    }
    if let failure = sink.recorder.failure { throw failure }
    if case .failed(let error)? = pipeline.end { throw error }
  }

  // MARK: The session's side

  public var purpose: OutputPurpose { .data }

  public func attach(to session: ObjectIdentifier) throws {
    try frames.attach(to: session)
    try sink.sound.attach(to: session)
  }

  public func detach(from session: ObjectIdentifier) {
    frames.detach(from: session)
    sink.sound.detach(from: session)
  }

  public func open() { frames.open() }
  public func accept(_ frame: Frame) { frames.accept(frame) }
  public func sourceDropped(first: DroppedFrame, count: Int) {
    frames.sourceDropped(first: first, count: count)
  }
  public func close() { frames.close() }
  public var holdsFrames: Bool { frames.holdsFrames }
  public func waitForRoom(until deadline: Timestamp) -> Bool { frames.waitForRoom(until: deadline) }

  public func openSound(_ format: AudioFormat?) { sink.sound.openSound(format) }
  public func accept(_ sound: AudioBuffer) { sink.sound.accept(sound) }
  public func closeSound() { sink.sound.closeSound() }
}
