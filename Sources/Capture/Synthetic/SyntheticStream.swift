import FrameCore

/// A run of a `SyntheticInput`.
final class SyntheticStream: FrameStream {
  let format: StreamFormat
  var isPaced: Bool { input.isPaced }
  private let input: SyntheticInput
  private let painter: LivePainter
  private let ring: BufferRing
  private let pacer = FramePacer()
  private let interval: Double
  /// The time at which frame 0 was due.
  private let start: Timestamp
  /// The number of the next frame.
  private var sequence: UInt64 = 0

  init(_ input: SyntheticInput, format: StreamFormat) throws {
    self.input = input
    self.format = format
    interval = 1 / format.framesPerSecond
    ring = try BufferRing(
      count: SyntheticInput.bufferCount, size: format.size, format: format.pixelFormat, tags: format.tags)
    painter = try LivePainter(
      input.scene(at: 0, size: format.size), maximumRoll: input.motion.maximumRoll,
      showsPages: input.showsPages)
    start = input.startTime ?? .now
  }

  func wake() { pacer.wake() }

  func close() {}

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if let limit = input.frameLimit, sequence >= limit { return .finished }
    if let idle = awaitNext(until: deadline) { return idle }
    if let lost = lostFrames() { return lost }
    let time = time(of: sequence)
    if input.faults.corrupt.contains(sequence) { return drop(.corrupt, at: time) }
    guard let buffer = takeBuffer(until: deadline) else {
      return input.isPaced ? drop(.outOfBuffers, at: time) : .idle
    }
    let seconds = Double(sequence) * interval
    let isLit = SyntheticBeat.isLit(from: time, until: self.time(of: sequence + 1))
    painter.paint(
      into: buffer, at: seconds, roll: input.motion.roll(at: seconds), gain: input.motion.gain(at: seconds),
      isLit: input.showsFlash ? isLit : nil)
    defer { sequence += 1 }
    return .frame(Frame(buffer: buffer, time: time, sequence: sequence))
  }

  /// Waits until the next frame is due; returns an event if the deadline or a wake-up comes first.
  private func awaitNext(until deadline: Timestamp) -> StreamEvent? {
    guard input.isPaced else { return nil }
    let silence = input.faults.stalls[sequence] ?? 0
    let moment = time(of: sequence).advanced(bySeconds: silence)
    return pacer.wait(for: moment, until: deadline) == .due ? nil : .idle
  }

  /// Returns an unused buffer. An unpaced source loses nothing, so it waits for one.
  private func takeBuffer(until deadline: Timestamp) -> PixelBuffer? {
    input.isPaced ? ring.take() : pacer.takeBuffer(from: ring, until: deadline)
  }

  /// Returns frames lost before the next one, one reason at a time: those lost to declared faults, then those not
  /// painted before their successor was due.
  private func lostFrames() -> StreamEvent? {
    // A frame is missed once its successor is due.
    let due = input.isPaced ? UInt64(max(0, Timestamp.now.seconds(since: start)) / interval) : 0
    let behind = due > sequence ? Int(due - sequence) : 0
    let declared = max(input.faults.gaps[sequence] ?? 0, min(behind, silentFrames))
    return lose(declared, .discontinuity) ?? lose(behind, .missedDeadline)
  }

  /// The number of frames lost to declared silence and jitter before the current one.
  private var silentFrames: Int {
    let jitter = time(of: sequence).seconds(since: start) - Double(sequence) * interval
    let silence = jitter + (input.faults.stalls[sequence] ?? 0)
    // Silence of whole intervals must not lose its last frame to rounding.
    return Int((silence / interval + 0.01).rounded(.down))
  }

  private func lose(_ count: Int, _ reason: DropReason) -> StreamEvent? {
    var count = count
    if let limit = input.frameLimit { count = min(count, limit - Int(sequence)) }
    guard count > 0 else { return nil }
    // The time of the frame after the gap.
    let first = DroppedFrame(
      sequence: sequence, time: time(of: sequence + UInt64(count)), reason: reason)
    sequence += UInt64(count)
    return .dropped(first: first, count: count)
  }

  private func drop(_ reason: DropReason, at time: Timestamp) -> StreamEvent {
    defer { sequence += 1 }
    return .dropped(first: DroppedFrame(sequence: sequence, time: time, reason: reason), count: 1)
  }

  private func time(of sequence: UInt64) -> Timestamp {
    let due = start.advanced(bySeconds: Double(sequence) * interval)
    guard input.faults.jitter > 0 else { return due }
    let bits = SceneNoise.hash(UInt32(truncatingIfNeeded: sequence) ^ SceneNoise.hash(input.seed))
    return due.advanced(bySeconds: input.faults.jitter * Double(bits) / Double(UInt32.max))
  }
}
