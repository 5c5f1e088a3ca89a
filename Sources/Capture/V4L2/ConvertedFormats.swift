import CV4L2
import FrameCore

/// A driver's format that libv4lconvert converts, because only some cameras have it.
struct ConvertedFormat: Sendable, Hashable {
  /// The colour of the pictures that libv4lconvert makes.
  enum Colour: Sendable, Hashable {
    /// Samples of the driver's own Y'CbCr, in planes of 4:2:0.
    case ycbcr
    /// As `ycbcr`, from a variant of JPEG.
    case jpeg
    /// Planes of 4:2:0 that libv4lconvert has computed from RGB or a compressed mosaic: BT.601 in limited range.
    case fromRGB
    /// R, G, B.
    case rgb
  }
  let colour: Colour
  /// The bits of a pixel in a frame without gaps between rows; 0 for compressed formats.
  let bitsPerPixel: Int
  /// The format of the buffers that are delivered.
  var pixelFormat: PixelFormat { colour == .rgb ? .rgba8 : .i420 }

  /// By four-character code.
  ///
  /// Left out of those that libv4lconvert 1.22 knows: what is read directly, Bayer mosaics too; grey of 4 and
  /// 6 bits, which it does not scale to 8; HSV, which no camera but the kernel's test driver has; JPEG-Lite,
  /// whose decoder writes outside the picture if a frame is damaged; and OV511 and OV518, whose decoder is a
  /// program, which a damaged frame ends, and with it this one (SIGPIPE). RGB 5:6:5 becomes RGB, because its
  /// conversion to 4:2:0 swaps red and blue.
  ///
  /// Source: the table of formats in v4l-utils, lib/libv4lconvert/libv4lconvert.c.
  static let all: [FourCC: ConvertedFormat] = {
    var all: [FourCC: ConvertedFormat] = [:]
    func add(_ colour: Colour, _ bits: Int, _ codes: [StaticString]) {
      for code in codes { all[FourCC(code)] = ConvertedFormat(colour: colour, bitsPerPixel: bits) }
    }
    // YVYU, NV61.
    add(.ycbcr, 16, ["YVYU", "NV61"])
    // SPCA501, 505 and 508, CIT YYVYUY, Konica, SN9C20x, M420 and Conexant's tiles.
    add(.ycbcr, 12, ["S501", "S505", "S508", "CITV", "KONI", "S920", "M420", "HM12"])
    // CPiA, compressed.
    add(.ycbcr, 0, ["CPIA"])
    // JPEG of Pixart.
    add(.jpeg, 0, ["PJPG"])
    // The deprecated 32-bit formats and two with alpha first.
    add(.fromRGB, 32, ["RGB4", "BGR4", "BX24", "BA24"])
    // Bayer of STV0680.
    add(.fromRGB, 8, ["S680"])
    // Compressed Bayer: SPCA561, SN9C10x, SN9C2028, PAC207, MR97310A, JL2005, SQ905C; compressed RGB: SE401.
    add(.fromRGB, 0, ["S561", "S910", "SONX", "P207", "M310", "JL20", "905C", "S401"])
    // Grey of 10 and of 16 bits.
    add(.ycbcr, 10, ["Y10B"])
    add(.ycbcr, 16, ["Y16 "])
    all[FourCC(code: FourCC("Y16 ").code | 0x8000_0000)] = ConvertedFormat(colour: .ycbcr, bitsPerPixel: 16)
    // RGB 5:6:5.
    add(.rgb, 16, ["RGBP"])
    return all
  }()

  /// The smallest and the largest edge that libv4lconvert is given, in pixels; edges are even.
  static let edges = 16...16384

  /// Whether pictures of this size are converted.
  static func converts(_ size: PixelSize) -> Bool {
    edges.contains(size.width) && edges.contains(size.height) && size.width % 2 == 0 && size.height % 2 == 0
  }

  /// The rows of a frame, their bytes, and the bytes from one to the next; no rows if it is compressed.
  func rows(of format: cv4l2_format) -> (count: Int, bytes: Int, stride: Int) {
    let (width, height) = (Int(format.width), Int(format.height))
    // A decoder of a compressed format gives rows of as many bytes as pixels.
    guard bitsPerPixel > 0 else { return (0, width, width) }
    // Formats in planes have rows of luma, then more of the same length.
    let isPlanar = bitsPerPixel == 12 || FourCC(code: format.pixel_format) == FourCC("NV61")
    let bytes = isPlanar ? width : width * bitsPerPixel / 8
    let count = isPlanar ? height * bitsPerPixel / 8 : height
    let stride = Int(format.bytes_per_line.0)
    // Drivers of old cameras name any length of row, but no more than the size of their frames.
    let isPlausible = stride > bytes && stride * count <= Int(format.size_image.0)
    return (count, bytes, isPlausible ? stride : bytes)
  }

  /// The least bytes of a whole frame.
  func requiredBytes(of format: cv4l2_format) -> Int {
    let rows = rows(of: format)
    return rows.count == 0 ? 1 : (rows.count - 1) * rows.stride + rows.bytes
  }
}

extension CaptureEncoding {
  /// The encoding of a format that libv4lconvert converts, by its four-character code as `FourCC` prints it:
  /// `YVYU`.
  ///
  /// Nil for every other text.
  public init?(converting code: String) {
    guard let fourCC = ConvertedFormat.all.keys.first(where: { $0.description == code }) else { return nil }
    self = .converted(fourCC)
  }
}
