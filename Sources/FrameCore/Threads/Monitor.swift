import Libc

/// State shared among threads that wait for it to change: a mutex and a condition variable.
///
/// Nothing is allocated after `init`. The bodies run under the lock, so they must be short.
package final class Monitor<State>: @unchecked Sendable {
  @usableFromInline var state: State
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: sending State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if !canImport(Darwin)
      // Deadlines are `Timestamp`s, which a change of the wall clock must not move.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads the state without waking waiters.
  @inlinable package func read<Value>(_ body: (State) throws -> Value) rethrows -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(state)
  }

  /// Reads or changes the state and wakes all waiters.
  @inlinable package func update<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Calls `body` again after every change until it returns a value. What `body` changes itself wakes nobody: call `update`
  /// if others wait for that.
  @discardableResult
  @inlinable package func wait<Value>(for body: (inout State) throws -> Value?) rethrows -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let value = try body(&state) { return value }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Calls `body` again after every change until it returns a value; returns nil if there is none by `deadline`.
  @inlinable package func wait<Value>(
    until deadline: Timestamp, for body: (inout State) throws -> Value?
  ) rethrows -> Value? {
    let seconds = deadline.nanoseconds / 1_000_000_000
    var time = timespec(
      tv_sec: Int(seconds), tv_nsec: Int(deadline.nanoseconds - seconds * 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let value = try body(&state) { return value }
      // A negative deadline has passed; the system would reject it as invalid.
      guard deadline.nanoseconds > 0, pthread_cond_timedwait(changed, mutex, &time) != ETIMEDOUT else {
        return try body(&state)
      }
    }
  }
}
