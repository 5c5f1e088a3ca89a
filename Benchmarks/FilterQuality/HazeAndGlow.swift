import BenchmarkSupport
import Glibc
import Safelight

extension Evaluation {
  /// Haze of known light and transmission over a scene of known colours.
  func reportHaze() throws {
    report.heading("Haze")
    report.say(
      "A scene of coloured squares under haze whose transmission falls from left to right: the mean difference from the scene "
        + "without haze in EV, before and after --dehaze 100, and of a scene without haze after it."
    )
    let size = PixelSize(width: 1536, height: 1024)
    let air = SIMD3<Float>(0.75, 0.8, 0.85)
    func scene(_ x: Int, _ y: Int) -> SIMD3<Float> {
      var random = SplitMix64(seed: UInt64(x / 24 * 1000 + y / 24))
      func part() -> Float { Float(random.next() % 1000) / 1000 }
      // Most patches have something dark in them, as outdoor pictures do.
      return SIMD3(part(), part(), part()) * SIMD3(repeating: 0.02 + 0.6 * part() * part())
    }
    func hazy(until furthest: Float) throws -> LightPicture {
      try LightPicture(size, space: .linearRec2020) { x, y in
        let through = 1 - (1 - furthest) * Float(x) / Float(size.width)
        return scene(x, y) * through + air * (1 - through)
      }
    }
    func difference(_ picture: LightPicture) -> Double {
      var sum = 0.0
      for y in stride(from: 0, to: size.height, by: 3) {
        for x in stride(from: 0, to: size.width, by: 3) {
          let (edited, original) = (picture.pixel(x, y), scene(x, y))
          sum += abs(log2(Double((edited.sum() + 0.01) / (original.sum() + 0.01))))
        }
      }
      return sum / Double(((size.width + 2) / 3) * ((size.height + 2) / 3))
    }
    report.table(
      ["transmission at the right edge", "haze", "after"],
      try [1, 0.8, 0.6, 0.4].map { (furthest: Float) in
        let picture = try hazy(until: furthest)
        let after = try picture.edited([Dehaze(100)])
        return ["\(furthest)", fixed(difference(picture), 3), fixed(difference(after), 3)]
      })
  }

  /// The shape of the light about a small, bright disc.
  func reportGlow() throws {
    report.heading("Halation")
    report.say(
      "The glow of --halation 100 about a white disc on black, in percent of white, at distances in percent of the diagonal; and "
        + "how far it is from round: the largest difference between the glow along an axis and along a diagonal, in percent of white."
    )
    let size = PixelSize(width: 1200, height: 900)
    let (cx, cy, diagonal) = (600.0, 450.0, 1500.0)
    let disc = try LightPicture(size, space: .linearRec2020) { x, y in
      hypot(Double(x) - cx, Double(y) - cy) < 12 ? SIMD3(repeating: 2) : .zero
    }
    let glow = try disc.edited([Halation(100)])
    func light(_ distance: Double, _ angle: Double) -> SIMD3<Float> {
      glow.pixel(Int((cx + distance * cos(angle)).rounded()), Int((cy + distance * sin(angle)).rounded()))
    }
    report.table(
      ["distance", "red", "green", "blue", "not round"],
      [1.5, 2, 3, 4].map { percent in
        let distance = percent / 100 * diagonal
        let (axis, slanted) = (light(distance, 0), light(distance, .pi / 4))
        let apart = (axis - slanted).max() - min(0, (axis - slanted).min())
        return ["\(percent)"] + (0..<3).map { fixed(100 * Double(axis[$0]), 3) }
          + [fixed(100 * Double(apart), 3)]
      })
  }
}
