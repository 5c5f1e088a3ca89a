import Safelight

/// A size and rate that a source can be asked for.
struct CameraFormat: Sendable, Hashable {
  let size: PixelSize
  let framesPerSecond: Double
  let encoding: CaptureEncoding?

  var request: StreamRequest {
    StreamRequest(size: size, framesPerSecond: framesPerSecond, encoding: encoding)
  }

  /// `1920×1080 · 30 fps · MJPEG`
  var name: String {
    let rate = "\(PlainNumber.text(PlainNumber.rounded(framesPerSecond, 2))) fps"
    return (["\(size.width)×\(size.height)", rate] + [kind].compactMap { $0 }).joined(separator: " · ")
  }

  private var kind: String? {
    switch encoding {
    case .raw(let format)?: format.rawValue.uppercased()
    case .mjpeg?: "MJPEG"
    case .bayer?: "Raw"
    case .converted(let fourCC)?: "\(fourCC)"
    case nil: nil
    }
  }

  var json: JSONValue {
    .object([
      "name": .string(name), "width": .number(size.width), "height": .number(size.height),
      "framesPerSecond": .number(framesPerSecond),
    ])
  }

  /// The formats of a source; those of one size are together, the largest first. Empty if it has no choice.
  ///
  /// - Throws: `CaptureFailure` if a device cannot be asked.
  static func all(of input: any CaptureInput) throws -> [CameraFormat] {
    switch input {
    case let input as DeviceInput: sorted(try input.device.formats().flatMap(formats))
    case let input as SyntheticInput:
      // One that was made at another size has no choice.
      scenes.contains { $0.size == input.size }
        ? scenes : [CameraFormat(size: input.size, framesPerSecond: input.framesPerSecond, encoding: nil)]
    default: []
    }
  }

  /// What the procedural scene is offered at.
  private static let scenes = [
    (3840, 2160, 30.0), (1920, 1080, 60), (1920, 1080, 30), (1280, 720, 60), (1280, 720, 30), (640, 480, 30),
  ].map { CameraFormat(size: PixelSize(width: $0.0, height: $0.1), framesPerSecond: $0.2, encoding: nil) }

  private static func formats(of format: DeviceFormat) -> [CameraFormat] {
    // Others cannot be read.
    guard let encoding = format.encoding else { return [] }
    return format.sizes.flatMap { size in
      size.intervals.map {
        CameraFormat(size: size.largest, framesPerSecond: $0.framesPerSecond, encoding: encoding)
      }
    }
  }

  private static func sorted(_ formats: [CameraFormat]) -> [CameraFormat] {
    formats.enumerated().sorted { a, b in
      let (one, other) = (a.element, b.element)
      if one.size.pixelCount != other.size.pixelCount { return one.size.pixelCount > other.size.pixelCount }
      if one.framesPerSecond != other.framesPerSecond { return one.framesPerSecond > other.framesPerSecond }
      return a.offset < b.offset
    }.map(\.element)
  }

  /// The index of the format that is shown unless another is asked for: the largest up to full HD that moves
  /// smoothly, at about 30 a second. Nil without a choice.
  static func usual(in formats: [CameraFormat]) -> Int? {
    let smooth = formats.indices.filter { formats[$0].framesPerSecond > 23 }
    let fitting = smooth.filter { formats[$0].size.fits(into: PixelSize(width: 1920, height: 1080)) }
    guard let largest = (fitting.isEmpty ? smooth : fitting).first else { return formats.indices.first }
    return formats.indices.filter { formats[$0].size == formats[largest].size && smooth.contains($0) }
      .min { abs(formats[$0].framesPerSecond - 30) < abs(formats[$1].framesPerSecond - 30) }
  }
}
