import Libc

/// The kernel's counters for this process: how long its threads were ready but had no core, how often they were
/// preempted, and how many page faults they caused.
///
/// Reading takes about a microsecond per thread, so it can be done between frames.
final class KernelCounters {
  struct Reading: Hashable {
    /// The total time that threads waited for a core, in milliseconds: `run_delay` of schedstat (Linux,
    /// Documentation/scheduler/sched-stats.rst).
    var waitedMilliseconds = 0.0
    var involuntarySwitches = 0
    var pageFaults = 0

    static func - (a: Reading, b: Reading) -> Reading {
      Reading(
        waitedMilliseconds: a.waitedMilliseconds - b.waitedMilliseconds,
        involuntarySwitches: a.involuntarySwitches - b.involuntarySwitches,
        pageFaults: a.pageFaults - b.pageFaults)
    }
  }

  /// The open schedstat file of each thread.
  private let threads: [Int32]

  /// Creates counters for the threads that exist now.
  init() {
    var threads: [Int32] = []
    if let folder = opendir("/proc/self/task") {
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard Int(name) != nil else { continue }
        let descriptor = open("/proc/self/task/\(name)/schedstat", O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { threads.append(descriptor) }
      }
    }
    self.threads = threads
  }

  deinit { for thread in threads { close(thread) } }

  func read() -> Reading {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(Int32(RUSAGE_SELF), &usage)
    #endif
    return Reading(
      waitedMilliseconds: threads.reduce(0) { $0 + Double(Self.waited($1)) } / 1e6,
      involuntarySwitches: usage.ru_nivcsw, pageFaults: usage.ru_minflt + usage.ru_majflt)
  }

  /// Returns the second number of a schedstat: the waiting time in nanoseconds.
  private static func waited(_ descriptor: Int32) -> UInt64 {
    withUnsafeTemporaryAllocation(byteCount: 96, alignment: 1) { bytes in
      let count = pread(descriptor, bytes.baseAddress, bytes.count, 0)
      guard count > 0 else { return 0 }
      var (field, value) = (0, UInt64(0))
      for byte in bytes.prefix(count) {
        if byte == 0x20 {
          field += 1
          if field == 2 { break }
        } else if field == 1, (0x30...0x39).contains(byte) {
          value = value &* 10 &+ UInt64(byte - 0x30)
        }
      }
      return value
    }
  }

  /// Returns the time on all cores that the hypervisor gave to other guests since the system started, in
  /// milliseconds; nil if it is not counted.
  static func stolenMilliseconds() -> Double? {
    guard let file = fopen("/proc/stat", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split { $0 == " " || $0 == "\n" }
    guard fields.count > 8, fields[0] == "cpu", let ticks = Double(fields[8]) else { return nil }
    return 1000 * ticks / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
  }
}
