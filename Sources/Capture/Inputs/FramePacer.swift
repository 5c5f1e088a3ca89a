import FrameCore
import Libc

/// Waits for moments on the monotonic clock, and can be woken from any thread.
///
/// Moments are absolute, so that what is paced by them does not drift. Waiting allocates nothing.
public final class FramePacer: @unchecked Sendable {
  /// How a wait ended.
  public enum End: Sendable, Hashable {
    /// The moment has come.
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
    // Time of day can be set, and waits would end early or late.
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

  /// Waits until `moment`, or until `deadline` where that is earlier.
  ///
  /// A wake that came before is not forgotten: the next wait returns at once.
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

  /// Ends a wait, or the next one where nobody waits.
  public func wake() {
    pthread_mutex_lock(mutex)
    isWoken = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
