import FrameCore
import Libc
import TestSupport

/// Light of a made scene, 1 being white at 0 EV: discs that lie over each other ("dead leaves": A. B. Lee and
/// others, 2001), blurred and photographed as told.
package struct DrawnScene: Sendable {
  package let width: Int
  package let height: Int
  private var light: [Double]

  /// - Parameter stops: how much darker than white the darkest discs are, in EV.
  package init(_ width: Int, _ height: Int, discs: Int = 300, stops: Double = 5, seed: UInt64 = 1) {
    (self.width, self.height) = (width, height)
    var random = SeededRandom(seed: seed)
    light = [Double](repeating: 0.1, count: width * height)
    for _ in 0..<discs {
      let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
      let radius = Int.random(in: 3...30, using: &random)
      let level = exp2(Double.random(in: -stops...0, using: &random))
      for row in max(0, y - radius)..<min(height, y + radius) {
        for column in max(0, x - radius)..<min(width, x + radius)
        where (column - x) * (column - x) + (row - y) * (row - y) < radius * radius {
          light[row * width + column] = level
        }
      }
    }
  }

  /// The light at a place between samples, by bilinear interpolation; outside, the nearest.
  private func light(_ x: Double, _ y: Double) -> Double {
    let (x, y) = (min(max(x, 0), Double(width - 1)), min(max(y, 0), Double(height - 1)))
    let (column, row) = (min(Int(x), width - 2), min(Int(y), height - 2))
    let (right, down) = (x - Double(column), y - Double(row))
    let at = row * width + column
    let above = light[at] * (1 - right) + light[at + 1] * right
    let below = light[at + width] * (1 - right) + light[at + width + 1] * right
    return above * (1 - down) + below * down
  }

  /// The scene moved by `length` samples during the exposure, at an angle in degrees, counter-clockwise from
  /// level.
  package func moved(_ length: Double, degrees: Double) -> DrawnScene {
    let (dx, dy) = (cos(degrees * .pi / 180), -sin(degrees * .pi / 180))
    let steps = max(Int((2 * length).rounded(.up)), 1)
    var moved = self
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0.0
        for step in 0..<steps {
          let place = ((Double(step) + 0.5) / Double(steps) - 0.5) * length
          sum += light(Double(x) + place * dx, Double(y) + place * dy)
        }
        moved.light[y * width + x] = sum / Double(steps)
      }
    }
    return moved
  }

  /// The scene out of focus: about a Gaussian, by two boxes each way.
  package func blurred(_ width: Double) -> DrawnScene {
    var blurred = self
    for degrees in [0.0, 90, 0, 90] { blurred = blurred.moved(width, degrees: degrees) }
    return blurred
  }

  /// This scene, and another where `isOther`.
  package func with(_ other: DrawnScene, where isOther: (Int, Int) -> Bool) -> DrawnScene {
    var both = self
    for y in 0..<height {
      for x in 0..<width where isOther(x, y) { both.light[y * width + x] = other.light[y * width + x] }
    }
    return both
  }

  /// A photo of a part of the scene.
  ///
  /// - Parameters:
  ///   - stops: the exposure, in EV.
  ///   - margin: what is left out at each edge, in samples.
  ///   - shift: how far the part is moved within the margin.
  ///   - noise: the standard deviation of encoded samples, about that of a sum of two uniform ones.
  package func photo(
    stops: Double = 0, margin: Int = 0, shift: (x: Int, y: Int) = (0, 0), noise: Double = 0,
    format: PixelFormat = .rgba8, seed: UInt64 = 1
  ) throws -> PixelBuffer {
    let size = PixelSize(width: width - 2 * margin, height: height - 2 * margin)
    let photo = try PixelBuffer(size: size, format: format)
    var random = SeededRandom(seed: seed)
    let spread = noise * 1.5.squareRoot()
    for y in 0..<size.height {
      for x in 0..<size.width {
        let light = light[(y + margin + shift.y) * width + x + margin + shift.x]
        var level = pow(min(light * exp2(stops), 1), 1 / 2.2)
        if noise > 0 {
          level += Double.random(in: -spread...spread, using: &random)
          level += Double.random(in: -spread...spread, using: &random)
        }
        for channel in 0..<4 {
          let sample = channel == 3 ? 1 : min(max(level, 0), 1)
          if format == .rgba16 {
            photo.row(y, as: UInt16.self)[4 * x + channel] = UInt16((sample * 65_535).rounded())
          } else {
            photo.row(y, as: UInt8.self)[4 * x + channel] = UInt8((sample * 255).rounded())
          }
        }
      }
    }
    return photo
  }
}
