import ColorScience
import FrameCore
import Libc
import TestSupport

@testable import FrameAnalysis

/// Frames of a scene given by a formula, as a sensor sees them from different places: with shot noise and
/// read noise, in 8 bits.
package struct MergeScene {
  package let size: PixelSize
  /// Linear R, G, B, 0…1, at a position in pixels.
  package var light: (_ x: Double, _ y: Double, _ frame: Int) -> SIMD3<Double>
  /// The variance of the noise at white, and at black, in linear light.
  package var noise = (white: 1e-3, black: 1.5e-5)

  package init(size: PixelSize, _ light: @escaping (Double, Double, Int) -> SIMD3<Double>) {
    self.size = size
    self.light = light
  }

  /// Coloured textures of several sizes.
  package static func textures(size: PixelSize, seed: Int) -> MergeScene {
    let (coarse, medium, fine) = (
      Scenes.Texture(seed: seed, cell: 41), Scenes.Texture(seed: seed + 1, cell: 13),
      Scenes.Texture(seed: seed + 2, cell: 5)
    )
    return MergeScene(size: size) { x, y, _ in
      let base = 0.1 + 0.5 * coarse(x, y)
      let tint = SIMD3(medium(x, y), medium(x + 90, y), medium(x, y + 90))
      return (base * (0.4 + 0.6 * tint)) * (0.7 + 0.3 * fine(x, y))
    }
  }

  /// Textures at two distances, alternating between the quarters of the picture: those of one move half a
  /// pixel a frame to the left, the others to the right.
  package static func parallax(size: PixelSize) -> MergeScene {
    let ground = textures(size: size, seed: 12)
    return MergeScene(size: size) { x, y, frame in
      let isNear = (x < Double(size.width) / 2) == (y < Double(size.height) / 2)
      return ground.light(x + (isNear ? 0.5 : -0.5) * Double(frame), y, 0)
    }
  }

  /// The centre, in a frame, of the disc of `disc(contrast:size:)`, and its radius, in pixels.
  package static func discCenter(_ frame: Int) -> SIMD2<Double> { SIMD2(70 + 5 * Double(frame), 80) }
  package static let discRadius = 36.0

  /// Textures, and a disc with another texture that moves by 5 pixels a frame and covers what is behind it by
  /// `contrast`, 0…1.
  package static func disc(contrast: Double, size: PixelSize) -> MergeScene {
    let ground = textures(size: size, seed: 3)
    return MergeScene(size: size) { x, y, frame in
      let light = ground.light(x, y, 0)
      let offset = SIMD2(x, y) - discCenter(frame)
      guard (offset * offset).sum() < discRadius * discRadius else { return light }
      let own = ground.light(offset.x + 900, offset.y + 700, 0)
      return light + (own - light) * contrast
    }
  }

  /// Whether a pixel is within `margin` of the disc in one of `frames`.
  package static func isDisc(_ x: Int, _ y: Int, _ frames: Range<Int>, margin: Double = 0) -> Bool {
    frames.contains { frame in
      let offset = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - discCenter(frame)
      return (offset * offset).sum() < (discRadius + margin) * (discRadius + margin)
    }
  }

  /// A camera's displacement: content moves by `shift` and turns by `degrees` around the middle.
  package struct View {
    package var shift = SIMD2<Double>.zero
    package var degrees = 0.0

    package init(shift: SIMD2<Double> = .zero, degrees: Double = 0) {
      (self.shift, self.degrees) = (shift, degrees)
    }

    /// Where a point of the scene, in pixels from the upper left corner, is seen.
    package func image(of point: SIMD2<Double>, _ size: PixelSize) -> SIMD2<Double> {
      let centre = SIMD2(Double(size.width), Double(size.height)) / 2
      let heading = heading(degrees * .pi / 180)
      let p = point - centre
      return centre + shift
        + SIMD2(p.x * heading.x - p.y * heading.y, p.x * heading.y + p.y * heading.x)
    }

    /// The point of the scene that is seen at a place.
    package func point(at place: SIMD2<Double>, _ size: PixelSize) -> SIMD2<Double> {
      let centre = SIMD2(Double(size.width), Double(size.height)) / 2
      let heading = heading(degrees * .pi / 180)
      let p = place - centre - shift
      return centre + SIMD2(p.x * heading.x + p.y * heading.y, -p.x * heading.y + p.y * heading.x)
    }
  }

  /// The encoded R, G, B of a frame without noise; each pixel is the mean of 3 × 3 samples of light.
  package func clean(_ view: View = View(), frame: Int = 0) -> MergeReference.Picture {
    MergeReference.Picture(width: size.width, height: size.height) { x, y in
      var sum = SIMD3<Double>.zero
      for j in 0..<3 {
        for i in 0..<3 {
          let place = SIMD2(Double(x) + (Double(i) + 0.5) / 3, Double(y) + (Double(j) + 0.5) / 3)
          let point = view.point(at: place, size)
          sum += light(point.x, point.y, frame) / 9
        }
      }
      return ColorSpace.sRGB.encode(sum)
    }
  }

  /// The frame as a camera gives it.
  package func frame(_ view: View = View(), frame: Int = 0, seed: Int) throws -> PixelBuffer {
    try noisy(clean(view, frame: frame), seed: seed)
  }

  /// A picture with noise.
  package func noisy(_ clean: MergeReference.Picture, seed: Int) throws -> PixelBuffer {
    var random = SeededRandom(seed: UInt64(seed))
    // The sum of twelve numbers of variance 1/12.
    func normal() -> Double {
      (0..<12).reduce(-6) { (sum: Double, _) in sum + Double.random(in: 0..<1, using: &random) }
    }
    return try Pictures.rgba8(size.width, size.height) { x, y in
      let light = ColorSpace.sRGB.decode(clean(x, y))
      var code = SIMD3<UInt8>()
      for channel in 0..<3 {
        let variance = noise.white * light[channel] + noise.black
        let seen = ColorSpace.sRGB.encode(SIMD3(repeating: light[channel] + variance.squareRoot() * normal()))
        code[channel] = UInt8(min(max((seen.x * 255).rounded(), 0), 255))
      }
      return code
    }
  }
}

extension MergeReference.Picture {
  /// The peak signal-to-noise ratio against `clean`, in dB, of the pixels that `counts` picks.
  package func quality(
    against clean: MergeReference.Picture, where counts: (Int, Int) -> Bool = { _, _ in true }
  ) -> Double {
    var (sum, count) = (0.0, 0.0)
    for index in rgb.indices where counts(index % width, index / width) {
      let error = rgb[index] - clean.rgb[index]
      sum += (error * error).sum() / 3
      count += 1
    }
    return -10 * log10(sum / count)
  }
}
