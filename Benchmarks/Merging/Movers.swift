import Glibc
import Safelight

/// Things that move before a scene: of strong and weak texture, flat, hardly visible, and thin.
struct Movers {
  let frame: Int

  /// Draws them on the light of a frame; `base` gives what is hardly visible its texture.
  func draw(on light: LightPlane, over base: LightPlane) -> PixelMask {
    var mask = PixelMask(Burst.size)
    func put(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: (Int, Int) -> SIMD4<Float>) {
      for j in 0..<height {
        for i in 0..<width {
          light[x + i, y + j] = color(i, j).clamped(lowerBound: .zero, upperBound: .one)
          mask[x + i, y + j] = true
        }
      }
    }
    put(300 + 12 * frame, 200, 160, 120) { Self.texture($0, $1, strength: 0.4) }
    put(1500, 300 + 15 * frame, 160, 120) { Self.texture($0, $1, strength: 0.06) }
    put(700 + 9 * frame, 500, 150, 150) { _, _ in SIMD4(0.5, 0.5, 0.5, 0) }
    put(1100 + 7 * frame, 700, 200, 120) { base[1100 + $0, 700 + $1] * 1.15 }
    for line in 0..<6 { put(200, 850 + 20 * line + 2 * frame, 700, 1) { _, _ in SIMD4(0.8, 0.8, 0.8, 0) } }
    // What is seen from far away and changes little: leaves, water.
    put(1000 + 3 * frame, 150, 200, 150) { i, j in
      base[1000 + i, 150 + j] + Self.texture(i, j, strength: 0.02) - 0.02
    }
    return mask
  }

  /// Waves of several lengths, down to four pixels.
  private static func texture(_ x: Int, _ y: Int, strength: Float) -> SIMD4<Float> {
    let (u, v) = (Float(x), Float(y))
    let red: Float = sin(u / 0.9 + 3 * sin(v / 7)) + sin(v / 2.1)
    let green: Float = sin(v / 1.1 + 2 * sin(u / 9)) + sin(u / 1.7)
    let blue: Float = sin((u + v) / 1.9) + sin((u - v) / 2.6)
    return (SIMD4(red, green, blue, 0) * 0.45 + 1) * strength
  }
}
