import TestSupport
import Testing

import Safelight

extension Trait where Self == ConditionTrait {
  /// Skips what needs every format where this system's libraries lack encoders.
  package static var everyFormatIsWritable: Self {
    let missing = PhotoFileFormat.allCases.filter { !$0.isWritable }.map(\.name).joined(separator: ", ")
    return .enabled(if: missing.isEmpty, "this system's libraries do not encode \(missing)")
  }

  /// Skips what needs LibRaw where it is not installed.
  package static var libRawIsInstalled: Self { .enabled(if: LibRaw.isInstalled, "LibRaw is not installed") }
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs Lensfun and its profiles where they are not installed.
  package static var lensfunIsInstalled: Self {
    .enabled(
      if: (try? LensDatabase.installed) != nil, "liblensfun1 or liblensfun-data-v1 is not installed")
  }
}

private enum LibRaw {
  static let isInstalled: Bool = {
    do {
      let scratch = try Scratch()
      try scratch.write(DNGFile(width: 16, height: 16) { _, _, _ in 0.5 }.bytes, to: "a.dng")
      _ = try PhotoHeader.read(scratch("a.dng"))
    } catch {
      return !"\(error)".contains("LibRaw cannot be loaded")
    }
    return true
  }()
}
