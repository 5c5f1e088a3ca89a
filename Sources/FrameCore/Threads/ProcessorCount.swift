import CThreads
import Libc

/// How many processors there are to run threads.
package enum ProcessorCount {
  /// Those that the calling thread may run on, at least 1. A container's cpuset and `taskset` take effect, which the
  /// number of processors that are switched on does not tell. Asked for anew each time.
  package static var usable: Int {
    let usable = Int(cthreads_usable_processors())
    return usable > 0 ? usable : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
