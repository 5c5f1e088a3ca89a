import FrameCore
import Libc

/// Waits for times on the monotonic clock; can be woken from any thread.
///
/// Times are absolute, so that pacing does not drift. Waiting allocates no memory.
public final class FramePacer: @unchecked Sendable {
  /// How a wait ended.
  public enum End: Sendable, Hashable {
    /// The time has come.
    case due
    /// The deadline passed first.
    case deadline
    case woken
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// Guarded by `mutex`.
  private var isWoken = false

  public init() {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The wall clock can be changed, which would end waits early or late.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Waits until `moment`, or until `deadline` if that is earlier.
  ///
  /// A wake-up before the wait is remembered: the next wait returns at once.
  public func wait(for moment: Timestamp, until deadline: Timestamp) -> End {
    let end = min(moment, deadline)
    let nanoseconds = max(end.nanoseconds, 0)
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isWoken, Timestamp.now < end {
      pthread_cond_timedwait(changed, mutex, &time)
    }
    if isWoken {
      isWoken = false
      return .woken
    }
    return moment <= deadline ? .due : .deadline
  }

  /// Ends the current wait, or the next one if there is none.
  public func wake() {
    pthread_mutex_lock(mutex)
    isWoken = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
