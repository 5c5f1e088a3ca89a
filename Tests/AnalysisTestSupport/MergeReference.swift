import AnalysisKernels
import ColorScience
import FrameCore

@testable import FrameAnalysis

/// What a merge computes after alignment, pixel by pixel over whole pictures, in double precision and the
/// plainest way. Nothing is shared with the kernels.
package struct MergeReference {
  /// R', G', B' of a picture; pixels outside are the nearest.
  package struct Picture {
    package let width: Int
    package let height: Int
    package var rgb: [SIMD3<Double>]

    package init(width: Int, height: Int, _ color: (Int, Int) -> SIMD3<Double>) {
      (self.width, self.height) = (width, height)
      rgb = (0..<width * height).map { color($0 % width, $0 / width) }
    }

    package func callAsFunction(_ x: Int, _ y: Int) -> SIMD3<Double> {
      rgb[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }

    /// The value between pixels, pixel (0, 0) having its centre at (0, 0): a weighted mean of 6 × 6.
    package func sample(_ x: Double, _ y: Double) -> SIMD3<Double> {
      let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      var sum = SIMD3<Double>.zero
      for j in -2...3 {
        for i in -2...3 {
          let weight =
            MergeReference.keys(x - Double(column + i)) * MergeReference.keys(y - Double(row + j))
          sum += self(column + i, row + j) * weight
        }
      }
      return sum
    }
  }

  /// R. Keys 1981, equation 25.
  package static func keys(_ distance: Double) -> Double {
    let s = abs(distance)
    if s < 1 { return 4.0 / 3 * s * s * s - 7.0 / 3 * s * s + 1 }
    if s < 2 { return -7.0 / 12 * s * s * s + 3 * s * s - 59.0 / 12 * s + 15.0 / 6 }
    if s < 3 { return 1.0 / 12 * s * s * s - 2.0 / 3 * s * s + 21.0 / 12 * s - 3.0 / 2 }
    return 0
  }

  package let input: [Picture]
  package let reference: Int
  package let fields: [Displacements]
  package let noise: FrameNoise
  package let space: ColorSpace

  package init(
    _ input: [Picture], reference: Int, fields: [Displacements], noise: FrameNoise, space: ColorSpace
  ) {
    (self.input, self.reference, self.fields) = (input, reference, fields)
    (self.noise, self.space) = (noise, space)
  }

  /// A frame as seen from the reference; nil where it shows nothing.
  package func warped(_ frame: Int) -> [SIMD3<Double>?] {
    let picture = input[frame]
    return picture.rgb.indices.map { index in
      let (x, y) = (Double(index % picture.width), Double(index / picture.width))
      let d = fields[frame](SIMD2(x + 0.5, y + 0.5))
      let place = SIMD2(x, y) + d
      guard place.x >= -0.5, place.y >= -0.5, place.x <= Double(picture.width) - 0.5,
        place.y <= Double(picture.height) - 0.5
      else { return nil }
      return picture.sample(place.x, place.y)
    }
  }

  /// The standard deviations of differences between the reference and a frame, by channel.
  private func deviations(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let picture = input[reference]
    var mean = SIMD3<Double>.zero
    for j in -2...2 { for i in -2...2 { mean += picture(x + i, y + j) / 25 } }
    var (gx, gy) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for (offset, weight) in [(-1, 1.0), (0, 2), (1, 1)] {
      gx += (picture(x + 1, y + offset) - picture(x - 1, y + offset)) * weight / 8
      gy += (picture(x + offset, y + 1) - picture(x + offset, y - 1)) * weight / 8
    }
    var result = SIMD3<Double>.zero
    for channel in 0..<3 {
      let own = Double(noise.variance(channel, at: Float(mean[channel])))
      let steepness = gx[channel] * gx[channel] + gy[channel] * gy[channel]
      let allowed = Double(FrameNoise.misalignment)
      result[channel] = (2 * own + allowed * allowed * steepness).squareRoot()
    }
    return result
  }

  /// The weights, 0…1, of a frame's pixels.
  package func weights(_ frame: Int, limits: sla_merge_limits) -> [Double] {
    let (width, height) = (input[frame].width, input[frame].height)
    // Around the picture too, since kernels look at the pixels that continue it.
    let extended = Picture(width: width + 4, height: height + 4) { _, _ in .zero }
    var z = extended.rgb
    var isInside = [Bool](repeating: false, count: z.count)
    for index in z.indices {
      let (x, y) = (index % extended.width - 2, index / extended.width - 2)
      let nearest = SIMD2(
        Double(min(max(x, 0), width - 1)), Double(min(max(y, 0), height - 1)))
      let place = nearest + fields[frame](nearest + 0.5)
      isInside[index] =
        place.x >= -0.5 && place.y >= -0.5 && place.x <= Double(width) - 0.5
        && place.y <= Double(height) - 0.5
      guard isInside[index] else { continue }
      let value = input[frame].sample(place.x, place.y)
      z[index] = (value - input[reference](x, y)) / deviations(x, y)
    }
    func fall(_ value: Double, _ full: Float, _ none: Float) -> Double {
      let t = min(max((Double(none) - value) / Double(none - full), 0), 1)
      return t * t * (3 - 2 * t)
    }
    return (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      var (sum, squares) = (SIMD3<Double>.zero, 0.0)
      for j in 0..<5 {
        for i in 0..<5 {
          let place = (y + j) * extended.width + x + i
          guard isInside[place] else { return 0 }
          sum += z[place]
          squares += (z[place] * z[place]).sum()
        }
      }
      let square = squares / 75 * Double(limits.square_gain)
      let mean = (sum * sum).sum() / 75 * Double(limits.mean_gain)
      return fall(square, limits.square_full, limits.square_none)
        * fall(mean, limits.mean_full, limits.mean_none)
    }
  }

  /// R', G', B' of the result, clipped to 0…1.
  package var merged: [SIMD3<Double>] {
    var sums = input[reference].rgb.map { space.decode($0) }
    var totals = [Double](repeating: 1, count: sums.count)
    for frame in input.indices where frame != reference {
      let weights = weights(frame, limits: MergeBlocks.limits(noise, frame))
      for (index, pixel) in warped(frame).enumerated() {
        guard let pixel, weights[index] > 0 else { continue }
        sums[index] += space.decode(pixel) * weights[index]
        totals[index] += weights[index]
      }
    }
    return sums.indices.map { index in
      space.encode(sums[index] / totals[index]).clamped(lowerBound: .zero, upperBound: .one)
    }
  }
}

extension MergeReference.Picture {
  /// Reads a frame's samples as H.273 defines them; subsampled chroma is interpolated linearly.
  package init(_ buffer: PixelBuffer) throws {
    let isYCbCr = buffer.format.isYCbCr
    let encoding = isYCbCr ? try YCbCrEncoding(tags: buffer.tags, size: buffer.size) : nil
    func byte(_ plane: Int, _ index: Int, _ row: Int) -> Double {
      Double(buffer.planes[plane].row(row).load(fromByteOffset: index, as: UInt8.self))
    }
    let (stepX, stepY) =
      switch buffer.format {
      case .nv12, .nv21, .i420: (2, 2)
      case .nv16, .i422, .yuyv422, .uyvy422: (2, 1)
      default: (1, 1)
      }
    let columns = (buffer.width + stepX - 1) / stepX
    let rows = (buffer.height + stepY - 1) / stepY
    func chroma(_ i: Int, _ j: Int) -> SIMD2<Double> {
      let (x, y) = (min(max(i, 0), columns - 1), min(max(j, 0), rows - 1))
      return switch buffer.format {
      case .nv12, .nv16: SIMD2(byte(1, 2 * x, y), byte(1, 2 * x + 1, y))
      case .nv21: SIMD2(byte(1, 2 * x + 1, y), byte(1, 2 * x, y))
      case .yuyv422: SIMD2(byte(0, 4 * x + 1, y), byte(0, 4 * x + 3, y))
      case .uyvy422: SIMD2(byte(0, 4 * x, y), byte(0, 4 * x + 2, y))
      default: SIMD2(byte(1, x, y), byte(2, x, y))
      }
    }
    self.init(width: buffer.width, height: buffer.height) { x, y in
      switch buffer.format {
      case .rgba8: return SIMD3(byte(0, 4 * x, y), byte(0, 4 * x + 1, y), byte(0, 4 * x + 2, y)) / 255
      case .rgba16:
        let row = buffer.row(y, as: UInt16.self)
        return SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2])) / 65_535
      case .gray8:
        let code = byte(0, x, y)
        return SIMD3(repeating: buffer.tags.range == .limited ? (code - 16) / 219 : code / 255)
      default: break
      }
      guard let encoding else { return .zero }
      // Where chroma sample 0 lies: at column 0, or midway between columns 0 and 1; rows alike.
      let atX = stepX == 1 || encoding.siting != .center ? 0 : 0.5
      let atY = stepY == 1 || encoding.siting == .topLeft ? 0 : 0.5
      let (u, v) = ((Double(x) - atX) / Double(stepX), (Double(y) - atY) / Double(stepY))
      let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
      let (a, b) = (u - Double(i), v - Double(j))
      let upper = chroma(i, j) * (1 - a) + chroma(i + 1, j) * a
      let lower = chroma(i, j + 1) * (1 - a) + chroma(i + 1, j + 1) * a
      let mixed = upper * (1 - b) + lower * b
      let luma =
        switch buffer.format {
        case .yuyv422: byte(0, 2 * x, y)
        case .uyvy422: byte(0, 2 * x + 1, y)
        default: byte(0, x, y)
        }
      return encoding.decode(SIMD3(luma, mixed.x, mixed.y))
    }
  }
}
