import ColorScience
import Libc

/// Changes of colours by their hue, as tables over it; on linear RGB of `PlanBuilder.workingSpace`, in OKLab.
///
///     C²    = a² + b²,  h = the hue of (a, b),  z = a + ib
///     up    = 1 + C² / (C² + fade²) · (turn(h) - 1 + vibrance(h) / (1 + (C / 0.12)²))        complex
///     gain  = 1 + lightness(h) · C² / (C² + 0.06²)
///     L'    = gain · L,  z' = min(gain, 1) · down(h) · up · z
///
/// `turn` is a rotation of the hue with a factor of at least 1 for chroma, `down` one of at most 1. All but `down` fades
/// out towards grey, where the hue is that of noise: greys stay, and no noise is enlarged. What gets darker loses chroma
/// with it, like light that is filtered, and so stays within the gamut.
///
/// Between its entries a table is a straight line over t, a hue in 0…4 that needs no arctangent:
///
///     p = b / (|a| + |b|),  t = 1 + p for a ≥ 0, 3 - p for others
///
/// Source of the space: Ottosson, "A perceptual color space for image processing", 2020.
public struct HueAdjustment: Sendable, Hashable {
  /// What becomes of one hue.
  public struct Change: Sendable, Hashable {
    /// The turn of the hue, in degrees.
    public var turn = 0.0
    /// The factor of chroma, at least 0.
    public var chroma = 1.0
    /// The factor of weak colours' chroma less 1, at least -1; strong ones have less of it.
    public var vibrance = 0.0
    /// The relative change of lightness of strong colours, above -1.
    public var lightness = 0.0

    public init(turn: Double = 0, chroma: Double = 1, vibrance: Double = 0, lightness: Double = 0) {
      (self.turn, self.chroma, self.vibrance, self.lightness) = (turn, chroma, vibrance, lightness)
    }
  }

  /// `count + 1` entries of the turn's real part less 1, of its imaginary part, of vibrance, down and lightness.
  package let tables: [Float]
  /// The square of the chroma at which half of what fades out is reached.
  package let fade: Double
  /// What the plan says of it: `hsl blue lightness -40`.
  public let text: String

  /// Entries of a turn of the hue: each is about a degree.
  package static let count = 360
  /// The square of the chroma at which half of vibrance is left.
  package static let vibranceSquare = 0.12 * 0.12
  /// The square of the chroma at which half of the change of lightness is reached.
  package static let lightnessSquare = 0.06 * 0.06
  /// Chroma at which what fades out has reached half.
  private static let fadeChroma = 0.015

  /// - Parameters:
  ///   - fades: whether the turn, and more chroma, fade out towards grey.
  ///   - change: what becomes of a hue in degrees, 0 ≤ hue < 360; continuous, also from 360 to 0.
  public init(fades: Bool = true, text: String, _ change: (_ hue: Double) -> Change) {
    self.text = text
    // What fades at no chroma is there for every colour but grey itself.
    fade = fades ? Self.fadeChroma * Self.fadeChroma : 1e-20
    let changes = (0...Self.count).map { index -> Change in
      change(Self.hue(at: 4 * Double(index % Self.count) / Double(Self.count)))
    }
    let turns = changes.map { change -> SIMD2<Double> in
      let (radians, scale) = (change.turn * .pi / 180, max(change.chroma, 1))
      return SIMD2(scale * cos(radians) - 1, scale * sin(radians))
    }
    tables =
      turns.map { Float($0.x) } + turns.map { Float($0.y) } + changes.map { Float($0.vibrance) }
      + changes.map { Float(min($0.chroma, 1)) } + changes.map { Float($0.lightness) }
  }

  /// Returns the hue in degrees, 0…360, at t.
  static func hue(at t: Double) -> Double {
    // (a, b) on the square |a| + |b| = 1.
    let b = t <= 2 ? t - 1 : 3 - t
    let a = (t <= 2 ? 1 : -1) * (1 - abs(b))
    let degrees = atan2(b, a) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Returns t of (a, b); 1 of grey.
  private static func place(_ a: Double, _ b: Double) -> Double {
    let sum = abs(a) + abs(b)
    guard sum > 1e-30 else { return 1 }
    return a >= 0 ? 1 + b / sum : 3 - b / sum
  }

  /// Returns what linear RGB becomes.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let toXYZ = ColorSpace.linearRec2020.toXYZ
    let lab = OKLab.fromXYZ(toXYZ * rgb)
    guard !lab.y.isNaN, !lab.z.isNaN else { return SIMD3(repeating: .nan) }
    let index = Self.place(lab.y, lab.z) / 4 * Double(Self.count)
    let i = min(Int(index), Self.count - 1)
    func value(_ table: Int) -> Double {
      let first = table * (Self.count + 1) + i
      let (low, high) = (Double(tables[first]), Double(tables[first + 1]))
      return low + (index - Double(i)) * (high - low)
    }
    let square = lab.y * lab.y + lab.z * lab.z
    let part = square / (square + fade)
    let real = 1 + part * (value(0) + value(2) / (1 + square / Self.vibranceSquare))
    let imaginary = part * value(1)
    let gain = 1 + value(4) * square / (square + Self.lightnessSquare)
    let scale = min(gain, 1) * value(3)
    let changed = SIMD3(
      gain * lab.x, scale * (real * lab.y - imaginary * lab.z), scale * (real * lab.z + imaginary * lab.y))
    return toXYZ.inverse * OKLab.toXYZ(changed)
  }

  /// Whether all numbers are finite.
  var isFinite: Bool { tables.allSatisfy(\.isFinite) }
}
