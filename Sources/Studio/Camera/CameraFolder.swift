import Libc
import Safelight

/// Where photos go if nobody says where.
enum CameraFolder {
  /// The folder `Safelight` in the user's folder of pictures.
  static var usual: String {
    usual(
      home: variable("HOME") ?? ".", configuration: variable("XDG_CONFIG_HOME"),
      pictures: variable("XDG_PICTURES_DIR"))
  }

  /// - Parameters:
  ///   - configuration: where `user-dirs.dirs` is; nil for `.config` in the home folder.
  ///   - pictures: the folder of pictures, if the environment names it.
  static func usual(home: String, configuration: String?, pictures: String?) -> String {
    let file = FolderListing.path(
      "user-dirs.dirs", in: configuration ?? FolderListing.path(".config", in: home))
    let named =
      pictures
      ?? (try? FileContents.read(file, .regularFile, atMost: 1 << 16)).flatMap {
        folder(in: String(decoding: $0, as: UTF8.self), home: home)
      }
    return FolderListing.path("Safelight", in: named ?? FolderListing.path("Pictures", in: home))
  }

  /// The folder that the file of xdg-user-dirs names: `XDG_PICTURES_DIR="$HOME/Bilder"`; nil if it names none.
  private static func folder(in text: String, home: String) -> String? {
    for line in text.split(separator: "\n")
    where line.hasPrefix("XDG_PICTURES_DIR=\"") && line.hasSuffix("\"") {
      let path = line.dropFirst("XDG_PICTURES_DIR=\"".count).dropLast()
      if path.hasPrefix("$HOME/") {
        return FolderListing.path(String(path.dropFirst("$HOME/".count)), in: home)
      }
      // The home folder itself means that there is none.
      if path.hasPrefix("/") { return String(path) }
    }
    return nil
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
