import Files
import FoundationEssentials
import FrameCore
import Libc
import Synchronization

/// A file for a photo that comes or goes as bytes, in a folder of its own; both are removed with it.
///
/// In `TMPDIR`, else /tmp: where that is memory, nothing reaches a disk.
final class TemporaryPhoto {
  let path: String
  private let folder: String

  /// - Parameter pathExtension: the ending of the file's name, without a dot.
  /// - Throws: `SafelightError` if no folder can be made.
  init(_ pathExtension: String) throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array((parent + "/safelight-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
      return String(cString: base)
    }
    guard let made else {
      throw SafelightError(
        .file, "Cannot make a folder in \(parent): \(errorText(errno))",
        remedy: "set TMPDIR to a folder that can be written to")
    }
    folder = made
    Self.folders.withLock { _ = $0.insert(made) }
    path = made + "/photo." + pathExtension
  }

  // With what an encoder may have left.
  deinit {
    try? FileManager.default.removeItem(atPath: folder)
    Self.folders.withLock { _ = $0.remove(folder) }
  }

  /// Those that are there.
  private static let folders = Mutex<Set<String>>([])

  /// Removes those that are there, before the process ends.
  static func removeAll() {
    for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Returns an error that names the photo as its owner does, instead of this file.
  func renamed(_ name: String, in error: SafelightError) -> SafelightError {
    SafelightError(
      error.code, error.problem.replacing(path, with: name), remedy: error.remedy.replacing(path, with: name))
  }

  var contents: [UInt8] {
    get throws { try FileContents.readRegular(path) }
  }

  /// Adds bytes at the end.
  func append(_ bytes: ArraySlice<UInt8>) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, writeAll(Array(bytes), to: file) else {
      let code = errno
      throw SafelightError(
        code == ENOSPC ? .noSpace : .file, "Cannot write \(path): \(errorText(code))",
        remedy: "set TMPDIR to a folder with more space")
    }
  }
}
