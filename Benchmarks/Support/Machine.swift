import Glibc

/// What measurements were made on.
public enum Machine {
  /// The processor's model, without the marks that makers put in.
  public static var processor: String {
    let line = textFile("/proc/cpuinfo")?.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init) ?? "a processor"
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
    // Distributions add what only names their build.
    return "\(distribution), Linux \(release.split(separator: ".").prefix(2).joined(separator: "."))"
  }

  /// Today in Universal Time, as 2026-11-21.
  public static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  /// The processes that were ready to run in the last minute, on average.
  public static var load: Double {
    textFile("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? .nan
  }

  /// What a program prints first, without copyrights and addresses; nil where it is not installed or prints nothing.
  ///
  /// - Parameter folder: for what it prints; one that nobody else writes in.
  public static func version(_ command: [String], folder: String) -> String? {
    guard let program = command.first, isInstalled(program) else { return nil }
    let log = folder + "/version.txt"
    defer { unlink(log) }
    _ = try? ProcessGroup.run([command], log: log, timeLimit: 20)
    guard let line = textFile(log)?.split(separator: "\n").first else { return nil }
    // Without what some say around it.
    let words = line.replacing("Version: ", with: "").split(separator: " ")
    return words.prefix { $0 != "Copyright" && !$0.hasPrefix("http") }.joined(separator: " ")
  }

  /// Whether a program is there: found by `PATH`, or by its path where it has a slash.
  public static func isInstalled(_ program: String) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}
