import ArgumentParser
import Safelight

/// The filters' flags that `live` declares itself, because they take `auto` there.
enum LiveReservedFlags: ReservedFlags {
  static let names: Set<String> = ["rotate", "straighten"]
}

/// The format in which a camera sends its pictures, as on the command line: a name, or the four-character
/// code of a mosaic or of a format that is converted.
struct LiveEncoding: ExpressibleByArgument {
  let captureEncoding: CaptureEncoding

  init?(argument: String) {
    let named: [String: CaptureEncoding] = [
      "yuyv": .raw(.yuyv422), "uyvy": .raw(.uyvy422), "nv12": .raw(.nv12), "i420": .raw(.i420),
      "mjpeg": .mjpeg, "bayer": .bayer(nil),
    ]
    guard
      let encoding = named[argument] ?? CaptureEncoding(bayer: argument)
        ?? CaptureEncoding(converting: argument)
    else { return nil }
    captureEncoding = encoding
  }

  static let allValueStrings = ["yuyv", "uyvy", "nv12", "i420", "mjpeg", "bayer"]
}

/// `--mirror`.
enum LiveMirroring: String, ExpressibleByArgument, CaseIterable {
  case auto, on, off
}

/// `--rotate`: turns the frames clockwise, after the turn that the source states.
enum LiveRotation: String, ExpressibleByArgument, CaseIterable {
  /// Only the turn that the source states.
  case auto
  case right = "90"
  case half = "180"
  case left = "270"

  /// The turn after the source's own, which every frame carries.
  var connectionRotation: Connection.Rotation {
    switch self {
    case .auto: .degrees0
    case .right: .degrees90
    case .half: .degrees180
    case .left: .degrees270
    }
  }
}

/// Parsers for options of `live` that are not enumerations.
enum LiveOptionText {
  /// In seconds: times far beyond it cannot be added to the clock's.
  private static let longestTime = 31_536_000.0

  /// Seconds: `2`, `0.5s`, `500ms`.
  static func seconds(_ text: String) throws -> Double {
    let (digits, scale) =
      text.hasSuffix("ms")
      ? (text.dropLast(2), 0.001) : text.hasSuffix("s") ? (text.dropLast(), 1) : (text[...], 1)
    guard let number = Double(digits), number.isFinite, number > 0 else {
      throw ValidationError("a positive time is needed; write it like 2, 0.5s or 500ms.")
    }
    guard number * scale <= longestTime else {
      throw ValidationError("a time of at most \(PlainNumber.text(longestTime)) s, a year, is needed.")
    }
    return number * scale
  }

  static func rate(_ text: String) throws -> Double {
    guard let rate = Double(text), (0.001...1000).contains(rate) else {
      throw ValidationError("frames per second are needed, from 0.001 to 1000; write it like 30 or 29.97.")
    }
    return rate
  }

  static func target(_ text: String) throws -> SinkSpecification {
    guard text.contains(":") || !VideoNames.isOne(text) else {
      throw ValidationError("“\(text)” is a file, not a target; write --to movie:\(text).")
    }
    do {
      return try SinkSpecification(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count > 0 else {
      throw ValidationError("a positive whole number is needed; write it like 300.")
    }
    return count
  }
}
