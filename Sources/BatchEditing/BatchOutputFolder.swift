import Files
import FrameCore
import Libc

/// The output folder, checked for conditions that would make every photo fail.
struct BatchOutputFolder: Sendable {
  private let path: String
  private let identity: FileIdentity

  /// - Parameter path: the path of an existing folder.
  init(_ path: String) throws {
    guard let identity = FileIdentity(path.isEmpty ? "." : path), identity.isFolder else {
      throw SafelightError(.file, "The output folder \(path) is gone", remedy: "run the batch again")
    }
    self.path = path.isEmpty ? "." : path
    self.identity = identity
  }

  /// Returns why nothing can be written here any more; nil if it can.
  func problem() -> SafelightError? {
    guard FileIdentity(path) == identity else {
      return SafelightError(
        .file, "The output folder \(path) is gone", remedy: "restore it and continue with --resume")
    }
    guard access(path, W_OK) != 0 else { return nil }
    return errno == EROFS
      ? SafelightError(
        .file, "The file system of the output folder \(path) is read-only now",
        remedy: "mount it for writing and continue with --resume")
      : SafelightError(
        .file, "The output folder \(path) is not writable",
        remedy: "change its permissions and continue with --resume")
  }

  /// Returns the cause of a photo's error if it affects all photos, else nil.
  func problem(behind error: SafelightError) -> SafelightError? {
    switch error.code {
    case .noSpace:
      SafelightError(
        .noSpace, "\(error.problem)", remedy: "free some space and continue with --resume")
    case .file: problem()
    default: nil
    }
  }
}
