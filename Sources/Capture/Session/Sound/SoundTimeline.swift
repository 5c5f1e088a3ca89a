import FrameCore

/// Places the sound of one stream after another at continuous positions, and fills what is missing with
/// silence: a state machine without clock, lock or thread.
///
/// Its methods are the events, in the order in which they happen; they pass on what is to be delivered.
/// Within a stream, samples are counted. A new stream is placed by its time, since nothing counted meanwhile:
/// what is missing before it becomes silence, and what silence has replaced already is cut off.
struct SoundTimeline {
  typealias Emit = (AudioBuffer) -> Void

  /// Silence that nobody measured comes in pieces of this many seconds.
  static let blockDuration = 0.01
  /// Longer silence comes in pieces of at most this many seconds, so that outputs can wait between them.
  static let longestPiece = 0.1
  /// A new stream whose time lies further back, in seconds, is placed by its order alone: its clock is wrong.
  static let largestOverlap = 1.0

  let format: AudioFormat
  /// The number of samples per channel so far.
  private(set) var position: Int64 = 0
  private var clock: MedianClock
  /// Whether the next sound is to be placed by its time.
  private var isJoining = true
  /// The position that the stream's next sound should have by its own count.
  private var expected: Int64?

  init(format: AudioFormat) {
    self.format = format
    clock = MedianClock(sampleRate: format.sampleRate)
  }

  /// When the next sample is due; nil before the first one.
  var end: Timestamp? { clock.time(of: position) }

  /// Begins a new stream.
  mutating func beginStream() {
    isJoining = true
    expected = nil
  }

  /// Places captured sound.
  mutating func sound(_ buffer: AudioBuffer, _ emit: Emit) {
    let count = buffer.frameCount
    guard count > 0 else { return }
    if let expected, buffer.position > expected {
      silence(buffer.position - expected, .overrun, at: end ?? buffer.time, emit)
    }
    expected = buffer.position + Int64(count)
    let cut = join(at: buffer.time, emit)
    guard cut < count else { return }
    endJoining()
    let channels = format.channelCount
    let time = buffer.time.advanced(by: clock.nanoseconds(cut))
    clock.add(time, at: position)
    let samples = cut == 0 ? buffer.samples : Array(buffer.samples[Int(cut) * channels..<count * channels])
    emit(AudioBuffer(format: format, samples: samples, time: time, position: position))
    position += Int64(count) - cut
  }

  /// Places silence of the length that the device measured.
  ///
  /// - Parameter time: when the first of the lost samples was due.
  mutating func lost(_ count: Int, _ reason: SilenceReason, at time: Timestamp, _ emit: Emit) {
    guard count > 0 else { return }
    if let stream = expected { expected = stream + Int64(count) }
    let cut = join(at: time, emit)
    guard cut < count else { return }
    if isJoining {
      endJoining()
      clock.add(time.advanced(by: clock.nanoseconds(cut)), at: position)
    }
    silence(Int64(count) - cut, reason, at: time.advanced(by: clock.nanoseconds(cut)), emit)
  }

  /// Fills the time until `now` with blocks of silence, as far as whole ones have passed.
  ///
  /// - Returns: when the next block is due.
  mutating func fill(until now: Timestamp, _ emit: Emit) -> Timestamp {
    let block = max(1, Int64(Double(format.sampleRate) * Self.blockDuration))
    guard let end else { return now.advanced(bySeconds: Self.blockDuration) }
    isJoining = true
    var blocks = max(0, clock.samples(from: end, to: now)) / block
    while blocks > 0, let start = self.end {
      silence(block, .disconnected, at: start, emit)
      blocks -= 1
    }
    return (self.end ?? end).advanced(by: clock.nanoseconds(block))
  }

  /// Fills the time until a new stream's first sample.
  ///
  /// - Returns: the number of its samples for which there was silence already.
  private mutating func join(at time: Timestamp, _ emit: Emit) -> Int64 {
    guard isJoining, let end else { return 0 }
    let gap = clock.samples(from: end, to: time)
    if gap >= 0 {
      silence(gap, .disconnected, at: end, emit)
      return 0
    }
    return Double(-gap) > Self.largestOverlap * Double(format.sampleRate) ? 0 : -gap
  }

  private mutating func endJoining() {
    if isJoining { clock.reset() }
    isJoining = false
  }

  /// Delivers silence in pieces, which share their samples.
  private mutating func silence(
    _ count: Int64, _ reason: SilenceReason, at time: Timestamp, _ emit: Emit
  ) {
    let longest = max(1, Int64(Double(format.sampleRate) * Self.longestPiece))
    var samples = [Float](repeating: 0, count: Int(min(count, longest)) * format.channelCount)
    var done: Int64 = 0
    while done < count {
      let piece = min(count - done, longest)
      samples.removeLast(max(0, samples.count - Int(piece) * format.channelCount))
      emit(
        AudioBuffer(
          format: format, samples: samples, time: time.advanced(by: clock.nanoseconds(done)),
          position: position, silence: reason))
      position += piece
      done += piece
    }
  }
}

/// The time of positions, from the times of sound that devices stamp with jitter: the median of the newest.
///
/// Within the 150 ms that they span, a clock that is wrong by 100 ppm drifts by 15 µs.
private struct MedianClock {
  private static let limit = 15

  let sampleRate: Int
  /// Times of position 0 by the newest sound, in nanoseconds.
  private var origins: [Int64] = []
  private var next = 0
  private var origin: Int64?

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  mutating func add(_ time: Timestamp, at position: Int64) {
    let value = time.nanoseconds - nanoseconds(position)
    if origins.count < Self.limit { origins.append(value) } else { origins[next] = value }
    next = (next + 1) % Self.limit
    origin = origins.sorted()[origins.count / 2]
  }

  /// Forgets the times of a former stream.
  mutating func reset() {
    origins.removeAll(keepingCapacity: true)
    next = 0
  }

  func time(of position: Int64) -> Timestamp? {
    origin.map { Timestamp(nanoseconds: $0 + nanoseconds(position)) }
  }

  func nanoseconds(_ samples: Int64) -> Int64 {
    let rate = Int64(sampleRate)
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate / 2) / rate
  }

  /// The number of samples between two times, to the nearest.
  func samples(from start: Timestamp, to end: Timestamp) -> Int64 {
    Int64((end.seconds(since: start) * Double(sampleRate)).rounded())
  }
}
