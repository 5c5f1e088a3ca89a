import FrameCore

/// The samples of a picture of 8 bits, to blend greys over: R, G and B, or luma with colour differences that lose their
/// colour. Must not outlive the picture.
struct OverlaySamples {
  private struct Plane {
    var base: UnsafeMutablePointer<UInt8>
    var rowBytes: Int
    /// Bytes from one pixel, or group of pixels, to the next.
    var step: Int
    /// How many columns and rows of pixels share a sample.
    var columns = 1
    var rows = 1
  }

  let width: Int
  let height: Int
  /// Planes that get the grey, and those of colour differences.
  private var grays: [Plane] = []
  private var colors: [Plane] = []
  private let black: Int
  private let span: Int
  private let isGrayOnly: Bool

  /// - Returns: nil for pictures of more than 8 bits.
  init?(_ picture: PixelBuffer) {
    (width, height) = (picture.width, picture.height)
    func plane(_ index: Int, at offset: Int = 0, step: Int, columns: Int = 1, rows: Int = 1) -> Plane {
      let plane = picture.planes[index]
      return Plane(
        base: plane.base.assumingMemoryBound(to: UInt8.self) + offset, rowBytes: plane.rowBytes, step: step,
        columns: columns, rows: rows)
    }
    switch picture.format {
    case .rgba8: grays = (0..<3).map { plane(0, at: $0, step: 4) }
    case .gray8: grays = [plane(0, step: 1)]
    case .yuyv422:
      grays = [plane(0, step: 2)]
      colors = [1, 3].map { plane(0, at: $0, step: 4, columns: 2) }
    case .uyvy422:
      grays = [plane(0, at: 1, step: 2)]
      colors = [0, 2].map { plane(0, at: $0, step: 4, columns: 2) }
    case .nv12, .nv21, .nv16:
      grays = [plane(0, step: 1)]
      let rows = picture.format == .nv16 ? 1 : 2
      colors = [0, 1].map { plane(1, at: $0, step: 2, columns: 2, rows: rows) }
    case .i420, .i422, .i444:
      grays = [plane(0, step: 1)]
      let (columns, rows) = (picture.format == .i444 ? 1 : 2, picture.format == .i420 ? 2 : 1)
      colors = [1, 2].map { plane($0, step: 1, columns: columns, rows: rows) }
    case .rgba16, .rgbaF32: return nil
    }
    isGrayOnly = colors.isEmpty
    // H.273: 8-bit luma of limited range has black at 16 and white at 235.
    let isLimited = picture.format.isYCbCr && picture.tags.range == .limited
    (black, span) = isLimited ? (16, 219) : (0, 255)
  }

  /// Blends a grey over one pixel of the picture.
  ///
  /// - Parameters:
  ///   - gray: 0…255.
  ///   - opacity: 0…256.
  func blend(_ gray: Int, x: Int, y: Int, opacity: Int) {
    let code = black + gray * span / 255
    for plane in grays {
      let sample = plane.base + y * plane.rowBytes + x * plane.step
      sample.pointee = Self.mix(sample.pointee, code, opacity)
    }
    guard !isGrayOnly else { return }
    for plane in colors where x % plane.columns == 0 && y % plane.rows == 0 {
      let sample = plane.base + y / plane.rows * plane.rowBytes + x / plane.columns * plane.step
      sample.pointee = Self.mix(sample.pointee, 128, opacity)
    }
  }

  private static func mix(_ below: UInt8, _ over: Int, _ opacity: Int) -> UInt8 {
    UInt8(clamping: Int(below) + ((over - Int(below)) * opacity + 128) >> 8)
  }
}
