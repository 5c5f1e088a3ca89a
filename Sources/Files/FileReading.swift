import FrameCore
import Libc

extension FileContents {
  /// Larger files are rejected: a 256³ table takes about 450 MB as text.
  package static let limit = 512 << 20

  /// The name for standard input, which is read from its current position, not reopened.
  public static let standardInput = "/dev/stdin"

  /// The kinds of object that may be read under a name.
  package enum Source: Sendable {
    /// Only regular files. For names found in files, whose author may be malicious: a pipe would block its reader.
    case regularFile
    /// Also pipes, such as a shell's `<(…)`: for names given by a person.
    case fileOrPipe
    /// Also a terminal: for standard input.
    case anything
  }

  /// Reads a file or a pipe.
  ///
  /// - Parameters:
  ///   - path: of a file or a pipe, or `standardInput`.
  ///   - waiting: called once with a sentence if a pipe is silent for two seconds; the pipe is then waited for
  ///     indefinitely. Without it a pipe that is silent for `longestSilence` seconds is an error.
  /// - Throws: `SafelightError(.file)` that says why the file cannot be read, `.tooLarge` beyond 512 MiB.
  public static func read(_ path: String, waiting: ((String) -> Void)? = nil) throws -> [UInt8] {
    try read(path, .fileOrPipe, atMost: limit, waiting: waiting)
  }

  /// Reads a file named by another file, which must be a regular file.
  package static func readRegular(_ path: String) throws -> [UInt8] {
    try read(path, .regularFile, atMost: limit)
  }

  /// Reads all of standard input, such as a list of names, at most 64 MiB.
  package static func readStandardInput() throws -> [UInt8] {
    try read(standardInput, .anything, atMost: 64 << 20)
  }

  /// The seconds to wait for a silent pipe if the caller does not report waiting.
  static let longestSilence = 30.0

  /// - Parameter limit: the largest size in bytes, in whole MiB.
  package static func read(
    _ path: String, _ source: Source, atMost limit: Int, waiting: ((String) -> Void)? = nil
  ) throws -> [UInt8] {
    func failure(_ remedy: String) -> SafelightError {
      SafelightError(.file, "Cannot read \(path): \(errorText(errno))", remedy: remedy)
    }
    func tooLarge() -> SafelightError {
      SafelightError(
        .tooLarge, "Cannot read \(path): it is larger than \(limit >> 20) MiB", remedy: "give a smaller file")
    }
    // Standard input is not reopened: sockets and objects of other users cannot be, and a file would restart at
    // its beginning. Opening a pipe would silently wait for its writer.
    let descriptor =
      path == standardInput
      ? dup(0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (source == .anything ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw SafelightError(
          .file, "Cannot read \(path): there is no such file", remedy: "check the spelling")
      case EACCES, EPERM:
        throw SafelightError(
          .file, "Cannot read \(path): permission is denied", remedy: "change the file's permissions")
      default: throw failure("check the path")
      }
    }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("check the path") }
    let kind = status.st_mode & S_IFMT
    try check(path, kind, source)
    let isPipe = source == .fileOrPipe && (kind == S_IFIFO || kind == S_IFSOCK)
    guard status.st_size <= limit else { throw tooLarge() }
    var patience = PipePatience(path, waiting)
    var bytes: [UInt8] = []
    // A file may grow, and the size that the system reports may be wrong, as in /proc.
    var chunk = [UInt8](repeating: 0, count: min(max(65_536, Int(status.st_size) + 1), limit + 1))
    while true {
      if isPipe { try patience.wait(for: descriptor) }
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        // The creator of standard input may have made it non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, 200)
        continue
      }
      guard count >= 0 else { throw failure("check the disk") }
      if count == 0 { return bytes }
      patience.somethingCame()
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw tooLarge() }
    }
  }

  private static func check(_ path: String, _ kind: mode_t, _ source: Source) throws {
    guard kind != S_IFDIR else {
      throw SafelightError(.file, "Cannot read \(path): it is a folder", remedy: "name a file in it")
    }
    guard kind != S_IFREG, source != .anything else { return }
    guard source == .fileOrPipe else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a regular file", remedy: "name a regular file")
    }
    // Only standard input can be a socket, because open(2) rejects them.
    guard kind == S_IFIFO || kind == S_IFSOCK else {
      throw SafelightError(.file, "Cannot read \(path): it is a device", remedy: "name a file")
    }
  }
}

/// Waits for data from a pipe, and reports it if the first data take long.
private struct PipePatience {
  private let path: String
  private var tell: ((String) -> Void)?
  private let isTold: Bool
  private var silentSince = Timestamp.now

  init(_ path: String, _ tell: ((String) -> Void)?) {
    (self.path, self.tell, isTold) = (path, tell, tell != nil)
  }

  /// Stops reporting: a writer that has begun will continue.
  mutating func somethingCame() { tell = nil }

  /// Returns when there is data to read, or the end.
  mutating func wait(for descriptor: Int32) throws {
    silentSince = .now
    while true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A pipe never written to is not at its end: poll(2) waits for its first writer, read(2) would not.
      if poll(&request, 1, 200) > 0 { return }
      let silence = Timestamp.now.seconds(since: silentSince)
      if silence >= 2, let tell {
        tell(
          path == FileContents.standardInput
            ? "Waiting for data from standard input" : "Waiting for data from the pipe \(path)")
        self.tell = nil
      }
      guard isTold || silence < FileContents.longestSilence else {
        throw SafelightError(
          .file, "Cannot read \(path): it is a pipe, and nothing came from it for \(Int(silence)) s",
          remedy: "write to it, or name a file")
      }
    }
  }
}

/// Calls read(2), which a method named `read` hides above.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
