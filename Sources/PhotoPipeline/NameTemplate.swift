import FilterGraph
import FrameCore
import PhotoIO
import Libc

/// The name template of written photos: text with fields in braces, such as `{stem}-{preset}{ext}`.
///
/// | field | stands for |
/// |---|---|
/// | `{stem}` | the original's name without its extension |
/// | `{ext}` | the extension of the written format, including the dot; appended if it is missing |
/// | `{preset}` | the name of the preset or recipe, `edited` if there is none |
/// | `{index}`, `{index:04}` | the photo's number in its run, from 1, zero-padded to a width |
/// | `{date}`, `{date:%Y-%m-%d}` | when the photo was taken, in the format of strftime(3); `undated` if it is unknown |
/// | `{camera}` | the camera's model, `camera` if it is unknown |
/// | `{width}`, `{height}` | the size of the result, in pixels |
///
/// `{{` and `}}` stand for braces. A slash makes a folder, also in a date format. Text from a photo never does:
/// its slashes and control characters become hyphens, leading characters that would hide the file are removed, and
/// long text is truncated.
public struct NameTemplate: Sendable, Hashable {
  /// The values of the fields.
  package struct Values: Sendable {
    /// Used as it is, since the name of an existing file holds neither slashes nor NUL: a result is to be recognized by
    /// the name of its original.
    package var stem: String
    /// The extension, including the dot.
    package var pathExtension: String
    package var preset: String?
    /// The number of the photo, from 1.
    package var index: Int
    package var date: CaptureFacts.Date?
    package var camera: String?
    package var size: PixelSize?

    package init(
      stem: String, pathExtension: String, preset: String? = nil, index: Int = 1,
      date: CaptureFacts.Date? = nil, camera: String? = nil, size: PixelSize? = nil
    ) {
      (self.stem, self.pathExtension, self.preset, self.index) = (stem, pathExtension, preset, index)
      (self.date, self.camera, self.size) = (date, camera, size)
    }
  }

  private enum Field: Hashable {
    case stem, pathExtension, preset, camera, width, height
    case index(digits: Int)
    case date(format: String)
  }

  private enum Part: Hashable {
    case text(String)
    case field(Field)
  }

  /// The longest file name in bytes on Linux file systems (NAME_MAX).
  private static let longestName = 255
  private static let fieldNames = ["stem", "ext", "preset", "index", "date", "camera", "width", "height"]

  public let text: String
  private let parts: [Part]

  /// - Throws: `SafelightError(.invalidValue)` for an unknown field, an unmatched brace, or a name that leads out
  ///   of the output folder.
  public init(_ text: String) throws {
    var parser = Parser(text)
    var parts = try parser.parts()
    if !parts.contains(.field(.pathExtension)) { parts.append(.field(.pathExtension)) }
    self.text = text
    self.parts = parts
    // Detects folders that lead out before the first photo is read.
    _ = try name(Values(stem: "a", pathExtension: ".jpg"))
  }

  /// Whether names depend on the photo's metadata.
  package var needsMetadata: Bool {
    parts.contains {
      switch $0 {
      case .field(.date), .field(.camera): true
      default: false
      }
    }
  }

  /// Whether names depend on the preset.
  package var needsPreset: Bool { parts.contains(.field(.preset)) }

  /// Whether names have the number of the photo in them.
  package var needsIndex: Bool { parts.contains { if case .field(.index) = $0 { true } else { false } } }

  /// Whether names depend on the size of the result.
  package var needsSize: Bool { parts.contains(.field(.width)) || parts.contains(.field(.height)) }

  /// The parts of names before and after their number, which names of one series share; nil if they have none.
  package func aroundIndex(_ values: Values) -> (before: String, after: String)? {
    var around: [String] = [""]
    for part in parts {
      switch part {
      case .text(let text): around[around.count - 1] += text
      case .field(.index) where around.count == 1: around.append("")
      case .field(let field): around[around.count - 1] += Self.text(of: field, values)
      }
    }
    return around.count == 2 ? (around[0], around[1]) : nil
  }

  /// Returns the name, relative to the output folder.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if a component is empty, too long or leads out of the folder.
  package func name(_ values: Values) throws -> String {
    var name = ""
    for part in parts {
      switch part {
      case .text(let text): name += text
      case .field(let field): name += Self.text(of: field, values)
      }
    }
    for component in name.split(separator: "/", omittingEmptySubsequences: false) {
      guard !component.isEmpty, component != ".", component != "..", !component.utf8.contains(0) else {
        throw SafelightError(
          .invalidValue, "The name “\(name)” made from “\(text)” does not stay below the output folder",
          remedy: "leave out “.”, “..” and slashes at the ends")
      }
      guard component.utf8.count <= Self.longestName else {
        throw SafelightError(
          .invalidValue,
          "The name “\(component.prefix(40))…” made from “\(text)” has \(component.utf8.count) bytes; "
            + "files may have \(Self.longestName)",
          remedy: "use a shorter template")
      }
    }
    return name
  }

  private static func text(of field: Field, _ values: Values) -> String {
    switch field {
    case .stem: values.stem
    case .pathExtension: values.pathExtension
    case .preset: harmless(values.preset ?? "", or: "edited")
    case .camera: harmless(values.camera ?? "", or: "camera")
    case .width: values.size.map { "\($0.width)" } ?? "0"
    case .height: values.size.map { "\($0.height)" } ?? "0"
    case .index(let digits): padded(values.index, digits)
    case .date(let format): values.date.map { Self.text(of: $0, format) } ?? "undated"
    }
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The maximum bytes of external text in a name, which leaves room for the rest.
  private static let longestText = 64

  /// Makes external text safe as a part of a name: it creates no folder, hides no file, cannot be taken for a
  /// flag, contains no terminal escapes, and is short enough.
  ///
  /// - Returns: `fallback` if nothing is left.
  private static func harmless(_ text: String, or fallback: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      // These include characters that change the writing direction.
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: "-"
      default: scalar == "/" || scalar == "\\" || scalar == "\u{FFFD}" ? "-" : scalar
      }
    }
    var safe = Substring(String(String.UnicodeScalarView(scalars)))
    while safe.utf8.count > longestText { safe.removeLast() }
    safe = safe.drop { $0 == "." || $0 == "-" || $0.isWhitespace }
    while let last = safe.last, last == "." || last.isWhitespace { safe.removeLast() }
    return safe.isEmpty ? fallback : String(safe)
  }

  private static func text(of date: CaptureFacts.Date, _ format: String) -> String {
    var time = tm()
    time.tm_year = Int32(date.year - 1900)
    time.tm_mon = Int32(date.month - 1)
    time.tm_mday = Int32(date.day)
    time.tm_hour = Int32(date.hour)
    time.tm_min = Int32(date.minute)
    time.tm_sec = Int32(date.second)
    // Sets the days of the week and of the year; the time has no zone, so it is treated as UTC.
    _ = timegm(&time)
    var buffer = [CChar](repeating: 0, count: longestName + 1)
    let count = strftime(&buffer, buffer.count, format, &time)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Parsing

  private struct Parser {
    private let text: String
    private var rest: Substring

    init(_ text: String) {
      self.text = text
      rest = text[...]
    }

    mutating func parts() throws -> [Part] {
      var parts: [Part] = []
      var plain = ""
      while let character = rest.popFirst() {
        switch character {
        case "{" where rest.first == "{", "}" where rest.first == "}":
          plain.append(character)
          rest.removeFirst()
        case "{":
          if !plain.isEmpty { parts.append(.text(plain)) }
          plain = ""
          parts.append(.field(try field()))
        case "}":
          throw SafelightError(
            .invalidValue, "The name template “\(text)” has a } without its {", remedy: "write }} for a brace"
          )
        default: plain.append(character)
        }
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      return parts
    }

    private mutating func field() throws -> Field {
      guard let end = rest.firstIndex(of: "}") else {
        throw SafelightError(
          .invalidValue, "The name template “\(text)” has a { without its }", remedy: "write {{ for a brace")
      }
      let content = rest[..<end]
      rest = rest[rest.index(after: end)...]
      let halves = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(halves[0])
      let option = halves.count > 1 ? String(halves[1]) : nil
      switch (name, option) {
      case ("stem", nil): return .stem
      case ("ext", nil): return .pathExtension
      case ("preset", nil): return .preset
      case ("camera", nil): return .camera
      case ("width", nil): return .width
      case ("height", nil): return .height
      case ("index", nil): return .index(digits: 1)
      case ("index", let option?):
        guard let digits = Int(option), (1...18).contains(digits) else {
          throw SafelightError(
            .invalidValue, "“{\(content)}” does not say how many digits, of at most 18",
            remedy: "write it like {index:04}")
        }
        return .index(digits: digits)
      case ("date", let option):
        let format = option ?? "%Y-%m-%d"
        guard !format.isEmpty else {
          throw SafelightError(
            .invalidValue, "“{\(content)}” does not say how to write the date",
            remedy: "write it like {date:%Y-%m-%d}")
        }
        return .date(format: format)
      case (_, .some) where NameTemplate.fieldNames.contains(name):
        throw SafelightError(.invalidValue, "“{\(content)}” takes no option", remedy: "write {\(name)}")
      default:
        throw NearestName.error(unknown: "field of names", name, among: NameTemplate.fieldNames)
      }
    }
  }
}
