import LibraryTestSupport
import Libc

/// Runs the program as somebody whom file permissions bind: root is not.
enum Unprivileged {
  private static let prefix =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  /// Whether that is possible here: where the tests run as root, setpriv must work and others must be allowed to
  /// read the build's folder.
  static let isPossible = Program.succeeds("\(prefix)\"$SAFELIGHT\" --version")

  /// - Parameter arguments: a part of a line of `sh`.
  static func run(_ arguments: String, in folder: Scratch) throws -> Program.Outcome {
    try Program.shell("exec \(prefix)\"$SAFELIGHT\" \(arguments)", in: folder)
  }
}
