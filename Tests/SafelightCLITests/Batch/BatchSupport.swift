import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

extension Scratch {
  /// Tiny photos, each of its own content, in a folder.
  @discardableResult
  func makePhotos(_ count: Int, in folder: String = "in", size: (Int, Int) = (40, 30)) throws -> [String] {
    try makeFolder(folder)
    return try (1...count).map { number in
      let name = "photo-\(number).jpg"
      try save(
        picture(size.0, size.1) { x, y in
          [
            (x * 1500 + number * 900) % 65_536, (y * 2000 + number * 300) % 65_536, number * 1000 % 65_536,
            65_535,
          ]
        }, as: "\(folder)/\(name)")
      return name
    }
  }

  /// All files below a folder by their path in it, with what they hold; journals are left out.
  func contents(of folder: String) throws -> [String: FileFingerprint] {
    var found: [String: FileFingerprint] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: self(folder)) {
      var isFolder: ObjCBool = false
      let path = self(folder) + "/" + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
        !name.contains(".safelight-batch")
      else { continue }
      found[name] = try FileFingerprint(contentsOf: path)
    }
    return found
  }

  func batch(_ arguments: String..., seconds: Int = 120) throws -> Program.Outcome {
    try Program.run(["batch"] + arguments, in: self, seconds: seconds)
  }

  /// A report that `--json` wrote.
  func report(_ name: String = "report.json") throws -> BatchReport {
    try BatchReport(contentsOf: self(name))
  }
}

extension Program.Outcome {
  /// What was printed on standard error without the progress that slow machines see.
  var told: String {
    errors.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !($0.first?.isNumber == true && $0.contains("/")) }.joined(separator: "\n")
  }
}

extension BatchReport {
  /// What became of each photo, by the last part of its path.
  var statuses: [String: Status] {
    Dictionary(
      entries.map { ($0.input.split(separator: "/").last.map(String.init) ?? $0.input, $0.status) }
    ) { first, _ in first }
  }
}

/// Processes that a process started.
func children(of process: pid_t) -> [pid_t] {
  guard let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") else {
    return []
  }
  return tasks.flatMap { task -> [pid_t] in
    let list = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
    return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
  }
}

/// Asks again until `condition` holds.
func waitUntil(seconds: Double = 30, _ condition: () throws -> Bool) throws -> Bool {
  for _ in 0..<Int(seconds * 100) {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}
