import FrameCore
import Libc

/// Where the program `safelight-vision` is.
///
/// Its libraries are in a program of their own, because they read strangers' pictures and would make every start of a
/// program slower that is linked to them.
public enum VisionProgram {
  public static let name = "safelight-vision"

  /// Finds the program beside the running one, then on `PATH`.
  ///
  /// - Throws: `SafelightError(.missingLibrary)` if it is in neither place.
  public static func find() throws -> String {
    try find(beside: ownFolder, path: getenv("PATH").map { String(cString: $0) } ?? "")
  }

  /// - Parameters:
  ///   - folder: the running program's; nil if it is not known.
  ///   - path: folders with colons between them, as in `PATH`.
  static func find(beside folder: String?, path: String) throws -> String {
    // An empty entry would be the working folder, which may be a stranger's.
    let folders = [folder].compactMap(\.self) + path.split(separator: ":").map(String.init)
    for folder in folders where folder.hasPrefix("/") {
      let candidate = folder + "/" + name
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw SafelightError(
      .missingLibrary,
      "There is no program \(name) beside this one or on PATH, which finds codes, faces and text",
      remedy: "install its package, \(name), or build it with make vision, which needs the packages "
        + "libzxing-dev, libopencv-objdetect-dev, libopencv-imgproc-dev and libtesseract-dev of Debian")
  }

  private static var ownFolder: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
