import CThreads
import Libc

/// The number of processors available to threads.
package enum ProcessorCount {
  /// The number on which the calling thread may run, at least 1. Unlike the number of processors online, it
  /// respects a container's cpuset and `taskset`. Queried anew each time.
  package static var usable: Int {
    let usable = Int(cthreads_usable_processors())
    return usable > 0 ? usable : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
