import Glibc
import Safelight

/// The machine that measurements were made on.
public enum Machine {
  /// Limits this process, and all that it starts, to the first processors that it may use.
  ///
  /// Call first: if more processors may be used, the program starts itself again through `taskset`.
  public static func limitProcessors(to count: Int) throws {
    let status = textFile("/proc/self/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    let allowed = processors(inList: line?.split(separator: "\t").last ?? "")
    guard allowed.count > count else { return }
    let list = allowed.prefix(count).map { "\($0)" }.joined(separator: ",")
    // By its file, because “self” would be taskset itself.
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    readlink("/proc/self/exe", &path, path.count - 1)
    let program = path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let command = ["taskset", "-c", list, program] + CommandLine.arguments.dropFirst()
    var arguments = command.map { strdup($0) }
    defer { for text in arguments { free(text) } }
    arguments.append(nil)
    execvp(command[0], arguments)
    throw SafelightError(
      .unsupported, "taskset cannot be started: \(String(cString: strerror(errno)))",
      remedy: "install util-linux, or run this on \(count) processors")
  }

  /// Returns the numbers in a list such as “0-3,8”.
  static func processors(inList list: some StringProtocol) -> [Int] {
    list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  /// The distribution and the kernel's version.
  public static var system: String {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let line = textFile("/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    let distribution = line?.split(separator: "\"").last.map(String.init) ?? "Linux"
    // Distributions append names of their builds.
    return "\(distribution), Linux \(release.split(separator: ".").prefix(2).joined(separator: "."))"
  }

  /// Today's date in UTC, such as 2026-11-21.
  public static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  /// The average number of processes that were ready to run in the last minute.
  public static var load: Double {
    textFile("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? .nan
  }

  /// Returns the first line that a program prints, without copyright notices and addresses; nil if it is not
  /// installed or prints nothing.
  ///
  /// - Parameter folder: a folder for its output, in which nothing else writes.
  public static func version(_ command: [String], folder: String) -> String? {
    guard let program = command.first, isInstalled(program) else { return nil }
    let log = folder + "/version.txt"
    defer { unlink(log) }
    _ = try? ProcessGroup.run([command], log: log, timeLimit: 20)
    guard let line = textFile(log)?.split(separator: "\n").first else { return nil }
    // Without the words that some programs put around it.
    let words = line.replacing("Version: ", with: "").split(separator: " ")
    return words.prefix { $0 != "Copyright" && !$0.hasPrefix("http") }.joined(separator: " ")
  }

  /// Whether a program exists: found through `PATH`, or by its path if it contains a slash.
  public static func isInstalled(_ program: String) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}
