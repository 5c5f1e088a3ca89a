/// The layout of a picture's samples in memory.
///
/// Every format stores rows from top to bottom. Multi-byte samples are in the machine's byte order.
public enum PixelFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// 8-bit R, G, B, A, interleaved.
  case rgba8
  /// 16-bit R, G, B, A, interleaved; 65535 is full scale.
  case rgba16
  /// 32-bit float R, G, B, A, interleaved; 1.0 is full scale, values outside 0…1 are kept.
  case rgbaF32
  /// 8-bit grey.
  case gray8
  /// 8-bit 4:2:2, packed Y0 Cb Y1 Cr (V4L2 `YUYV`).
  case yuyv422
  /// 8-bit 4:2:2, packed Cb Y0 Cr Y1 (V4L2 `UYVY`).
  case uyvy422
  /// 8-bit 4:2:0, a plane of Y and a plane of interleaved Cb, Cr (V4L2 `NV12`).
  case nv12
  /// 8-bit 4:2:0, a plane of Y and a plane of interleaved Cr, Cb (V4L2 `NV21`).
  case nv21
  /// 8-bit 4:2:2, a plane of Y and a plane of interleaved Cb, Cr (V4L2 `NV16`).
  case nv16
  /// 8-bit 4:2:0, planes Y, Cb, Cr (V4L2 `YU12`).
  case i420
  /// 8-bit 4:2:2, planes Y, Cb, Cr (V4L2 `422P`).
  case i422
  /// 8-bit 4:4:4, planes Y, Cb, Cr.
  case i444

  /// The shape of one plane relative to the picture.
  public struct Plane: Sendable, Hashable {
    /// The number of bytes of one sample group (all interleaved channels of one position).
    public let bytesPerGroup: Int
    /// The number of picture columns that one group covers.
    public let columnsPerGroup: Int
    /// The number of picture rows that one row of this plane covers.
    public let rowsPerGroup: Int

    /// Returns the bytes of one unpadded row of a picture `width` columns wide; a partial group counts whole.
    public func rowBytes(width: Int) -> Int {
      (width + columnsPerGroup - 1) / columnsPerGroup * bytesPerGroup
    }

    /// Returns the rows of this plane in a picture `height` rows high.
    public func rows(height: Int) -> Int { (height + rowsPerGroup - 1) / rowsPerGroup }
  }

  /// The planes of this format, in memory order.
  public var planes: [Plane] {
    func plane(_ bytes: Int, _ columns: Int = 1, _ rows: Int = 1) -> Plane {
      Plane(bytesPerGroup: bytes, columnsPerGroup: columns, rowsPerGroup: rows)
    }
    return switch self {
    case .rgba8: [plane(4)]
    case .rgba16: [plane(8)]
    case .rgbaF32: [plane(16)]
    case .gray8: [plane(1)]
    case .yuyv422, .uyvy422: [plane(4, 2)]
    case .nv12, .nv21: [plane(1), plane(2, 2, 2)]
    case .nv16: [plane(1), plane(2, 2)]
    case .i420: [plane(1), plane(1, 2, 2), plane(1, 2, 2)]
    case .i422: [plane(1), plane(1, 2), plane(1, 2)]
    case .i444: [plane(1), plane(1), plane(1)]
    }
  }

  /// The bits per sample as stored; 32 means float.
  public var bitsPerSample: Int {
    switch self {
    case .rgba16: 16
    case .rgbaF32: 32
    default: 8
    }
  }

  /// Whether samples are integers and so clipped to a code range.
  public var isInteger: Bool { self != .rgbaF32 }

  /// Whether samples are luma and colour differences, to be decoded with the matrix and range of the tags.
  public var isYCbCr: Bool { !isRGBA && self != .gray8 }

  /// Whether samples are R, G, B, A, interleaved.
  public var isRGBA: Bool { self == .rgba8 || self == .rgba16 || self == .rgbaF32 }
}
