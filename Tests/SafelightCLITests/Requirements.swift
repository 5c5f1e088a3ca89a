import Safelight
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips what needs every format where this system's libraries lack encoders.
  static var everyFormatIsWritable: Self {
    let missing = PhotoFileFormat.allCases.filter { !$0.isWritable }.map(\.name).joined(separator: ", ")
    return .enabled(if: missing.isEmpty, "this system's libraries do not encode \(missing)")
  }
}
