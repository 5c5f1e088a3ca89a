import Safelight

/// Human-readable file sizes.
enum ByteText {
  /// `3.2 MB`, `812 kB`, `96 bytes`
  static func text(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<999_500: "\(PlainNumber.fixed(Double(bytes) / 1e3, bytes < 9950 ? 1 : 0)) kB"
    case ..<999_500_000: "\(PlainNumber.fixed(Double(bytes) / 1e6, bytes < 99_500_000 ? 1 : 0)) MB"
    default: "\(PlainNumber.fixed(Double(bytes) / 1e9, 1)) GB"
    }
  }
}
