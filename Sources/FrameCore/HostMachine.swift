import Libc

/// The machine that this process runs on.
package enum HostMachine {
  /// The processor's name as the system reports it, such as `AMD EPYC 7763`; if there is none, the architecture.
  package static var processor: String {
    ProcFile.value(of: ["model name", "Hardware", "Model"], in: "/proc/cpuinfo") ?? text(names.machine)
  }

  /// The kernel, its release and the architecture: `Linux 6.1.0 x86_64`.
  package static var system: String {
    let names = names
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  /// The number of cores that this process may run on.
  package static var coreCount: Int { ProcessorCount.usable }

  /// The bytes available to programs without swapping; nil if the system does not report them.
  package static var availableMemory: Int? {
    ProcFile.value(of: ["MemAvailable"], in: "/proc/meminfo")
      .flatMap { Int($0.split(separator: " ").first ?? "") }.map { $0 << 10 }
  }

  /// The number of runnable threads, averaged over a minute.
  package static var load: Double {
    var averages = [Double](repeating: 0, count: 3)
    return getloadavg(&averages, 3) > 0 ? averages[0] : 0
  }

  private static var names: utsname {
    var names = utsname()
    uname(&names)
    return names
  }

  /// Returns the text in a fixed-size C array.
  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Files in `/proc` with lines of a name, a colon and a value.
private enum ProcFile {
  /// Returns the value of the first line with one of `keys`.
  static func value(of keys: [String], in path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":") else { continue }
      let key = text[..<colon].split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
      guard keys.contains(key) else { continue }
      let words = text[text.index(after: colon)...].split { $0 == " " || $0 == "\t" || $0 == "\n" }
      return words.joined(separator: " ")
    }
    return nil
  }
}
