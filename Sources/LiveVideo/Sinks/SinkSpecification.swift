import FilterGraph
import FrameCore
import PhotoIO

/// A destination of live pictures, as written on the command line.
///
/// | text | means |
/// |---|---|
/// | `preview` | drawn into the terminal |
/// | `virtual:/dev/videoN` | a V4L2 output device, such as v4l2loopback's |
/// | `stdout`, `stdout:y4m` | YUV4MPEG2 to standard output |
/// | `stdout:rgb` | packed rgb24 to standard output, without headers |
/// | `stream:PORT`, `stream:HOST:PORT` | MJPEG over HTTP, on 127.0.0.1 if no host is given; port 0 picks one |
/// | `frames:DIR`, `frames:png:DIR` | numbered JPEG or PNG files in a folder |
/// | `movie:FILE` | a movie: `.mp4`, `.mov` or `.mkv` |
/// | `null` | nowhere |
public enum SinkSpecification: Sendable, Hashable, CustomStringConvertible {
  case preview
  case virtualCamera(device: String)
  case standardOutput(RawVideoEncoding)
  case stream(host: String, port: UInt16)
  case frames(folder: String, format: PhotoFileFormat)
  case movie(path: String)
  case null

  /// The host of a stream that names none: accessible from this machine only.
  public static let loopback = "127.0.0.1"

  /// - Throws: `SafelightError(.invalidValue)`, which suggests the nearest target if the text names none.
  public init(_ text: String) throws {
    let (kind, rest) = Self.split(text)
    switch (kind, rest) {
    case ("preview", nil): self = .preview
    case ("null", nil): self = .null
    case ("virtual", let device?): self = try Self.virtualCamera(device, text)
    case ("stdout", nil): self = .standardOutput(.y4m)
    case ("stdout", let encoding?):
      guard let encoding = RawVideoEncoding(rawValue: encoding) else {
        throw NearestName.error(
          unknown: "encoding of stdout", encoding, among: RawVideoEncoding.allCases.map(\.rawValue))
      }
      self = .standardOutput(encoding)
    case ("stream", let text?):
      let address = try ListeningAddress(text, scheme: "stream", subject: "The target")
      self = .stream(host: address.host, port: address.port)
    case ("frames", let folder?): self = try Self.frames(folder, text)
    case ("movie", let path?): self = .movie(path: path)
    case ("preview", .some), ("null", .some):
      throw SafelightError(
        .invalidValue, "The target “\(kind)” takes nothing after it, but “\(text)” was given",
        remedy: "write \(kind)")
    case ("virtual", nil), ("stream", nil), ("frames", nil), ("movie", nil):
      throw SafelightError(
        .invalidValue, "The target “\(kind)” names no destination", remedy: "write \(Self.example(of: kind))"
      )
    default:
      if text.hasPrefix("/dev/video") {
        throw SafelightError(
          .invalidValue, "“\(text)” is a device, not a target", remedy: "write virtual:\(text)")
      }
      let known = [
        "preview", "virtual:/dev/videoN", "stdout:y4m", "stdout:rgb", "stream:PORT", "frames:DIR",
        "movie:FILE", "null",
      ]
      // Compared without the part after the colon, which is the user's own.
      let names = ["preview", "virtual", "stdout", "stream", "frames", "movie", "null"]
      let list = known.joined(separator: ", ")
      throw SafelightError(
        .invalidValue, "Unknown target “\(text.prefix(60))”",
        remedy: NearestName.match(kind, among: names).map {
          "did you mean “\(Self.example(of: $0))”? Known: \(list)"
        } ?? "known: \(list)")
    }
  }

  /// The specification as written on the command line.
  public var description: String {
    switch self {
    case .preview: "preview"
    case .virtualCamera(let device): "virtual:\(device)"
    case .standardOutput(let encoding): "stdout:\(encoding.rawValue)"
    case .stream(Self.loopback, let port): "stream:\(port)"
    case .stream(let host, let port): "stream:\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .frames(let folder, .jpeg): "frames:\(folder)"
    case .frames(let folder, let format): "frames:\(format.rawValue):\(folder)"
    case .movie(let path): "movie:\(path)"
    case .null: "null"
    }
  }

  /// Rejects targets that would write to the same place.
  ///
  /// - Throws: `SafelightError(.invalidValue)`.
  package static func checkTogether(_ targets: [SinkSpecification]) throws {
    var seen: [String: SinkSpecification] = [:]
    for target in targets {
      let place =
        switch target {
        case .preview: "the terminal"
        case .virtualCamera(let device): "the device \(device)"
        case .standardOutput: "standard output"
        case .frames(let folder, _): "the folder \(folder)"
        case .movie(let path): "the file \(path)"
        // Two streams on port 0 get different ports.
        case .stream(_, 0), .null: ""
        case .stream(_, let port): "port \(port)"
        }
      guard !place.isEmpty else { continue }
      if let other = seen.updateValue(target, forKey: place) {
        throw SafelightError(
          .invalidValue, "The targets \(other) and \(target) both write to \(place)",
          remedy: "name each place once")
      }
    }
  }

  private static func split(_ text: String) -> (kind: String, rest: String?) {
    guard let colon = text.firstIndex(of: ":") else { return (text, nil) }
    let rest = String(text[text.index(after: colon)...])
    return (String(text[..<colon]), rest.isEmpty ? nil : rest)
  }

  private static func example(of kind: String) -> String {
    switch kind {
    case "virtual": "virtual:/dev/video9"
    case "stdout": "stdout:y4m"
    case "stream": "stream:8080"
    case "frames": "frames:out"
    case "movie": "movie:clip.mp4"
    default: kind
    }
  }

  private static func virtualCamera(_ device: String, _ text: String) throws -> SinkSpecification {
    if !device.isEmpty, device.allSatisfy(\.isNumber) {
      throw SafelightError(
        .invalidValue, "The target “\(text)” names no device", remedy: "write virtual:/dev/video\(device)")
    }
    return .virtualCamera(device: device)
  }

  private static func frames(_ rest: String, _ text: String) throws -> SinkSpecification {
    let (format, folder): (PhotoFileFormat, String)
    if rest.hasPrefix("png:") {
      (format, folder) = (.png, String(rest.dropFirst("png:".count)))
    } else {
      (format, folder) = (.jpeg, rest)
    }
    guard !folder.isEmpty else {
      throw SafelightError(
        .invalidValue, "The target “\(text)” names no destination", remedy: "write frames:png:out")
    }
    // Trailing slashes are not part of a folder's name.
    let trimmed = folder.reversed().drop { $0 == "/" }.reversed()
    return .frames(folder: trimmed.isEmpty ? "/" : String(trimmed), format: format)
  }
}

/// How pictures are written to a pipe or file.
public enum RawVideoEncoding: String, Sendable, Hashable, CaseIterable {
  /// YUV4MPEG2, 4:2:0, limited range.
  case y4m
  /// Packed 8-bit R, G, B without headers (`rgb24` in FFmpeg).
  case rgb
}
