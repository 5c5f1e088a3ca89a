import FrameCore
import Libc

/// Exposure fusion written the plainest way, in double precision: whole pyramids of whole pictures.
package enum FusionReference {
  /// A plane of samples.
  private struct Plane {
    let width: Int
    let height: Int
    var samples: [Double]

    init(_ width: Int, _ height: Int, _ sample: (Int, Int) -> Double) {
      (self.width, self.height) = (width, height)
      samples = []
      for y in 0..<height { for x in 0..<width { samples.append(sample(x, y)) } }
    }

    subscript(x: Int, y: Int) -> Double { samples[y * width + x] }

    /// Outside, the sample that mirrors it, without repeating the ends.
    func mirrored(_ x: Int, _ y: Int) -> Double { self[Self.mirror(x, width), Self.mirror(y, height)] }

    private static func mirror(_ i: Int, _ count: Int) -> Int {
      if count == 1 { return 0 }
      let period = 2 * (count - 1)
      let place = ((i % period) + period) % period
      return place < count ? place : period - place
    }

    func halved() -> Plane {
      let weights = [1.0, 4, 6, 4, 1]
      return Plane((width + 1) / 2, (height + 1) / 2) { x, y in
        var sum = 0.0
        for j in -2...2 {
          for i in -2...2 { sum += weights[j + 2] * weights[i + 2] * mirrored(2 * x + i, 2 * y + j) }
        }
        return sum / 256
      }
    }

    /// OpenCV's pyrUp: before the first sample it is mirrored, after the last the last is repeated.
    func doubled(_ width: Int, _ height: Int) -> Plane {
      func before(_ i: Int, _ count: Int) -> Int { i > 0 ? i - 1 : min(1, count - 1) }
      func taps(_ i: Int, _ count: Int) -> [(Int, Double)] {
        let (middle, after) = (i / 2, min(i / 2 + 1, count - 1))
        return i % 2 == 0
          ? [(before(middle, count), 0.125), (middle, 0.75), (after, 0.125)] : [(middle, 0.5), (after, 0.5)]
      }
      return Plane(width, height) { x, y in
        var sum = 0.0
        for (row, down) in taps(y, self.height) {
          for (column, across) in taps(x, self.width) { sum += down * across * self[column, row] }
        }
        return sum
      }
    }
  }

  /// Returns red, green, blue of each pixel, row by row, 0…1 and not clipped.
  ///
  /// - Parameters:
  ///   - pictures: in `rgba8` or `rgba16`.
  ///   - shifts: of each picture, in pixels.
  ///   - exponents: of contrast, saturation and well-exposedness.
  package static func fused(
    _ pictures: [PixelBuffer], shifts: [(x: Int, y: Int)], exponents: (Double, Double, Double)
  ) -> [Double] {
    let (width, height) = (pictures[0].width, pictures[0].height)
    let colors = zip(pictures, shifts).map { picture, shift in
      (0..<3).map { channel in
        Plane(width, height) { x, y in
          let column = min(max(x + shift.x, 0), width - 1)
          let row = min(max(y + shift.y, 0), height - 1)
          return sample(picture, column, row, channel)
        }
      }
    }
    var weights = zip(colors, shifts).map { planes, shift in
      weight(planes, exponents) { x, y in
        (0..<width).contains(x + shift.x) && (0..<height).contains(y + shift.y)
      }
    }
    for index in 0..<width * height {
      let sum = weights.reduce(0) { $0 + $1.samples[index] }
      for picture in weights.indices { weights[picture].samples[index] /= sum }
    }
    var depth = 0
    while min(width, height) >> (depth + 1) > 0 { depth += 1 }
    let channels = (0..<3).map { channel -> [Double] in
      var result: [Plane?] = Array(repeating: nil, count: depth + 1)
      for (planes, share) in zip(colors, weights) {
        var (level, shares) = (planes[channel], share)
        for number in 0...depth {
          let next = level.halved()
          let coarse = number < depth ? next.doubled(level.width, level.height) : nil
          let old = result[number]
          result[number] = Plane(level.width, level.height) { x, y in
            (old?[x, y] ?? 0) + shares[x, y] * (level[x, y] - (coarse?[x, y] ?? 0))
          }
          (level, shares) = (next, shares.halved())
        }
      }
      var sum: Plane?
      for case let level? in result.reversed() {
        let coarse = sum?.doubled(level.width, level.height)
        sum = Plane(level.width, level.height) { x, y in level[x, y] + (coarse?[x, y] ?? 0) }
      }
      return sum?.samples ?? []
    }
    return (0..<width * height).flatMap { index in channels.map { $0[index] } }
  }

  private static func sample(_ picture: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> Double {
    picture.format == .rgba8
      ? Double(picture.row(y, as: UInt8.self)[4 * x + channel]) / 255
      : Double(picture.row(y, as: UInt16.self)[4 * x + channel]) / 65_535
  }

  /// The weight of each pixel, 0 where the picture has none.
  private static func weight(
    _ planes: [Plane], _ exponents: (Double, Double, Double), _ isThere: (Int, Int) -> Bool
  ) -> Plane {
    let luma = Plane(planes[0].width, planes[0].height) { x, y in
      0.299 * planes[0][x, y] + 0.587 * planes[1][x, y] + 0.114 * planes[2][x, y]
    }
    return Plane(luma.width, luma.height) { x, y in
      guard isThere(x, y) else { return 0 }
      let around =
        luma.mirrored(x - 1, y) + luma.mirrored(x + 1, y) + luma.mirrored(x, y - 1) + luma.mirrored(x, y + 1)
      let contrast = abs(around - 4 * luma[x, y])
      let rgb = planes.map { $0[x, y] }
      let mean = (rgb[0] + rgb[1] + rgb[2]) / 3
      let saturation = rgb.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
      let distance = rgb.reduce(0.0) { $0 + ($1 - 0.5) * ($1 - 0.5) }
      return pow(contrast, exponents.0) * pow(saturation, exponents.1)
        * pow(exp(-distance / 0.08), exponents.2) + 1e-12
    }
  }
}
