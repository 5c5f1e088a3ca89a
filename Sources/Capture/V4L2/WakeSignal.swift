import CV4L2
import FrameCore
import Libc

/// Wakes a thread waiting on a descriptor; an eventfd.
final class WakeSignal: Sendable {
  let descriptor: Int32

  init() throws {
    descriptor = cv4l2_event_descriptor()
    guard descriptor >= 0 else {
      throw CaptureFailure(
        .inputOutput,
        SafelightError(
          .device, "Cannot wait for a device: \(errorText(-descriptor))",
          remedy: "raise the limit of open files (ulimit -n)"))
    }
  }

  deinit { close(descriptor) }

  /// Wakes the thread. Any thread may call it.
  func signal() {
    var one: UInt64 = 1
    // Fails only if the counter overflows, and then the descriptor is already readable.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Discards past signals.
  func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}

extension Timestamp {
  /// Milliseconds from now, rounded up, for poll(2); 0 if this time has passed.
  var millisecondsLeft: Int32 {
    let left = nanoseconds.subtractingReportingOverflow(Timestamp.now.nanoseconds)
    if left.overflow { return nanoseconds < 0 ? 0 : Int32.max }
    guard left.partialValue > 0 else { return 0 }
    return Int32(clamping: (left.partialValue - 1) / 1_000_000 + 1)
  }
}
