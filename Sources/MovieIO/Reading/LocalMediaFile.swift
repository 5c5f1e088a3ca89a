import Files
import FrameCore
import Libc

/// A regular file with media, open for reading.
final class LocalMediaFile {
  let path: String
  private let file: Descriptor
  var descriptor: Int32 { file.number }

  /// - Throws: `SafelightError` if the file does not exist, is not a regular file, is empty, or may not be
  ///   read.
  init(path: String) throws {
    func failure(
      _ problem: String, remedy: String, code: SafelightError.Code = .file
    ) -> SafelightError {
      SafelightError(code, "Cannot read \(path): \(problem)", remedy: remedy)
    }
    // O_NONBLOCK: opening a pipe without a writer would block forever.
    let opened = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard opened >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw failure("there is no such file", remedy: "check the spelling")
      case EACCES, EPERM: throw failure("permission is denied", remedy: "change the file's permissions")
      default: throw failure(errorText(errno), remedy: "check the path and the disk")
      }
    }
    self.path = path
    file = Descriptor(opened)
    var status = stat()
    guard fstat(opened, &status) == 0 else {
      throw failure(errorText(errno), remedy: "check the path and the disk")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a folder", remedy: "name a file with sound in it")
    default: throw failure("it is not a regular file", remedy: "save the data to a file first")
    }
    guard status.st_size > 0 else {
      throw failure("the file is empty", remedy: "copy it again from its source", code: .corruptData)
    }
  }
}
