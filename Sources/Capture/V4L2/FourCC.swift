import CV4L2
import FrameCore

/// A four-character code of a pixel format.
public struct FourCC: Sendable, Hashable, Codable, CustomStringConvertible {
  public let code: UInt32

  public init(code: UInt32) { self.code = code }

  /// - Parameter text: four ASCII characters.
  init(_ text: StaticString) {
    precondition(text.utf8CodeUnitCount == 4)
    code = (0..<4).reduce(0) { $0 | UInt32(text.utf8Start[$1]) << UInt32(8 * $1) }
  }

  /// The four characters, with unprintable ones as dots. A big-endian variant has the suffix `-BE`.
  public var description: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> UInt32(8 * $0)) & 0x7F }
    let text = bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." }
    return String(text).replacingTrailingSpaces + (code & 0x8000_0000 == 0 ? "" : "-BE")
  }
}

extension String {
  fileprivate var replacingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// The conversion from one of V4L2's pixel formats to pixel buffers.
struct DevicePixelFormat: Sendable, Hashable {
  enum Delivery: Sendable, Hashable {
    /// The driver's memory itself. `swapsChroma`: Cr is stored before Cb, in separate planes.
    case wrapped(PixelFormat, swapsChroma: Bool)
    /// Three or four bytes per pixel, converted to R, G, B, 255.
    case convertedRGB(PackedRGB)
    /// A JPEG per picture.
    case jpeg
    /// A sensor's mosaic, developed to R, G, B, 255.
    case bayer(BayerFormat)
    /// Whatever libv4lconvert reads.
    case converted(ConvertedFormat)
  }
  let fourCC: FourCC
  let delivery: Delivery
  /// The number of memory regions in which a picture is stored: one, or one per plane.
  let memoryPlanes: Int

  var encoding: CaptureEncoding {
    switch delivery {
    case .wrapped(let format, _): .raw(format)
    case .convertedRGB: .raw(.rgba8)
    case .jpeg: .mjpeg
    case .bayer(let format): .bayer(format)
    case .converted: .converted(fourCC)
    }
  }

  private init(_ name: StaticString, _ delivery: Delivery, memoryPlanes: Int = 1) {
    fourCC = FourCC(name)
    self.delivery = delivery
    self.memoryPlanes = memoryPlanes
  }

  private init(_ fourCC: FourCC, _ conversion: ConvertedFormat) {
    self.fourCC = fourCC
    delivery = .converted(conversion)
    memoryPlanes = 1
  }

  private init(_ fourCC: FourCC, _ bayer: BayerFormat) {
    self.fourCC = fourCC
    delivery = .bayer(bayer)
    memoryPlanes = 1
  }

  /// The formats that are read directly, but for mosaics, the most preferred first: little memory traffic, no
  /// conversion, full colour.
  ///
  /// Source: <linux/videodev2.h> and the kernel's documentation of its image formats.
  static let all: [DevicePixelFormat] = [
    DevicePixelFormat("YUYV", .wrapped(.yuyv422, swapsChroma: false)),
    DevicePixelFormat("NV12", .wrapped(.nv12, swapsChroma: false)),
    DevicePixelFormat("NM12", .wrapped(.nv12, swapsChroma: false), memoryPlanes: 2),
    DevicePixelFormat("UYVY", .wrapped(.uyvy422, swapsChroma: false)),
    DevicePixelFormat("YU12", .wrapped(.i420, swapsChroma: false)),
    DevicePixelFormat("YM12", .wrapped(.i420, swapsChroma: false), memoryPlanes: 3),
    DevicePixelFormat("YV12", .wrapped(.i420, swapsChroma: true)),
    DevicePixelFormat("YM21", .wrapped(.i420, swapsChroma: true), memoryPlanes: 3),
    DevicePixelFormat("NV21", .wrapped(.nv21, swapsChroma: false)),
    DevicePixelFormat("NM21", .wrapped(.nv21, swapsChroma: false), memoryPlanes: 2),
    DevicePixelFormat("NV16", .wrapped(.nv16, swapsChroma: false)),
    DevicePixelFormat("NM16", .wrapped(.nv16, swapsChroma: false), memoryPlanes: 2),
    DevicePixelFormat("422P", .wrapped(.i422, swapsChroma: false)),
    DevicePixelFormat("YM16", .wrapped(.i422, swapsChroma: false), memoryPlanes: 3),
    DevicePixelFormat("YM24", .wrapped(.i444, swapsChroma: false), memoryPlanes: 3),
    DevicePixelFormat("MJPG", .jpeg),
    DevicePixelFormat("JPEG", .jpeg),
    DevicePixelFormat("XR24", .convertedRGB(.bgrx)),
    DevicePixelFormat("AR24", .convertedRGB(.bgrx)),
    DevicePixelFormat("XB24", .convertedRGB(.rgbx)),
    DevicePixelFormat("AB24", .convertedRGB(.rgbx)),
    DevicePixelFormat("RGB3", .convertedRGB(.rgb)),
    DevicePixelFormat("BGR3", .convertedRGB(.bgr)),
    DevicePixelFormat("GREY", .wrapped(.gray8, swapsChroma: false)),
  ]

  /// Returns how a format is read; nil if it is not.
  static func known(_ fourCC: FourCC) -> DevicePixelFormat? {
    all.first { $0.fourCC == fourCC }
      ?? BayerFormat.byFourCC[fourCC].map { DevicePixelFormat(fourCC, $0) }
      ?? ConvertedFormat.all[fourCC].map { DevicePixelFormat(fourCC, $0) }
  }

  /// The position in `all`, after which mosaics come, those of more bits first, and then all converted formats.
  var rank: Int {
    if case .bayer(let format) = delivery { return Self.all.count + 16 - format.packing.bits }
    return Self.all.firstIndex { $0.fourCC == fourCC } ?? Self.all.count + 16
  }
}

extension CaptureEncoding {
  /// The display name: `yuyv422`, `mjpeg`.
  var label: String {
    switch self {
    case .raw(let format): format.rawValue
    case .mjpeg: "mjpeg"
    case .bayer(let format): format.flatMap(\.fourCC)?.description ?? "bayer"
    case .converted(let fourCC): fourCC.description
    }
  }
}
