import Glibc
import Safelight

/// A picture of R'G'B' or linear light in float, and edits of it.
struct LightPicture {
  var buffer: PixelBuffer
  let space: ColorSpace

  var size: PixelSize { buffer.size }

  /// - Parameter color: the colour of each pixel.
  init(_ size: PixelSize, space: ColorSpace = .linearRec2020, _ color: (Int, Int) -> SIMD3<Float>) throws {
    self.space = space
    buffer = try PixelBuffer(size: size, format: .rgbaF32)
    for y in 0..<size.height {
      let row = buffer.row(y, as: Float.self)
      for x in 0..<size.width {
        let value = color(x, y)
        (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (value.x, value.y, value.z, 1)
      }
    }
  }

  private init(_ buffer: PixelBuffer, _ space: ColorSpace) { (self.buffer, self.space) = (buffer, space) }

  /// A part of a photo, in sRGB of 0…1.
  init(photo: Photo, left: Int, top: Int, size: PixelSize) throws {
    let stored = photo.buffer
    guard stored.format == .rgba8 else {
      throw SafelightError(
        .unsupported, "A photo of \(stored.format.rawValue)", remedy: "choose one of 8 bits")
    }
    try self.init(size, space: .sRGB) { x, y in
      let row = stored.row(top + y, as: UInt8.self)
      let at = 4 * (left + x)
      return SIMD3(Float(row[at]), Float(row[at + 1]), Float(row[at + 2])) / 255
    }
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let row = buffer.row(y, as: Float.self)
    return SIMD3(row[4 * x], row[4 * x + 1], row[4 * x + 2])
  }

  /// - Parameter noise: what is known of the picture's noise.
  func edited(_ filters: [any Filter], noise: NoiseLevel? = nil, size: PixelSize? = nil) throws
    -> LightPicture
  {
    var input = PlanInput(size: buffer.size, format: .rgbaF32, space: space)
    input.statistics.noise = noise
    let renderer = CPURenderer(threads: 2)
    let plan = try renderer.plan(
      Recipe(filters: filters), input: input,
      output: PlanOutput(format: .rgbaF32, space: space, size: size))
    return LightPicture(try renderer.render(buffer, through: plan), space)
  }

  /// dB of the mean squared difference, of 1.
  func quality(against other: LightPicture) -> Double {
    var sum = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let difference = SIMD3<Double>(pixel(x, y) - other.pixel(x, y))
        sum += (difference * difference).sum()
      }
    }
    return -10 * log10(sum / Double(3 * size.pixelCount))
  }
}
