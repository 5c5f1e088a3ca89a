import Libc
import Safelight

/// A file that leads a browser to an address with a secret.
///
/// Command lines can be read by everybody on a machine, so that the browser gets the name of a file that only its user
/// can read.
struct BrowserLink {
  private let path: String

  /// - Throws: `SafelightError(.file)` if the file cannot be written.
  init(to address: String) throws {
    func folder(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
    let folder = folder("XDG_RUNTIME_DIR") ?? folder("TMPDIR") ?? "/tmp"
    var name = Array((folder + "/safelight-studio-XXXXXX.html").utf8CString)
    // Made for its owner alone: 0600.
    let file = mkstemps(&name, 5)
    guard file >= 0 else {
      throw SafelightError(
        .file, "Cannot make a file in \(folder): \(errorText(errno))", remedy: "leave out --open")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The address has no character that HTML would take for markup.
    let page =
      "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\"><title>Safelight</title>\n"
    let written = Array(page.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    guard written == page.utf8.count else {
      unlink(path)
      throw SafelightError(
        .file, "Cannot write \(path): \(errorText(errno))", remedy: "leave out --open")
    }
  }

  /// Opens the browser; returns whether there is one.
  func open() -> Bool {
    var process = pid_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // What a browser prints is not the studio's output.
    for stream: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The studio's signals are blocked; a browser must not inherit that, nor its Ctrl-C.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(path), nil]
    defer { words.forEach { free($0) } }
    guard posix_spawnp(&process, "xdg-open", &actions, &attributes, &words, environ) == 0 else {
      return false
    }
    var status: Int32 = 0
    return waitpid(process, &status, 0) == process && status == 0
  }

  func remove() { unlink(path) }
}
