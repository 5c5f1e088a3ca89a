import FoundationEssentials
import FrameCore
import Synchronization
import Libc

/// Files that are read once: later reads return the same bytes even if the file has changed. So inputs that can be
/// read only once, such as pipes, may be named, and processes that receive the snapshot work with the same files.
public final class FileSnapshot: Sendable {
  private struct Entry: Codable {
    var path: String
    var bytes: Int
  }

  private let files: Mutex<[String: [UInt8]]>
  private let waiting: (@Sendable (String) -> Void)?
  /// Whether files that are not in the snapshot are errors.
  private let isClosed: Bool

  /// - Parameter waiting: called with a sentence if a named pipe is silent, as in `FileContents.read`.
  public init(waiting: (@Sendable (String) -> Void)? = nil) {
    files = Mutex([:])
    self.waiting = waiting
    isClosed = false
  }

  /// The paths read so far.
  package var paths: [String] { files.withLock { $0.keys.sorted() } }

  /// - Parameter path: of a file written by `spool`.
  /// - Throws: `SafelightError` if it cannot be read or is not a snapshot.
  package convenience init(contentsOf path: String) throws {
    try self.init(archive: FileContents.read(path, .regularFile, atMost: .max - 1), named: path)
  }

  /// - Parameters:
  ///   - content: as returned by `archive`.
  ///   - path: its name, for errors.
  ///   - isClosed: whether reading a file that is not in it is an error, rather than reading it from the disk.
  /// - Throws: `SafelightError` if it is not a snapshot.
  package init(archive content: [UInt8], named path: String, isClosed: Bool = false) throws {
    var files: [String: [UInt8]] = [:]
    do {
      let end = content.firstIndex(of: 10) ?? content.endIndex
      var start = end + 1
      for entry in try JSONDecoder().decode([Entry].self, from: Data(content[..<end])) {
        guard entry.bytes >= 0, entry.bytes <= content.count - start else { throw Self.damage(path) }
        files[entry.path] = Array(content[start..<start + entry.bytes])
        start += entry.bytes
      }
    } catch is DecodingError {
      throw Self.damage(path)
    }
    self.files = Mutex(files)
    waiting = nil
    self.isClosed = isClosed
  }

  private static func damage(_ path: String) -> SafelightError {
    SafelightError(.corruptData, "\(path) is not a snapshot of files")
  }

  /// As `FileContents.read`.
  public func read(_ path: String) throws -> [UInt8] { try read(path, atMost: FileContents.limit) }

  /// - Parameter limit: the largest size in bytes, in whole MiB.
  package func read(_ path: String, atMost limit: Int) throws -> [UInt8] {
    try read(path) { try FileContents.read($0, .fileOrPipe, atMost: limit, waiting: waiting) }
  }

  /// Returns the size of a file in bytes, if known without reading it.
  package func size(of path: String) -> Int? {
    files.withLock { $0[path]?.count } ?? (isClosed ? nil : FileContents.size(of: path))
  }

  /// As `FileContents.readRegular`.
  package func readRegular(_ path: String) throws -> [UInt8] { try read(path, FileContents.readRegular) }

  private func read(_ path: String, _ load: (String) throws -> [UInt8]) throws -> [UInt8] {
    try files.withLock { files in
      if let known = files[path] { return known }
      guard !isClosed else {
        throw SafelightError(
          .file, "Cannot read \(path): its contents were not kept", remedy: "give the file again")
      }
      let bytes = try load(path)
      files[path] = bytes
      return bytes
    }
  }

  /// A nameless file that exists as long as this object.
  package final class Spool: Sendable {
    private let descriptor: Int32
    /// The path by which this process and its children open it.
    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Writes everything read so far into a file for other processes.
  ///
  /// - Returns: the file; nil if nothing was read.
  /// - Throws: `SafelightError` if it cannot be written to the folder for temporary files.
  package func spool() throws -> Spool? {
    guard let archive = try archive() else { return nil }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array(FolderListing.path("safelight-XXXXXX", in: folder).utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Self.failure(errno, in: folder) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    let spool = Spool(descriptor)
    guard writeAll(archive, to: descriptor) else { throw Self.failure(errno, in: folder) }
    return spool
  }

  /// Everything read so far as one text: a line of JSON with names and lengths, then the contents; nil if nothing was
  /// read.
  package func archive() throws -> [UInt8]? {
    let files = files.withLock { $0 }.sorted { $0.key < $1.key }
    guard !files.isEmpty else { return nil }
    var bytes = [UInt8](try JSONEncoder().encode(files.map { Entry(path: $0.key, bytes: $0.value.count) }))
    bytes.append(10)
    for file in files { bytes += file.value }
    return bytes
  }

  private static func failure(_ code: Int32, in folder: String) -> SafelightError {
    SafelightError(
      code == ENOSPC || code == EDQUOT ? .noSpace : .file,
      "Cannot write a temporary file in \(folder): \(errorText(code))",
      remedy: "set TMPDIR to a folder with space")
  }
}
