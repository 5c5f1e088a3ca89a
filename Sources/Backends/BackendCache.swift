import Files
import FoundationEssentials
import FrameCore
import Synchronization
import Libc

/// Measurements of processor and GPU on this machine, kept between runs.
///
/// A file that is missing, damaged or from another release counts as empty, and failure to write it is ignored:
/// every answer can be measured again.
package struct BackendCache: Sendable {
  /// The circumstances that an answer depends on.
  struct Question: Sendable, Hashable, Codable {
    /// The processor's name, its cores, and the Safelight release.
    var machine: String
    /// The number of threads of the CPU renderer.
    var threads: Int
    /// The number of jobs sharing the GPU, each with an equal share.
    var share: Int
    /// The description of a `PlanShape`.
    var shape: String
  }

  /// One measurement.
  struct Entry: Sendable, Hashable, Codable {
    var question: Question
    /// The GPU's name, identifier and driver.
    var gpu: String
    /// The time per frame.
    var cpuMilliseconds: Double
    var gpuMilliseconds: Double
    /// Seconds since 1970.
    var time: Int

    /// Whether the GPU is faster by more than the measurement error.
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
  /// The most measurements kept; the oldest are dropped first.
  static let capacity = 256
  /// The age in seconds after which measurements are repeated: a machine's cooling and driver settings change.
  static let lifetime = 60 * 86_400
  /// The longest wait for another process that is storing a measurement, in seconds.
  private static let patience = 2.0
  /// Larger files are not read.
  private static let mostBytes = 1 << 20

  /// Nil if there is no folder for it.
  let path: String?
  /// Seconds since 1970.
  let now: @Sendable () -> Int

  package init(path: String? = Self.usualPath, now: @escaping @Sendable () -> Int = { time(nil) }) {
    (self.path, self.now) = (path, now)
  }

  /// `backends.json` in the user's cache folder.
  package static var usualPath: String? { CacheFolder.path.map { $0 + "/backends.json" } }

  /// Whether the file exists.
  var isThere: Bool { path.map { FileContents.kind(of: $0) == .file } ?? false }

  /// Returns the measurements that are still valid, the newest last.
  func entries() -> [Entry] {
    guard let path, let size = FileSize.ofFile(path), size <= Self.mostBytes,
      let bytes = try? FileContents.readRegular(path),
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)),
      contents.version == Self.version
    else { return [] }
    // A time in the file may be any number, so avoid arithmetic on it.
    let now = now()
    let oldest = now - Self.lifetime
    return contents.entries.filter { $0.isSensible && $0.time <= now && $0.time >= oldest }
  }

  /// Returns the newest answer to a question, for any GPU if none is named.
  func entry(_ question: Question, gpu: String? = nil) -> Entry? {
    entries().last { $0.question == question && (gpu == nil || $0.gpu == gpu) }
  }

  /// Stores a measurement, replacing an older one of the same question and GPU.
  ///
  /// The folder is locked meanwhile, so that measurements of several processes are all kept.
  func add(_ entry: Entry) {
    guard let path, entry.isSensible else { return }
    let folder = FolderListing.parent(of: path)
    try? Folder.makeWithParents(folder, permissions: CacheFolder.permissions)
    // Without a lock, as on NFS, a measurement may be lost; it is measured again. So is one that must not wait.
    guard let lock = try? Optional(FileLock(folder, until: .now.advanced(bySeconds: Self.patience))) else {
      return
    }
    defer { withExtendedLifetime(lock) {} }
    var kept = entries().filter { ($0.question, $0.gpu) != (entry.question, entry.gpu) }
    kept.append(entry)
    kept.removeFirst(max(0, kept.count - Self.capacity))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // What cannot be stored is measured again.
    guard let data = try? encoder.encode(Contents(version: Self.version, entries: kept)) else { return }
    _ = try? FileContents.write([UInt8](data), to: path, overwrite: true)
  }
}

private enum FileSize {
  /// Returns nil unless the path is a regular file.
  static func ofFile(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
