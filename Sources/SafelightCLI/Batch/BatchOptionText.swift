import ArgumentParser
import Safelight

extension BatchConflict: ExpressibleByArgument {}

/// Parsers for options of `batch` that are not enumerations.
enum BatchOptionText {
  static func template(_ text: String) throws -> NameTemplate {
    if let dot = text.lastIndex(of: "."),
      let format = PhotoFileFormat(pathExtension: String(text[text.index(after: dot)...]))
    {
      throw ValidationError(
        "“\(text)” ends in .\(text[text.index(after: dot)...]), but results get the extension of their format; leave it out, and give --format \(format.rawValue) for \(format.name)."
      )
    }
    do {
      return try NameTemplate(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  static func shard(_ text: String) throws -> BatchShard {
    do {
      return try BatchShard(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  /// Bytes: `2GB`, `800MB`, `512MiB`, `1000000`.
  static func bytes(_ text: String) throws -> Int {
    let units: [(String, Double)] = [
      ("KIB", 1024), ("MIB", 1_048_576), ("GIB", 1_073_741_824), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9),
      ("K", 1e3), ("M", 1e6), ("G", 1e9), ("B", 1), ("", 1),
    ]
    let upper = text.uppercased()
    guard let (suffix, scale) = units.first(where: { upper.hasSuffix($0.0) }),
      let number = Double(upper.dropLast(suffix.count)), number > 0, number * scale < 1e15
    else { throw ValidationError("a size is needed; write it like 2GB or 800MB.") }
    return Int(number * scale)
  }
}
