import AnalysisTestSupport
import FrameCore
import Testing

@testable import FrameAnalysis

@Suite struct AnalysisProxyTests {
  // MARK: Luma

  @Test("Luma of a small picture is BT.709's weighting of its own pixels")
  func smallPictureIsKept() throws {
    let picture = try Pictures.rgba8(3, 2) { x, y in SIMD3(UInt8(40 * x), UInt8(100 * y), 200) }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    #expect(proxy.size == PixelSize(width: 3, height: 2))
    let luma = proxy.lumaCopy
    for y in 0..<2 {
      for x in 0..<3 {
        let expected = (0.2126 * Float(40 * x) + 0.7152 * Float(100 * y) + 0.0722 * 200) / 255
        #expect(abs(luma[y * 3 + x] - expected) < 1e-5)
      }
    }
  }

  @Test(
    "Shrinking averages areas exactly, also where sizes do not divide", arguments: [1280, 1000, 641, 1923])
  func shrinkingAverages(width: Int) throws {
    // Over a linear ramp, the mean over an area is the ramp's value in the area's middle.
    let height = width / 2
    let picture = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgbaF32)
    for y in 0..<height {
      let row = picture.row(y, as: Float.self)
      for x in 0..<width {
        let value = (Float(x) + 0.5) / Float(width) * 0.6 + (Float(y) + 0.5) / Float(height) * 0.3
        for channel in 0..<4 { row[4 * x + channel] = value }
      }
    }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    #expect(proxy.size.width == 640)
    let (columns, rows) = (Float(proxy.size.width), Float(proxy.size.height))
    let luma = proxy.lumaCopy
    var worst: Float = 0
    for y in 0..<proxy.size.height {
      for x in 0..<proxy.size.width {
        let expected = (Float(x) + 0.5) / columns * 0.6 + (Float(y) + 0.5) / rows * 0.3
        worst = max(worst, abs(luma[y * proxy.size.width + x] - expected))
      }
    }
    // A box that cuts pixels sees steps of a pixel, not the ramp.
    #expect(worst < 0.6 / Float(width), "worst difference \(worst)")
  }

  @Test("A picture is turned as it is to be displayed", arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) throws {
    // EXIF 2.32, tag 0x0112: which displayed side the stored first row and first column are.
    let sides: [Orientation: (row: String, column: String)] = [
      .up: ("top", "left"), .upMirrored: ("top", "right"), .down: ("bottom", "right"),
      .downMirrored: ("bottom", "left"), .leftMirrored: ("left", "top"), .right: ("right", "top"),
      .rightMirrored: ("right", "bottom"), .left: ("left", "bottom"),
    ]
    let picture = try Pictures.gray8(8, 5) { x, y in y == 0 ? 200 : (x == 0 ? 100 : 0) }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture, orientation: orientation)
    #expect(proxy.size == orientation.applied(to: picture.size))
    #expect(proxy.sourceSize == proxy.size)
    let (width, height) = (proxy.size.width, proxy.size.height)
    let luma = proxy.lumaCopy
    /// The mean of a side without its corners.
    func mean(_ side: String) -> Float {
      let samples: [Float] =
        switch side {
        case "top": (1..<width - 1).map { luma[$0] }
        case "bottom": (1..<width - 1).map { luma[(height - 1) * width + $0] }
        case "left": (1..<height - 1).map { luma[$0 * width] }
        default: (1..<height - 1).map { luma[$0 * width + width - 1] }
        }
      return samples.reduce(0, +) / Float(samples.count) * 255
    }
    let expected = try #require(sides[orientation])
    #expect(abs(mean(expected.row) - 200) < 0.01)
    #expect(abs(mean(expected.column) - 100) < 0.01)
  }

  // MARK: Formats

  /// The bytes of a picture of one colour.
  private func flat(
    _ format: PixelFormat, _ size: PixelSize, y: UInt8, cb: UInt8, cr: UInt8, tags: ColorTags
  ) throws -> PixelBuffer {
    try Pictures.tight(format, size, tags: tags) { plane, column, _ in
      switch format {
      case .yuyv422: [y, cb, y, cr][column % 4]
      case .uyvy422: [cb, y, cr, y][column % 4]
      case .nv12, .nv16: plane == 0 ? y : [cb, cr][column % 2]
      case .nv21: plane == 0 ? y : [cr, cb][column % 2]
      default: [y, cb, cr][plane]
      }
    }
  }

  @Test(
    "Every YCbCr format gives the colour that H.273 defines, from memory without padding",
    arguments: PixelFormat.allCases.filter(\.isYCbCr), [ColorTags.Range.limited, .full])
  func formats(_ format: PixelFormat, range: ColorTags.Range) throws {
    let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: range)
    for size in [
      PixelSize(width: 5, height: 3), PixelSize(width: 1, height: 1), PixelSize(width: 1283, height: 7),
    ] {
      let picture = try flat(format, size, y: 140, cb: 100, cr: 160, tags: tags)
      let proxy = AnalysisProxy()
      try proxy.update(from: picture)
      // H.273 by hand, BT.709: Kr = 0.2126, Kb = 0.0722.
      let isLimited = range == .limited
      let y = isLimited ? (140.0 - 16) / 219 : 140.0 / 255
      let cb = (100.0 - 128) / (isLimited ? 224 : 255)
      let cr = (160.0 - 128) / (isLimited ? 224 : 255)
      let expected = [y + 1.5748 * cr, y - 0.187324 * cb - 0.468124 * cr, y + 1.8556 * cb]
      for sample in proxy.lumaCopy { #expect(abs(Double(sample) - y) < 1e-4) }
      let colors = proxy.colorsCopy
      for channel in 0..<3 {
        for index in 0..<proxy.colorCount {
          let found = Double(colors[channel * proxy.colorCount + index])
          guard abs(found - expected[channel]) < 1e-4 else {
            Issue.record("\(format) \(size): channel \(channel) is \(found), not \(expected[channel])")
            return
          }
        }
      }
    }
  }

  @Test(
    "A matrix that nobody names is the one that renderers take: BT.601 below 720 lines, BT.709 from there on",
    arguments: [(719, 0.299, 0.114), (720, 0.2126, 0.0722)])
  func unnamedMatrix(height: Int, red: Double, blue: Double) throws {
    let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .unspecified, range: .full)
    let size = PixelSize(width: 16, height: height)
    let picture = try flat(.i444, size, y: 120, cb: 100, cr: 150, tags: tags)
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    let (y, cb, cr) = (120.0 / 255, (100.0 - 128) / 255, (150.0 - 128) / 255)
    let colors = proxy.colorsCopy
    #expect(abs(Double(colors[0]) - (y + 2 * (1 - red) * cr)) < 1e-4)
    #expect(abs(Double(colors[2 * proxy.colorCount]) - (y + 2 * (1 - blue) * cb)) < 1e-4)
  }

  @Test("16-bit and float samples give what their 8-bit picture gives")
  func depths() throws {
    let size = PixelSize(width: 700, height: 90)
    func color(_ x: Int, _ y: Int) -> SIMD3<UInt8> { SIMD3(UInt8(x % 256), UInt8(y), UInt8((x + y) % 256)) }
    let eight = try Pictures.rgba8(size.width, size.height, color)
    let sixteen = try PixelBuffer(size: size, format: .rgba16)
    let float = try PixelBuffer(size: size, format: .rgbaF32)
    for y in 0..<size.height {
      let (wide, real) = (sixteen.row(y, as: UInt16.self), float.row(y, as: Float.self))
      for x in 0..<size.width {
        for channel in 0..<3 {
          wide[4 * x + channel] = UInt16(color(x, y)[channel]) * 257
          real[4 * x + channel] = Float(color(x, y)[channel]) / 255
        }
      }
    }
    let (a, b, c) = (AnalysisProxy(), AnalysisProxy(), AnalysisProxy())
    try a.update(from: eight)
    try b.update(from: sixteen)
    try c.update(from: float)
    for other in [b.lumaCopy, c.lumaCopy] {
      #expect(zip(a.lumaCopy, other).allSatisfy { abs($0 - $1) < 1e-5 })
    }
    #expect(Histogram(a) == Histogram(b) && Histogram(a) == Histogram(c))
  }

  @Test("Samples that are not numbers, or beyond full scale, do no harm")
  func extremes() throws {
    let picture = try PixelBuffer(size: PixelSize(width: 800, height: 9), format: .rgbaF32)
    let values: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, -.nan]
    for y in 0..<9 {
      let row = picture.row(y, as: Float.self)
      for index in row.indices { row[index] = values[(index + y) % values.count] }
    }
    let proxy = AnalysisProxy()
    try proxy.update(from: picture)
    for samples in [proxy.lumaCopy, proxy.colorsCopy, proxy.lightnessCopy] {
      #expect(samples.allSatisfy { $0 >= 0 && $0 <= 1 })
    }
  }

  @Test("Very long pictures keep at least one row")
  func slivers() throws {
    let proxy = AnalysisProxy()
    try proxy.update(from: try Pictures.gray8(3, 4000) { _, _ in 77 })
    #expect(proxy.size == PixelSize(width: 1, height: 640))
    #expect(proxy.lumaCopy.allSatisfy { abs($0 * 255 - 77) < 0.01 })
  }

  @Test("The memory of a proxy stays where it is from frame to frame")
  func memoryIsKept() throws {
    let proxy = AnalysisProxy()
    let picture = try Pictures.gray8(1920, 1080) { x, _ in UInt8(x % 256) }
    try proxy.update(from: picture)
    let (luma, colors) = (proxy.luma.baseAddress, proxy.colors.baseAddress)
    for orientation in Orientation.allCases {
      try proxy.update(from: picture, orientation: orientation)
      #expect(proxy.luma.baseAddress == luma && proxy.colors.baseAddress == colors)
    }
  }
}
