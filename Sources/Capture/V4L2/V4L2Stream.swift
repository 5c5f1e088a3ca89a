import CV4L2
import FrameCore
import Libc

/// A run of frames from a V4L2 device.
///
/// Uncompressed frames are the driver's own memory: a frame in use withholds one of the driver's buffers. If all
/// are in use, the driver loses frames, reported as `outOfBuffers`; its own gaps are reported as `discontinuity`.
/// JPEG, RGB and mosaics are converted into the stream's own buffers; frames of JPEG and of mosaics also lend the
/// driver's bytes (`Frame.encoded`, `Frame.mosaic`).
final class V4L2Stream: FrameStream {
  private(set) var format: StreamFormat

  private let wakeSignal: WakeSignal
  private let converter: FrameConverter
  /// Keeps the device open; nil after `close`.
  private var buffers: MappedBuffers?
  /// The number of buffers that the driver needs to continue.
  private let minimumQueued: Int

  private var sequence = DriverSequence()
  /// Whether the driver has had too few buffers since the last frame.
  private var isStarved = false
  /// The event to return after the last one.
  private var pending: StreamEvent?

  /// The interval, in milliseconds, for checking whether readers have released buffers that the driver lacks.
  private static let reclaimInterval: Int32 = 4

  init(_ node: DeviceNode, _ setup: StreamSetup, bufferCount: Int) throws {
    format = setup.streamFormat
    wakeSignal = try WakeSignal()
    converter = try FrameConverter(setup, bufferCount: bufferCount, device: node)
    var minimum: Int64 = 0
    let status = cv4l2_get_control(node.descriptor, ControlID.minimumBuffers, false, &minimum)
    minimumQueued = status == 0 ? Int(min(max(1, minimum), 16)) : 1
    // Drivers that do not support these events never send them.
    _ = cv4l2_subscribe_event(node.descriptor, UInt32(V4L2_EVENT_SOURCE_CHANGE), 0)
    _ = cv4l2_subscribe_event(node.descriptor, UInt32(V4L2_EVENT_EOS), 0)
    let buffers = try MappedBuffers(
      node, type: setup.type, count: max(bufferCount, minimumQueued + 2),
      memoryPlanes: setup.choice.pixelFormat.memoryPlanes, wrapping: setup.wrapping)
    do {
      try buffers.start()
    } catch {
      buffers.stop()
      throw error
    }
    self.buffers = buffers
  }

  deinit { close() }

  func wake() { wakeSignal.signal() }

  func close() {
    guard let buffers else { return }
    self.buffers = nil
    pending = nil
    buffers.stop()
  }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if let event = pending {
      pending = nil
      return event
    }
    while true {
      guard let buffers else { return .finished }
      try buffers.reclaim()
      if let event = try dequeue(buffers) { return event }
      if let event = try wait(until: deadline, buffers) { return event }
    }
  }

  // MARK: Frames

  /// Returns the next event from the driver's buffers, or nil if none is filled.
  private func dequeue(_ buffers: MappedBuffers) throws -> StreamEvent? {
    var filled = cv4l2_buffer()
    let status = buffers.dequeue(&filled)
    switch status {
    case 0: return try take(filled, buffers)
    case -EAGAIN: return nil
    // Follows the last buffer of a stream that ends.
    case -EPIPE: return .finished
    default: throw DeviceErrors.failure(.dequeuing, buffers.node, -status)
    }
  }

  private func take(_ filled: cv4l2_buffer, _ buffers: MappedBuffers) throws -> StreamEvent {
    let (position, missing) = sequence.advance(to: filled.sequence)
    let time = Self.time(of: filled)
    let event = try convert(filled, buffers, position: position, time: time)
    let lost = isStarved ? DropReason.outOfBuffers : .discontinuity
    isStarved = buffers.queuedCount < minimumQueued
    guard missing > 0 else { return event }
    pending = event
    let first = DroppedFrame(sequence: position - UInt64(missing), time: time, reason: lost)
    return .dropped(first: first, count: missing)
  }

  /// Returns the frame in a buffer, or its loss. The buffer is queued again unless it is the frame itself.
  private func convert(
    _ filled: cv4l2_buffer, _ buffers: MappedBuffers, position: UInt64, time: Timestamp
  ) throws -> StreamEvent {
    let index = Int(filled.index)
    guard index < buffers.count else { throw DeviceErrors.failure(.dequeuing, buffers.node, EIO) }
    if filled.flags & UInt32(V4L2_BUF_FLAG_LAST) != 0, filled.bytes_used.0 == 0 { return .finished }
    let isWhole = filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 && converter.isComplete(filled)
    let outcome: FrameConverter.Outcome =
      isWhole ? try converter.convert(filled, from: buffers) : .lost(.corrupt)
    switch outcome {
    case .frame(let picture, let encoded, let mosaic, let isLent):
      if !isLent { try buffers.queue(filled.index) }
      if picture.format != format.pixelFormat { format.pixelFormat = picture.format }
      var frame = Frame(buffer: picture, time: time, sequence: position)
      (frame.encoded, frame.mosaic) = (encoded, mosaic)
      return .frame(frame)
    case .lost(let reason):
      try buffers.queue(filled.index)
      return .dropped(first: DroppedFrame(sequence: position, time: time, reason: reason), count: 1)
    }
  }

  /// Returns the driver's time if it uses CLOCK_MONOTONIC, otherwise the time of arrival.
  private static func time(of filled: cv4l2_buffer) -> Timestamp {
    let clock = filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    return clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
      ? Timestamp(nanoseconds: filled.nanoseconds) : .now
  }

  // MARK: Waiting

  /// Waits for the driver, a wake-up or the deadline; returns nil if the driver should be tried again.
  private func wait(until deadline: Timestamp, _ buffers: MappedBuffers) throws -> StreamEvent? {
    let left = deadline.millisecondsLeft
    guard left > 0 else { return .idle }
    let isShort = buffers.outCount > 0 && buffers.queuedCount < max(2, minimumQueued)
    let timeout = isShort ? min(left, Self.reclaimInterval) : left
    var descriptors = (
      pollfd(fd: wakeSignal.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: buffers.node.descriptor, events: Int16(POLLIN | POLLPRI), revents: 0)
    )
    _ = withUnsafeMutableBytes(of: &descriptors) {
      poll($0.baseAddress?.assumingMemoryBound(to: pollfd.self), 2, timeout)
    }
    if descriptors.0.revents != 0 {
      wakeSignal.clear()
      return .idle
    }
    let happened = Int32(descriptors.1.revents)
    if happened & POLLPRI != 0, let event = try readEvents(buffers.node) { return event }
    guard happened & (POLLERR | POLLHUP | POLLNVAL) != 0 else { return nil }
    return try diagnose(buffers, timeout: timeout)
  }

  /// Determines the meaning of an error from poll(2).
  private func diagnose(_ buffers: MappedBuffers, timeout: Int32) throws -> StreamEvent? {
    // Dequeuing gives a more specific error, and a frame that was filled before still counts.
    if let event = try dequeue(buffers) { return event }
    _ = try buffers.node.capability()
    guard buffers.queuedCount == 0 else { throw DeviceErrors.failure(.dequeuing, buffers.node, EIO) }
    // If no buffer is queued, that is the error's only cause, and it would recur at once.
    var wake = pollfd(fd: wakeSignal.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wake, 1, min(timeout, Self.reclaimInterval)) > 0 else { return nil }
    wakeSignal.clear()
    return .idle
  }

  private func readEvents(_ node: DeviceNode) throws -> StreamEvent? {
    var event = v4l2_event()
    while cv4l2_dequeue_event(node.descriptor, &event) == 0 {
      switch Int32(event.type) {
      case V4L2_EVENT_EOS: return .finished
      case V4L2_EVENT_SOURCE_CHANGE
      where event.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0:
        throw CaptureFailure(
          .inputOutput,
          SafelightError(
            .device,
            "The signal at the input of \(DeviceErrors.label(node.name, node.path)) has changed size",
            remedy: "start again with the new size"))
      default: continue
      }
    }
    return nil
  }
}
