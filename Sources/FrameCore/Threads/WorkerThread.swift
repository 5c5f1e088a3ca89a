import Libc

/// A dedicated, named thread for work that waits, which would block the threads of a shared pool.
package final class WorkerThread: @unchecked Sendable {
  private final class Body {
    let run: @Sendable () -> Void
    let name: String

    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  private let thread: pthread_t

  /// - Parameter name: at most 15 characters, shown by `top -H` and debuggers.
  /// - Throws: `SafelightError` if the system grants no more threads.
  package init(name: String, _ run: @escaping @Sendable () -> Void) throws {
    let body = Unmanaged.passRetained(Body(name: name, run: run))
    var created = pthread_t()
    let status = pthread_create(
      &created, nil,
      { argument in
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        WorkerThread.nameCurrentThread(body.name)
        body.run()
        return nil
      }, body.toOpaque())
    guard status == 0 else {
      body.release()
      throw SafelightError(
        .noResources, "Cannot start a thread: \(errorText(status))",
        remedy: "raise the limit of processes (ulimit -u) or run fewer programs")
    }
    thread = created
  }

  /// The Glibc module lacks pthread_setname_np; the kernel also accepts the name through this file.
  private static func nameCurrentThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    var text = name
    _ = text.withUTF8 { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  /// Raises the priority of the calling thread and returns whether the system granted it.
  ///
  /// Without the privilege (CAP_SYS_NICE or RLIMIT_NICE) nothing changes. Lowers the nice value rather than using
  /// a real-time class: a frame loop that waits for a lock must not starve the thread that holds it.
  package static func raiseCurrentPriority() -> Bool {
    // On Linux a nice value belongs to the thread, and 0 means the calling one.
    #if canImport(Glibc)
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10) == 0
    #else
      setpriority(PRIO_PROCESS, 0, -10) == 0
    #endif
  }

  /// Lets other threads run first. Needs no privilege.
  package static func lowerCurrentPriority() {
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #else
      _ = setpriority(PRIO_PROCESS, 0, 10)
    #endif
  }

  /// Drops a raised priority that the calling thread inherited, so that threads it starts do not inherit it
  /// either. A lowered one is kept.
  package static func dropRaisedPriority() {
    #if canImport(Glibc)
      let processor = __priority_which_t(PRIO_PROCESS.rawValue)
    #else
      let processor = PRIO_PROCESS
    #endif
    if getpriority(processor, 0) < 0 { _ = setpriority(processor, 0, 0) }
  }

  /// Lets the thread end unobserved. Call either this or `join`, once.
  package func detach() { pthread_detach(thread) }

  /// Returns once the thread has ended. Call either this or `detach`, once.
  package func join() { pthread_join(thread, nil) }
}
