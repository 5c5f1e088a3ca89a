/// What `safelight-vision` can look for.
public enum VisionAbility: UInt8, Sendable, Hashable, Codable, CaseIterable {
  /// Bar codes and two-dimensional codes, by zxing-cpp.
  case codes = 1
  /// Faces, by OpenCV.
  case faces = 2
  /// Lines of text, by Tesseract.
  case text = 3

  /// The name in lists, options and reports.
  public var name: String {
    switch self {
    case .codes: "codes"
    case .faces: "faces"
    case .text: "text"
    }
  }

  /// The library that does it.
  var library: String {
    switch self {
    case .codes: "zxing-cpp"
    case .faces: "OpenCV"
    case .text: "Tesseract"
    }
  }

  /// The packages of Debian that the program needs to be built with it.
  var debianPackages: String {
    switch self {
    case .codes: "libzxing-dev"
    case .faces: "libopencv-objdetect-dev and libopencv-imgproc-dev"
    case .text: "libtesseract-dev"
    }
  }

  /// The ability whose library has a file of this name: `libZXing.so.2`.
  static func ofLibrary(named file: String) -> VisionAbility? {
    if file.hasPrefix("libZXing") { return .codes }
    if file.hasPrefix("libopencv") { return .faces }
    return file.hasPrefix("libtesseract") || file.hasPrefix("liblept") ? .text : nil
  }
}
