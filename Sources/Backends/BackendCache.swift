import Files
import FoundationEssentials
import FrameCore
import Synchronization
import Libc

/// What was measured of processor and GPU on this machine, kept from one run to the next.
///
/// A file that is missing, damaged or of another release counts as empty, and one that cannot be written is not: every
/// answer can be measured again.
package struct BackendCache: Sendable {
  /// What is asked of a machine: answers to another question do not hold for this one.
  struct Question: Sendable, Hashable, Codable {
    /// The processor's name, its cores, and the release that asks.
    var machine: String
    /// Of the processor's renderer.
    var threads: Int
    /// How many work on the GPU at a time, each of which has that part of it.
    var share: Int
    /// As of `PlanShape`.
    var shape: String
  }

  /// One measurement.
  struct Entry: Sendable, Hashable, Codable {
    var question: Question
    /// The GPU's name, identifier and driver.
    var gpu: String
    /// What a frame takes.
    var cpuMilliseconds: Double
    var gpuMilliseconds: Double
    /// Seconds since 1970.
    var time: Int

    /// Whether the GPU is faster by more than measurements differ.
    var prefersGPU: Bool { gpuMilliseconds < 0.9 * cpuMilliseconds }

    var isSensible: Bool {
      cpuMilliseconds.isFinite && cpuMilliseconds > 0 && gpuMilliseconds.isFinite && gpuMilliseconds > 0
    }
  }

  private struct Contents: Codable {
    var version: Int
    var entries: [Entry]
  }

  private static let version = 2
  /// More measurements are not kept; the oldest go first.
  static let capacity = 256
  /// Older ones are made again: a machine's cooling and drivers' settings change.
  static let lifetime = 60 * 86_400
  /// Larger files are not read.
  private static let mostBytes = 1 << 20

  /// nil where there is no folder for it.
  let path: String?
  /// Seconds since 1970.
  let now: @Sendable () -> Int

  package init(path: String? = Self.usualPath, now: @escaping @Sendable () -> Int = { time(nil) }) {
    (self.path, self.now) = (path, now)
  }

  /// `$XDG_CACHE_HOME/safelight/backends.json`, else below `~/.cache`.
  package static var usualPath: String? {
    func value(_ name: String) -> String? {
      // A relative path is to be ignored, the XDG Base Directory Specification says.
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let folder = value("XDG_CACHE_HOME") ?? value("HOME").map({ $0 + "/.cache" }) else { return nil }
    return folder + "/safelight/backends.json"
  }

  /// Whether there is a file to be read.
  var isThere: Bool { path.map { FileContents.kind(of: $0) == .file } ?? false }

  /// The measurements that hold still, the newest last.
  func entries() -> [Entry] {
    guard let path, let size = FileSize.ofFile(path), size <= Self.mostBytes,
      let bytes = try? FileContents.readRegular(path),
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)),
      contents.version == Self.version
    else { return [] }
    // A time of the file may be any number: nothing is computed with it.
    let now = now()
    let oldest = now - Self.lifetime
    return contents.entries.filter { $0.isSensible && $0.time <= now && $0.time >= oldest }
  }

  /// The newest answer to a question; of any GPU where none is named.
  func entry(_ question: Question, gpu: String? = nil) -> Entry? {
    entries().last { $0.question == question && (gpu == nil || $0.gpu == gpu) }
  }

  /// Keeps a measurement in place of an older one of the same.
  func add(_ entry: Entry) {
    guard let path, entry.isSensible else { return }
    var kept = entries().filter { ($0.question, $0.gpu) != (entry.question, entry.gpu) }
    kept.append(entry)
    kept.removeFirst(max(0, kept.count - Self.capacity))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // What cannot be kept is measured again.
    guard let data = try? encoder.encode(Contents(version: Self.version, entries: kept)) else { return }
    try? FileContents.makeFolders(FolderListing.parent(of: path))
    _ = try? FileContents.write([UInt8](data), to: path, overwrite: true)
  }
}

private enum FileSize {
  /// nil where it is no regular file.
  static func ofFile(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
