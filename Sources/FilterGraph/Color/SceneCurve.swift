import Libc

/// How the light of a scene becomes that of a display: from black to the scene's white along a sigmoid over the
/// logarithm of light, through middle grey.
///
///     f(x) = ((x + fog) / grey)^contrast - (fog / grey)^contrast
///     y(x) = a · f(x) / (f(x) + b),      y(grey) = grey = 0.18,  y(white) = 1
///
/// Its ends are a toe and a shoulder like those of film: deep shadows keep their steps, and highlights roll off
/// instead of being cut. It acts on the largest and the smallest channel and keeps hues (`LightCurves.hueKeeping`), so
/// that bright colours become paler towards white.
///
/// Source of the form: Naka and Rushton, "S-potentials from colour units in the retina of fish", 1966, the usual model
/// of how receptors of light saturate.
public struct SceneCurve: Sendable, Hashable {
  /// The exponent, which is the slope at middle grey on logarithmic axes, by and large; 0.5…3.
  public var contrast: Double

  /// The contrast without which raws look flat and with which they look like photos.
  public static let standardContrast = 1.6
  /// Linear light that becomes the same light.
  package static let grey = 0.18
  /// Keeps the toe from becoming black too early.
  private static let fog = 0.006
  /// How much brighter than the light that fills the sensor the scene's white is: highlights that were recovered are
  /// there.
  private static let headroom = 1.25
  /// The brightest light that the curve bends for, as a multiple of the scene's white.
  private static let reach = 4.0

  public init(contrast: Double = SceneCurve.standardContrast) { self.contrast = contrast }

  /// Returns what light becomes in a scene whose sensor is full at `full`.
  package func evaluate(_ x: Double, full: Double) -> Double {
    let toe = pow(Self.fog / Self.grey, contrast)
    func f(_ x: Double) -> Double { pow((x + Self.fog) / Self.grey, contrast) - toe }
    let white = white(full: full)
    // a = grey (g + b) / g and a = (w + b) / w, for the values g and w of f.
    let (g, w) = (f(Self.grey), f(white))
    let b = (1 - Self.grey) / (Self.grey / g - 1 / w)
    let a = (w + b) / w
    let value = f(max(x, 0))
    return a * value / (value + b)
  }

  /// Returns the light that becomes white: a little more than fills the sensor, and for low contrasts as much as leaves
  /// middle grey where it is.
  package func white(full: Double) -> Double {
    let toe = pow(Self.fog / Self.grey, contrast)
    let grey = pow((Self.grey + Self.fog) / Self.grey, contrast) - toe
    let least = Self.grey * pow(toe + 1.1 * grey / Self.grey, 1 / contrast) - Self.fog
    return max(Self.headroom * full, least)
  }

  /// The brightest light that `curve` takes, which 1 stands for.
  package func range(full: Double) -> Double { Self.reach * white(full: full) }

  /// The curve over light divided by `range`.
  package func curve(full: Double) -> LightCurve {
    let range = range(full: full)
    return LightCurve { evaluate($0 * range, full: full) }
  }
}
