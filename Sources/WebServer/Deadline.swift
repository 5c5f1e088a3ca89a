import NIOCore

/// A time by which something has to happen, which may be moved often. Belongs to an event loop.
final class Deadline {
  private let loop: any EventLoop
  private let passed: () -> Void
  private var due: NIODeadline?
  private var wake: (time: NIODeadline, task: Scheduled<Void>)?

  /// - Parameter passed: what is done once the time is over; it may set a new one.
  init(on loop: any EventLoop, passed: @escaping () -> Void) {
    (self.loop, self.passed) = (loop, passed)
  }

  func set(in time: Duration) {
    let time = NIODeadline.now() + TimeAmount(time)
    due = time
    // A later time needs no new task: the one at hand looks again.
    if let wake, wake.time <= time { return }
    schedule(time)
  }

  func clear() {
    due = nil
    wake?.task.cancel()
    wake = nil
  }

  private func schedule(_ time: NIODeadline) {
    wake?.task.cancel()
    wake = (time, loop.assumeIsolated().scheduleTask(deadline: time) { self.look() })
  }

  private func look() {
    wake = nil
    guard let due else { return }
    guard NIODeadline.now() >= due else { return schedule(due) }
    self.due = nil
    passed()
  }
}
