import ColorScience
import FrameCore
import Libc

/// What a film and its print make of light, exactly. All light is linear Rec. 2020, 1 = white.
///
///     e  = in, none of it negative; of black and white films (m + √(m² + (0.3 Y)²)) / (1 + √1.09) in all layers,
///          m = Σ shares · in / Σ shares, Y its luminance: a share below 0 darkens, and never to nothing
///     x  = log2(max(e, 1e-6) / 0.18) + exposure
///     s  = softness · log10 2 · (p((x + toe) / softness) - p((x - shoulder) / softness)),  p(u) = log10(1 + 10^u)
///     D  = gamma · (s + Σ inhibition of the other layers / 2 · (s - theirs))
///     h  = printing light - D
///     P  = contrast · glow · (p(h / glow) - p((h - density / contrast) / glow))
///     P' = dyes · P;  P' += silver · (0.25, 0.6, 0.15)·P';  P' += depth · (√(0.36 var s + 0.03²) - 0.03)
///     t  = ((10^-P' - that of black) / (that of white - that of black)) ^ power,  out = black + (white - black) · t
///
/// Each row of `dyes` adds up to 1. The printing light, between all white and all black, and each channel's power are those
/// that bring 0.18 to `middle`.
/// Inhibition, dyes and depth leave greys alone, so each channel of a grey is a monotone curve, as long as its tint is
/// within sRGB.
///
/// Sources: the difference of two soft bends is a characteristic curve as data sheets draw it, with its straight part and
/// its latitude; inhibition and unwanted absorptions as 3×3 matrices on densities are those of T. H. James (ed.), The
/// Theory of the Photographic Process, 4th ed.; `compressed` is ACES' Reference Gamut Compression 1.3 with one threshold.
struct FilmModel {
  /// The encoding of the samples that tables of films expect and return.
  static let encoding = ColorSpace.rec2020Video
  private static let linear = ColorSpace.linearRec2020
  private static let toSRGB = linear.matrix(to: .linearSRGB)
  private static let fromSRGB = ColorSpace.linearSRGB.matrix(to: linear)
  private static let luminance = linear.toXYZ.rows[1]
  /// How a dye's unwanted absorption is shared out: cyan's, magenta's, yellow's, over red, green and blue.
  private static let absorptions = [SIMD3(0, 0.6, 0.4), SIMD3(0.35, 0, 0.65), SIMD3(0.15, 0.85, 0)]
  /// How silver weighs the densities of the three dyes.
  static let silverShares = SIMD3(0.25, 0.6, 0.15)

  /// Shares of red, green and blue in the grey of a black and white film, their sum 1.
  let shares: SIMD3<Double>?
  let gamma: SIMD3<Double>
  /// What each layer's density at unit gamma becomes through inhibition.
  let inhibition: Matrix3x3
  let dyes: Matrix3x3
  let silver: Double
  let depth: Double
  /// The light that becomes white.
  let brightest: Double
  private let exposure, toe, shoulder, softness: Double
  private let contrast, density, glow: Double
  private(set) var printing = 0.0
  /// What passes through the print of black and of the brightest light.
  private(set) var darkest = SIMD3<Double>(), lightest = SIMD3<Double>()
  private(set) var power = SIMD3<Double>(repeating: 1)
  let black, white: SIMD3<Double>

  init(_ film: Film) {
    switch film.sensitivity {
    case .color: shares = nil
    case .panchromatic(let red, let green, let blue):
      shares = SIMD3(red, green, blue) / (red + green + blue)
    }
    gamma = film.gamma.simd
    let held = film.inhibition.simd / 2
    inhibition = Matrix3x3(
      rows: SIMD3(1 + held.y + held.z, -held.y, -held.z), SIMD3(-held.x, 1 + held.x + held.z, -held.z),
      SIMD3(-held.x, -held.y, 1 + held.x + held.y))
    let amounts = film.dyes.simd
    func row(_ channel: Int) -> SIMD3<Double> {
      var row = SIMD3<Double>()
      for dye in 0..<3 { row[dye] = amounts[dye] * Self.absorptions[dye][channel] }
      row[channel] = 1 - row.sum()
      return row
    }
    dyes = Matrix3x3(rows: row(0), row(1), row(2))
    (silver, depth) = (Double(film.silver) / 100, Double(film.depth) / 100)
    (exposure, toe) = (Double(film.exposure), Double(film.toe))
    (shoulder, softness) = (Double(film.shoulder), Double(film.softness))
    (contrast, density, glow) = (Double(film.contrast), Double(film.density), Double(film.glow))
    brightest = exp2(Double(film.headroom))
    black = Self.fromSRGB * ColorSpace.sRGB.decode(film.black.simd / 100)
    white = Self.fromSRGB * ColorSpace.sRGB.decode(film.white.simd / 100)
    let stops = film.middle.simd
    meet(Self.fromSRGB * (0.18 * SIMD3(exp2(stops.x), exp2(stops.y), exp2(stops.z))))
  }

  /// Finds the printing light and the powers that bring middle grey to `target`.
  private mutating func meet(_ target: SIMD3<Double>) {
    func log(_ value: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(Libc.log(value.x), Libc.log(value.y), Libc.log(value.z))
    }
    let wanted = log(target)
    var share = SIMD3<Double>()
    // More printing light makes a darker print. Outside of these the print is all white or all black.
    var low = gamma.max() * filmDensity(brightest) - 3 * glow
    var high = max(low, density / contrast) + 3 * glow
    for _ in 0..<44 {
      printing = (low + high) / 2
      darkest = passed(by: SIMD3(repeating: 0))
      lightest = passed(by: SIMD3(repeating: brightest))
      let grey = (passed(by: SIMD3(repeating: 0.18)) - darkest) / (lightest - darkest)
      share = log(grey.clamped(lowerBound: SIMD3(repeating: 1e-6), upperBound: SIMD3(repeating: 1 - 1e-6)))
      if share.sum() > wanted.sum() { low = printing } else { high = printing }
    }
    power = wanted / share
  }

  /// Returns what the film and its print make of a colour.
  func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let light = passed(by: color)
    return Self.compressed(SIMD3(tone(light.x, 0), tone(light.y, 1), tone(light.z, 2)))
  }

  /// What passes through the print, before it is brought to black, middle and white.
  private func passed(by color: SIMD3<Double>) -> SIMD3<Double> {
    let e = exposed(color)
    let s = SIMD3(filmDensity(e.x), filmDensity(e.y), filmDensity(e.z))
    let h = SIMD3(repeating: printing) - gamma * (inhibition * s)
    var p = dyes * SIMD3(printDensity(h.x), printDensity(h.y), printDensity(h.z))
    p += silver * (Self.silverShares * p).sum()
    p += depth * Self.spread(s)
    return SIMD3(exp10(-p.x), exp10(-p.y), exp10(-p.z))
  }

  /// The light that exposes the layers.
  func exposed(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let light = color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .greatestFiniteMagnitude))
    guard let shares else { return light }
    let mix = (shares * light).sum()
    let soft = 0.3 * (Self.luminance * light).sum()
    return SIMD3(repeating: (mix + (mix * mix + soft * soft).squareRoot()) / (1 + 1.09.squareRoot()))
  }

  /// A layer's density at unit gamma.
  func filmDensity(_ light: Double) -> Double {
    let x = log2(max(light, 1e-6) / 0.18) + exposure
    return softness * log10(2.0)
      * (Self.bend((x + toe) / softness) - Self.bend((x - shoulder) / softness))
  }

  /// A dye's density in the print for this much light, as a logarithm.
  func printDensity(_ h: Double) -> Double {
    contrast * glow * (Self.bend(h / glow) - Self.bend((h - density / contrast) / glow))
  }

  /// How far the layers' densities are apart.
  static func spread(_ s: SIMD3<Double>) -> Double {
    let apart = s - s.sum() / 3
    return (0.36 * (apart * apart).sum() / 3 + 0.0009).squareRoot() - 0.03
  }

  /// What passed through the print as light between black and white.
  func tone(_ passed: Double, _ channel: Int) -> Double {
    let share = (passed - darkest[channel]) / (lightest[channel] - darkest[channel])
    // So near to black it is rounding, which a small power would make visible.
    guard share > 1e-9 else { return black[channel] }
    return black[channel] + (white[channel] - black[channel]) * pow(share, power[channel])
  }

  /// log10(1 + 10^u), without overflow.
  private static func bend(_ u: Double) -> Double { max(u, 0) + log1p(exp10(-abs(u))) / log(10.0) }

  private static func exp10(_ x: Double) -> Double { exp(x * log(10.0)) }
  private func exp10(_ x: Double) -> Double { Self.exp10(x) }

  // MARK: Into sRGB

  /// Distances from the lightest channel that are left alone, and the one that comes to the border of sRGB.
  static let threshold = 0.8
  private static let limit = 1.25

  /// Returns a colour within sRGB, or nearly, with its lightest channel of sRGB unchanged.
  static func compressed(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let srgb = toSRGB * color
    let most = srgb.max()
    guard most > 0 else { return color }
    var near = SIMD3<Double>()
    for channel in 0..<3 { near[channel] = most * (1 - compressed(distance: 1 - srgb[channel] / most)) }
    return fromSRGB * near
  }

  static func compressed(distance: Double) -> Double {
    guard distance > threshold else { return distance }
    let power = 1.2
    let scale =
      (limit - threshold) / pow(pow((1 - threshold) / (limit - threshold), -power) - 1, 1 / power)
    let x = (distance - threshold) / scale
    return threshold + scale * x / pow(1 + pow(x, power), 1 / power)
  }
}
