import FrameCore

/// The eight 75 % bars that vivid and the emulated camera draw, and how pixels are read back to compare with them.
enum ColorBars {
  /// 8-bit Y'CbCr of BT.601 in narrow range, rounded: white, yellow, cyan, green, magenta, red, blue, black.
  /// Source: ITU-R BT.801-1, table 1.
  static let ycbcr: [[Int]] = [
    [180, 128, 128], [162, 44, 142], [131, 156, 44], [112, 72, 58],
    [84, 184, 198], [65, 100, 212], [35, 212, 114], [16, 128, 128],
  ]

  /// 8-bit R'G'B' of the same bars.
  static let rgb: [[Int]] = [
    [191, 191, 191], [191, 191, 0], [0, 191, 191], [0, 191, 0],
    [191, 0, 191], [191, 0, 0], [0, 0, 191], [0, 0, 0],
  ]

  /// Full-range Y'CbCr as in JPEG files. Source of the matrix: ITU-T T.871 (JFIF), clause 7.
  static let jfif: [[Int]] = rgb.map { color in
    let (r, g, b) = (Double(color[0]), Double(color[1]), Double(color[2]))
    return [
      0.299 * r + 0.587 * g + 0.114 * b,
      128 + (-0.299 * r - 0.587 * g + 0.886 * b) / 1.772,
      128 + (0.701 * r - 0.587 * g - 0.114 * b) / 1.402,
    ].map { Int($0.rounded()) }
  }

  /// Grey as vivid draws it: luma of BT.709 in full range, whatever the colorspace.
  /// Source of the weights: the kernel's v4l2-tpg-core.c, TGP_COLOR_ENC_LUMA.
  static let gray: [[Int]] = rgb.map { color in
    [Int((0.2125 * Double(color[0]) + 0.7154 * Double(color[1]) + 0.0721 * Double(color[2])).rounded())]
  }

  /// What `buffer` must hold in the middle of each bar: Y'CbCr, R'G'B' or grey, as its format says.
  static func expected(in buffer: PixelBuffer) -> [[Int]] {
    if buffer.format.isRGBA { return rgb }
    if buffer.format == .gray8 { return gray }
    return buffer.tags.range == .full ? jfif : ycbcr
  }

  /// The samples of all channels at one pixel, alpha left out; colour differences are those that the pixel shares.
  ///
  /// Written from V4L2's description of the formats (the kernel's pixfmt-yuv-*.rst), not from the engine's tables.
  static func samples(_ buffer: PixelBuffer, x: Int, y: Int) -> [Int] {
    func byte(_ plane: Int, _ row: Int, _ offset: Int) -> Int {
      Int(buffer.planes[plane].row(row).load(fromByteOffset: offset, as: UInt8.self))
    }
    let pair = x / 2
    return switch buffer.format {
    case .gray8: [byte(0, y, x)]
    case .yuyv422: [byte(0, y, 2 * x), byte(0, y, 4 * pair + 1), byte(0, y, 4 * pair + 3)]
    case .uyvy422: [byte(0, y, 2 * x + 1), byte(0, y, 4 * pair), byte(0, y, 4 * pair + 2)]
    case .nv12: [byte(0, y, x), byte(1, y / 2, 2 * pair), byte(1, y / 2, 2 * pair + 1)]
    case .nv21: [byte(0, y, x), byte(1, y / 2, 2 * pair + 1), byte(1, y / 2, 2 * pair)]
    case .nv16: [byte(0, y, x), byte(1, y, 2 * pair), byte(1, y, 2 * pair + 1)]
    case .i420: [byte(0, y, x), byte(1, y / 2, pair), byte(2, y / 2, pair)]
    case .i422: [byte(0, y, x), byte(1, y, pair), byte(2, y, pair)]
    case .i444: [byte(0, y, x), byte(1, y, x), byte(2, y, x)]
    case .rgba8: (0..<3).map { byte(0, y, 4 * x + $0) }
    case .rgba16, .rgbaF32: []
    }
  }

  /// Which bar begins the picture, 0 for white, where all rows looked at show the eight bars in their order within
  /// `tolerance` of every sample; nil where they do not.
  ///
  /// Each bar is looked at in its middle, and at a quarter and three quarters of its width.
  static func first(in buffer: PixelBuffer, tolerance: Int = 3) -> Int? {
    let expected = expected(in: buffer)
    return (0..<8).first { start in
      [0, 1, buffer.height / 3, buffer.height / 2, buffer.height - 2, buffer.height - 1].allSatisfy { y in
        (0..<32).allSatisfy { position in
          guard position % 4 != 0 else { return true }
          let found = samples(buffer, x: position * buffer.width / 32, y: y)
          let wanted = expected[(position / 4 + start) % 8]
          return found.count == wanted.count
            && zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }
        }
      }
    }
  }

  /// The middle of each bar in the middle row, for messages.
  static func row(of buffer: PixelBuffer) -> [[Int]] {
    (0..<8).map { samples(buffer, x: (2 * $0 + 1) * buffer.width / 16, y: buffer.height / 2) }
  }
}
