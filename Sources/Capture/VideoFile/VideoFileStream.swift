import CFFmpeg
import FrameCore

/// A run through a video file.
final class VideoFileStream: FrameStream {
  let format: StreamFormat
  let isPaced: Bool
  /// A file may show one picture for minutes.
  var mayStall: Bool { false }
  private let input: VideoFileInput
  private var loops: Bool { input.loops }
  private let orientation: Orientation
  private let sampleAspect: SampleAspect
  private let fieldOrder: FieldOrder
  private let ring: BufferRing
  private var pacer: FramePacer { input.pacer }
  private var playback: VideoPlayback { input.playback }
  /// Nil once closed.
  private var video: DecodedVideo?
  /// Whether the decoder holds an undelivered frame.
  private var hasFrame = false
  private var hasEnded = false
  private var clock: FileClock
  private var sequence: UInt64 = 0
  /// The time at which frame 0 was due; moved later when the clock is set back.
  private var start: Timestamp?
  /// The time of the first frame on the file's clock.
  private var firstSeconds: Double?
  /// Where to go on, on the file's clock, while frames before it are passed over.
  private var target: Double?
  /// Whether the next frame is shown although the file pauses.
  private var isSought = false
  /// Since when the file pauses.
  private var pausedSince: Timestamp?

  /// The lag of frames, in seconds, beyond which the clock is set back.
  private static let largestLag = 2.0
  /// Reported here, since frames get times without the gap and later stages cannot see it.
  private static let gapNote =
    "The video's time stamps jump ahead by more than \(Int(FileClock.longestInterval)) s, which is left out; "
    + "sound may be out of step from there on"
  /// The number of a stream's buffers, and thus of frames that may be held.
  private static let bufferCount = 8

  init(_ input: VideoFileInput, video: DecodedVideo, tags: ColorTags) throws {
    self.input = input
    isPaced = input.isPaced
    orientation = video.orientation
    (sampleAspect, fieldOrder) = (video.sampleAspect, video.fieldOrder)
    self.video = video
    format = StreamFormat(
      size: video.size, encoding: .raw(video.pixelFormat), pixelFormat: video.pixelFormat, tags: tags,
      framesPerSecond: video.info.rate)
    clock = FileClock(rate: video.info.rate)
    ring = try BufferRing(count: Self.bufferCount, size: video.size, format: video.pixelFormat, tags: tags)
    // Its first frame is decoded.
    firstSeconds = video.frameSeconds
    playback.opened(duration: video.duration)
  }

  func wake() { pacer.wake() }

  func close() {
    video = nil
    hasEnded = true
  }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if start == nil { start = .now }
    if isPaced {
      seek()
      if isPausing() {
        _ = pacer.wait(for: deadline, until: deadline)
        return .idle
      }
    }
    while !hasFrame {
      guard let video, !hasEnded else { return .finished }
      // Decoding does not block, so a wake-up or the deadline is checked between packets.
      if pacer.wait(for: Timestamp(nanoseconds: 0), until: deadline) == .woken { return .idle }
      switch video.step() {
      case CFFMPEG_FRAME:
        if let seconds = video.frameSeconds {
          // Half a frame early is the frame itself.
          if let target, seconds < target - 0.5 / max(1, format.framesPerSecond) { continue }
        }
        if clock.advance(to: video.frameSeconds) { input.note(Self.gapNote) }
        hasFrame = true
        if target.take() != nil { start = Timestamp.now.advanced(bySeconds: -clock.seconds) }
      case CFFMPEG_AGAIN:
        if Timestamp.now >= deadline { return .idle }
      case CFFMPEG_DAMAGED:
        return drop(.corrupt)
      case CFFMPEG_CHANGED:
        throw CaptureFailure(
          .unsupported,
          SafelightError(
            .unsupported,
            "The video \(video.path) changes its size or its pixel format after frame \(sequence)",
            remedy: "convert it to one size, or cut it there"))
      default:
        let problem = video.endProblem()
        // An unreadable disk must not cause the readable part to repeat for ever.
        let mayRepeat = loops && clock.hasAdvanced && video.ending.read_error == 0
        guard mayRepeat, video.rewind() else {
          hasEnded = true
          if let problem { throw CaptureFailure(.truncated, problem) }
          return .finished
        }
        if let problem { input.note("\(problem)") }
        clock.startAgain()
        target = nil
      }
    }
    return try deliver(until: deadline)
  }

  /// Goes where the playback was asked to.
  private func seek() {
    guard let video, let seconds = playback.takeTarget() else { return }
    let moment = (firstSeconds ?? 0) + seconds
    guard video.seek(toSeconds: moment) else { return }
    hasFrame = false
    clock.startAgain()
    (target, isSought) = (moment, true)
  }

  /// Whether nothing is to be shown; after a pause, frames come as late as it was long.
  private func isPausing() -> Bool {
    // A file that begins to pause, or is sought in, shows one frame.
    let isPausing = playback.isPaused && !isSought && sequence > 0
    if isPausing {
      pausedSince = pausedSince ?? .now
    } else if let since = pausedSince.take() {
      start = start?.advanced(bySeconds: Timestamp.now.seconds(since: since))
    }
    return isPausing
  }

  private func deliver(until deadline: Timestamp) throws -> StreamEvent {
    guard let video else { return .finished }
    if isPaced {
      // If decoding is too slow or the system slept, shift the schedule instead of lagging ever further.
      let lag = Timestamp.now.seconds(since: dueTime)
      if lag > Self.largestLag { start = start?.advanced(bySeconds: lag) }
      if pacer.wait(for: dueTime, until: deadline) != .due { return .idle }
    }
    let time = dueTime
    guard let buffer = takeBuffer(until: deadline) else {
      guard isPaced else { return .idle }
      hasFrame = false
      return drop(.outOfBuffers)
    }
    hasFrame = false
    guard video.copy(into: buffer) else {
      throw CaptureFailure(
        .inputOutput,
        SafelightError(
          .noMemory, "Cannot convert the frames of \(video.path): there is not enough memory",
          remedy: "close other programs"))
    }
    defer { sequence += 1 }
    isSought = false
    if let seconds = video.frameSeconds { playback.shows(sequence, at: seconds - (firstSeconds ?? seconds)) }
    return .frame(
      Frame(
        buffer: buffer, time: time, sequence: sequence, orientation: orientation,
        duration: video.frameDuration, sampleAspect: sampleAspect, fieldOrder: fieldOrder))
  }

  /// Returns an unused buffer. An unpaced stream loses nothing, so it waits for one.
  private func takeBuffer(until deadline: Timestamp) -> PixelBuffer? {
    isPaced ? ring.take() : pacer.takeBuffer(from: ring, until: deadline)
  }

  private var dueTime: Timestamp { (start ?? .now).advanced(bySeconds: clock.seconds) }

  private func drop(_ reason: DropReason) -> StreamEvent {
    defer { sequence += 1 }
    return .dropped(first: DroppedFrame(sequence: sequence, time: dueTime, reason: reason), count: 1)
  }
}

/// Converts a file's time stamps, which may be missing, wrong or start anywhere, to increasing seconds from 0.
struct FileClock {
  /// The time of the current frame.
  private(set) var seconds = 0.0
  /// Whether this pass through the file has had a frame.
  private(set) var hasAdvanced = false
  /// The seconds between frames if the file does not say.
  private let interval: Double
  /// The offset added to the file's seconds.
  private var offset: Double?
  private var isFirst = true

  /// The longest that a frame may be shown; longer durations are damage.
  static let longestInterval = 3600.0

  init(rate: Double) {
    interval = rate > 0.001 && rate < 10_000 ? 1 / rate : 1.0 / 25
  }

  /// Advances to the next frame, which has the file's time `stamp`.
  ///
  /// - Returns: whether the stamp jumps ahead by more than `longestInterval`, which is skipped.
  mutating func advance(to stamp: Double?) -> Bool {
    hasAdvanced = true
    let expected = isFirst ? seconds : seconds + interval
    isFirst = false
    guard let stamp, stamp.isFinite, abs(stamp) < 1e9 else {
      seconds = expected
      return false
    }
    let base = offset ?? expected - stamp
    let next = stamp + base
    guard next >= seconds, next - seconds <= Self.longestInterval else {
      // The clock was reset: continue from here.
      let isAhead = next > seconds
      offset = expected - stamp
      seconds = expected
      return isAhead
    }
    offset = base
    seconds = next
    return false
  }

  /// Prepares for the file's restart.
  mutating func startAgain() {
    offset = nil
    hasAdvanced = false
  }
}
