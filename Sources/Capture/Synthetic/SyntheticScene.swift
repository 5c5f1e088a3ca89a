import Dispatch
import FrameCore
import Libc

/// A procedural photograph of a coast in the evening with all properties known: the position of the horizon, the
/// colour of the light, the reflectance of the patches. For demonstrations, tests and as a simulated camera.
///
/// The same values give the same bytes on one machine. Radiance is computed in linear light with Rec. 709
/// primaries, multiplied by `illuminantGain`, clipped to 0…1, encoded as sRGB and dithered, so that the sky shows
/// no banding.
public struct SyntheticScene: Sendable, Hashable {
  public var size: PixelSize

  /// The roll of the camera, in degrees, −45…45. If positive, the horizon rises to the right, and rotating the
  /// picture clockwise by this angle levels it.
  public var horizonDegrees: Double

  /// The height where the horizon crosses the middle column, as a fraction from the top, 0…1.
  public var horizonHeight: Double

  /// Determines the mountains, clouds, waves and dither.
  public var seed: UInt32

  /// Seconds, −10⁶…10⁶; determines the position of the waves, clouds and boat.
  public var time: Double

  /// Linear gains of the light on R, G, B, each 0…16: the colour of white objects.
  public var illuminantGain: SIMD3<Float>

  /// Whether a small chart of known patches is shown in the lower left corner.
  public var showsPatches: Bool

  public init(
    size: PixelSize, horizonDegrees: Double = 0, horizonHeight: Double = 0.55, seed: UInt32 = 1,
    time: Double = 0,
    illuminantGain: SIMD3<Float> = SIMD3(1, 1, 1), showsPatches: Bool = false
  ) {
    self.size = size
    self.horizonDegrees = horizonDegrees
    self.horizonHeight = horizonHeight
    self.seed = seed
    self.time = time
    self.illuminantGain = illuminantGain
    self.showsPatches = showsPatches
  }

  /// The scene as a hurried photographer would capture it: tilted by 2.4° and slightly cool.
  package static func demonstration(
    size: PixelSize = PixelSize(width: 1920, height: 1280), time: Double = 0
  ) -> SyntheticScene {
    SyntheticScene(
      size: size, horizonDegrees: 2.4, time: time, illuminantGain: SIMD3(0.90, 1.0, 1.12))
  }

  /// Returns the row of the horizon at column `x`, both in pixels from the top left corner; the centre of the
  /// first pixel is at (0.5, 0.5). The row may lie outside the picture.
  public func horizonRow(atColumn x: Double) -> Double {
    horizonHeight * Double(size.height)
      - (x - Double(size.width) / 2) * tan(horizonDegrees * .pi / 180)
  }

  /// Paints the scene as 8-bit RGBA with sRGB tags, on all cores.
  ///
  /// - Throws: `SafelightError` if the size is invalid (see `PixelBuffer.validate`) or a value is out of range.
  public func render() throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: .rgba8, tags: .sRGB, alpha: .opaque)
    try render(into: buffer)
    return buffer
  }

  /// Paints the scene into `buffer`, for example one from a pool.
  ///
  /// - Throws: `SafelightError` if the buffer is not `rgba8` of this size or a value is out of range.
  public func render(into buffer: PixelBuffer) throws {
    try validate()
    guard buffer.format == .rgba8, buffer.size == size else {
      throw SafelightError(
        .invalidValue,
        "A scene of \(size) cannot be painted into a buffer of \(buffer.size) \(buffer.format)",
        remedy: "use an rgba8 buffer of \(size)")
    }
    let painter = ScenePainter(self)
    let patches = self.patches
    // Short bands let cores with cheap sky and cores with costly sea finish together.
    let rowsPerBand = 16
    let bands = (size.height + rowsPerBand - 1) / rowsPerBand
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      let rows = band * rowsPerBand..<min((band + 1) * rowsPerBand, size.height)
      for y in rows {
        paintRow(y, into: buffer.row(y, as: UInt8.self), painter: painter, patches: patches)
      }
    }
  }

  private func paintRow(
    _ y: Int, into row: UnsafeMutableBufferPointer<UInt8>, painter: ScenePainter, patches: [Patch]
  ) {
    let angle = Float(horizonDegrees * .pi / 180)
    let (sine, cosine) = (sin(angle), cos(angle))
    let scale = 1 / Float(size.height)
    let dy = (Float(y) + 0.5) * scale - Float(horizonHeight)
    let halfWidth = Float(size.width) * 0.5
    let hits = patches.filter { $0.rows.contains(y) }
    let chart = showsPatches && chartFrame.rows.contains(y) ? chartFrame.columns : 0..<0
    for x in 0..<size.width {
      let dx = (Float(x) + 0.5 - halfWidth) * scale
      let light: SIMD3<Float>
      if chart.contains(x) {
        light = hits.first { $0.columns.contains(x) }?.reflectance ?? SIMD3(repeating: Self.chartBorder)
      } else {
        light = painter.radiance(
          along: dx * cosine - dy * sine, below: dx * sine + dy * cosine)
      }
      let encoded = painter.encode(light * illuminantGain)
      let dither = painter.noise.dither(x, y)
      let levels: SIMD3<Float> = encoded * 255 + dither + 0.5
      let codes = levels.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 255))
      row[4 * x] = UInt8(codes.x)
      row[4 * x + 1] = UInt8(codes.y)
      row[4 * x + 2] = UInt8(codes.z)
      row[4 * x + 3] = 255
    }
  }

  private func validate() throws {
    func check(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws {
      guard range.contains(value) else {
        throw SafelightError(
          .invalidValue, "The scene's \(name) is \(value)",
          remedy: "give a value from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    try check(horizonDegrees, "horizonDegrees", in: -45...45)
    try check(horizonHeight, "horizonHeight", in: 0...1)
    try check(time, "time", in: -1e6...1e6)
    for (index, channel) in ["red", "green", "blue"].enumerated() {
      try check(Double(illuminantGain[index]), "illuminantGain (\(channel))", in: 0...16)
    }
  }
}
