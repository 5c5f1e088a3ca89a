import CSafelight
import Safelight

/// The layout of the samples of a `safelight_image`.
struct SampleFormat {
  /// The header's number.
  let number: Int32
  /// 1 (grey), 3 or 4.
  let channels: Int
  /// The format in which the engine has such samples, always with four channels.
  let engine: PixelFormat

  var bytesPerSample: Int { engine.bitsPerSample / 8 }
  var bytesPerPixel: Int { channels * bytesPerSample }
  var hasAlpha: Bool { channels == 4 }

  /// In the order of the header's numbers, from 1.
  static let all: [SampleFormat] = [PixelFormat.rgba8, .rgba16, .rgbaF32].enumerated().flatMap {
    depth, engine in
    [1, 3, 4].enumerated().map { index, channels in
      SampleFormat(number: Int32(3 * depth + index + 1), channels: channels, engine: engine)
    }
  }

  /// - Throws: `SafelightError` if no format has this number.
  init(_ number: Int32) throws {
    guard (1...Int32(Self.all.count)).contains(number) else {
      throw SafelightError(
        .invalidValue, "There is no format \(number)",
        remedy: "give one of SAFELIGHT_GRAY8 (1) … SAFELIGHT_RGBAF32 (9)")
    }
    self = Self.all[Int(number) - 1]
  }

  private init(number: Int32, channels: Int, engine: PixelFormat) {
    (self.number, self.channels, self.engine) = (number, channels, engine)
  }

  /// The format of results for pictures of this one: grey becomes RGB.
  var ofResults: SampleFormat { channels == 1 ? Self.all[Int(number)] : self }
}

/// The colour spaces of pictures, by name.
enum Spaces {
  static let all: [(name: String, space: ColorSpace)] = [
    ("srgb", .sRGB), ("display-p3", .displayP3), ("adobe-rgb", .adobeRGB), ("rec2020", .rec2020),
    ("prophoto", .proPhoto), ("linear-srgb", .linearSRGB), ("linear-rec2020", .linearRec2020),
  ]

  /// - Throws: `SafelightError` that suggests the nearest name if there is none like this.
  static func named(_ text: UnsafePointer<CChar>?) throws -> ColorSpace {
    guard let name = try Pointers.optional(text, "colour space") else { return .sRGB }
    guard let found = all.first(where: { $0.name == name.lowercased() }) else {
      throw NearestName.error(unknown: "colour space", name, among: all.map(\.name))
    }
    return found.space
  }
}

/// A picture in C's memory, checked. It is used on several threads during one call.
struct Image: @unchecked Sendable {
  let size: PixelSize
  let format: SampleFormat
  let space: ColorSpace
  let orientation: Orientation
  private let stride: Int
  private let base: UnsafeMutableRawPointer?

  var hasPixels: Bool { base != nil }

  /// - Throws: `SafelightError` that names what is wrong.
  init(_ pointer: UnsafePointer<safelight_image>?, needsPixels: Bool = true) throws {
    guard let image = pointer?.pointee else {
      throw SafelightError(.invalidValue, "The picture is NULL", remedy: "give a safelight_image")
    }
    size = PixelSize(width: Int(clamping: image.width), height: Int(clamping: image.height))
    try PixelBuffer.validate(size)
    format = try SampleFormat(image.format)
    space = try Spaces.named(image.space)
    guard image.orientation == 0 || Orientation(rawValue: UInt8(clamping: image.orientation)) != nil else {
      throw SafelightError(
        .invalidValue, "The orientation is \(image.orientation)", remedy: "give EXIF's number, 1…8, or 0")
    }
    orientation = Orientation(rawValue: UInt8(clamping: image.orientation)) ?? .up
    let row = size.width * format.bytesPerPixel
    stride = image.stride == 0 ? row : image.stride
    guard stride.magnitude >= row else {
      throw SafelightError(
        .invalidValue, "Rows of \(stride.magnitude) bytes do not hold \(size.width) pixels: \(row) bytes",
        remedy: "give the bytes from one row to the next")
    }
    guard !stride.multipliedReportingOverflow(by: size.height).overflow else {
      throw SafelightError(
        .invalidValue, "\(size.height) rows of \(stride) bytes are no memory",
        remedy: "give the bytes from one row to the next")
    }
    base = image.pixels
    guard base != nil || !needsPixels else {
      throw SafelightError(.invalidValue, "The picture has no pixels", remedy: "point to its first row")
    }
    let alignment = format.bytesPerSample
    guard stride % alignment == 0, Int(bitPattern: base) % alignment == 0 else {
      throw SafelightError(
        .invalidValue, "Samples of \(alignment) bytes do not lie at multiples of \(alignment) bytes",
        remedy: "copy the picture into aligned memory")
    }
  }

  /// The picture as renderers take it.
  ///
  /// - Precondition: the picture has pixels.
  var samples: InterleavedPicture {
    guard let base else { preconditionFailure("the picture has no pixels") }
    return InterleavedPicture(
      base, rowBytes: stride, size: size, format: format.engine, channels: format.channels)
  }

  /// The input of plans for such pictures.
  var planInput: PlanInput {
    PlanInput(
      size: size, format: format.engine, space: space, orientation: orientation,
      alpha: format.hasAlpha ? .straight : .opaque)
  }
}
