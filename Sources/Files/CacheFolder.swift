import Libc

/// The folder for data of Safelight that can be made again.
package enum CacheFolder {
  /// The permissions that the specification gives to folders created for it.
  package static let permissions: mode_t = 0o700

  /// `$XDG_CACHE_HOME/safelight`, else `~/.cache/safelight`; nil if neither variable holds an absolute path.
  ///
  /// Source: XDG Base Directory Specification 0.8, which requires relative paths to be ignored.
  package static var path: String? {
    func folder(_ variable: String) -> String? {
      getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (folder("XDG_CACHE_HOME") ?? folder("HOME").map { $0 + "/.cache" }).map { $0 + "/safelight" }
  }
}
