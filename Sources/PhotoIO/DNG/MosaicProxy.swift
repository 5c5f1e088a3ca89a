import ColorScience
import FrameCore
import Libc

/// A small picture of a mosaic in the sensor's linear colours: each pixel is the mean of some squares of two
/// by two, which have all colours and need no interpolation.
struct MosaicProxy {
  let size: PixelSize
  /// Row by row, 0 at the black level and 1 at the white level; noise may be below 0.
  let colors: [SIMD3<Float>]

  /// - Parameter maximumEdge: the long edge is at most this, and at most half of the mosaic's.
  init(_ picture: BayerPicture, _ sensor: SensorColor, maximumEdge: Int) {
    // The last row or column of an odd size has no partner.
    let (columns, rows) = (picture.size.width / 2, picture.size.height / 2)
    let step = max(1, (max(columns, rows) + maximumEdge - 1) / max(1, maximumEdge))
    let size = PixelSize(width: (columns + step - 1) / step, height: (rows + step - 1) / step)
    let light = sensor.lightBySample(of: picture.format)
    let width = picture.size.width
    let isRedFirst = picture.format.pattern == .rggb || picture.format.pattern == .grbg
    // Red and blue stand on a diagonal: their columns in the row of red and in that of blue.
    let redColumn = picture.format.pattern == .rggb || picture.format.pattern == .gbrg ? 0 : 1
    let blueColumn = 1 - redColumn
    var colors = [SIMD3<Float>](repeating: .zero, count: size.pixelCount)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * width) { samples in
      let first = UnsafeMutableBufferPointer(rebasing: samples[..<width])
      let second = UnsafeMutableBufferPointer(rebasing: samples[width...])
      let (redRow, blueRow) = isRedFirst ? (first, second) : (second, first)
      var sums = [SIMD4<Double>](repeating: .zero, count: size.width)
      for y in 0..<size.height {
        for x in 0..<size.width { sums[x] = .zero }
        let squares = y * step..<min((y + 1) * step, rows)
        for row in squares {
          picture.unpack(row: 2 * row, into: first)
          picture.unpack(row: 2 * row + 1, into: second)
          for x in 0..<size.width {
            var sum = SIMD4<Double>.zero
            for column in x * step..<min((x + 1) * step, columns) {
              let red = light[Int(redRow[2 * column + redColumn])]
              let greens = (
                light[Int(redRow[2 * column + blueColumn])], light[Int(blueRow[2 * column + redColumn])]
              )
              let blue = light[Int(blueRow[2 * column + blueColumn])]
              sum += SIMD4(Double(red), Double(greens.0) + Double(greens.1), Double(blue), 1)
            }
            sums[x] += sum
          }
        }
        for x in 0..<size.width {
          let sum = sums[x]
          colors[y * size.width + x] = SIMD3<Float>(SIMD3(sum.x, sum.y / 2, sum.z) / max(1, sum.w))
        }
      }
    }
    self.size = size
    self.colors = colors
  }

  /// The sensor's colour of white, estimated; nil if too little of the picture is usable.
  var greyWorld: SIMD3<Double>? {
    var estimate = GreyWorld()
    for color in colors { estimate.add(color) }
    return estimate.neutral
  }

  /// Returns the proxy as `rgba8` in sRGB.
  ///
  /// - Parameter neutral: the sensor's colour of white.
  func develop(_ sensor: SensorColor, neutral: SIMD3<Double>) throws -> PixelBuffer {
    // White is balanced in the sensor's colours and then stays white: the matrix' rows add up to 1.
    let toSRGB = ColorSpace.linearSRGB.toXYZ.inverse * sensor.colorMatrix.inverse * .diagonal(neutral)
    let rows = toSRGB.rows.map { row in
      let sum = row.sum()
      return SIMD3<Float>(abs(sum) > 1e-6 ? row / sum : row)
    }
    let gain = SIMD3<Float>(neutral.max() / neutral) * Float(exp2(sensor.baselineExposure))
    let codes = Self.codes
    let last = Float(codes.count - 1)
    let buffer = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      let out = buffer.row(y, as: UInt8.self)
      for x in 0..<size.width {
        // What is clipped is white, whatever the gains.
        let balanced = pointwiseMin(colors[y * size.width + x] * gain, SIMD3(repeating: 1))
        for channel in 0..<3 {
          let linear = min(max((rows[channel] * balanced).sum(), 0), 1)
          out[4 * x + channel] = codes[Int(linear * last + 0.5)]
        }
        out[4 * x + 3] = 255
      }
    }
    return buffer
  }

  /// sRGB's codes for linear light, so fine that neighbours differ by less than half a code where the curve is
  /// steepest (12.92).
  private static let codes: [UInt8] = (0...8191).map { (index: Int) -> UInt8 in
    UInt8((TransferFunction.sRGB.encode(Double(index) / 8191) * 255).rounded())
  }
}

extension BayerPicture {
  /// Develops the mosaic quickly, at half its size or less, as for a thumbnail: each pixel is the mean of
  /// squares of two by two samples, balanced for white, in sRGB.
  ///
  /// - Parameter maximumEdge: the most pixels of the long edge.
  /// - Returns: `rgba8`, in the orientation of the sensor.
  /// - Throws: `SafelightError`: `.invalidValue` for values of `sensor` without a meaning, `.noMemory`.
  public func preview(_ sensor: SensorColor = SensorColor(), maximumEdge: Int = 1024) throws -> PixelBuffer {
    try sensor.validate(for: format)
    let proxy = MosaicProxy(self, sensor, maximumEdge: max(1, maximumEdge))
    let neutral = sensor.neutral ?? proxy.greyWorld ?? SIMD3(1, 1, 1)
    return try proxy.develop(sensor, neutral: neutral)
  }
}
