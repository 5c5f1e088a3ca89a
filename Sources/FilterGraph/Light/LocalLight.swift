import ColorScience
import FrameCore
import Libc

/// Highlights, shadows and clarity: light multiplied by a gain that depends on the light around a pixel, so that
/// regions become brighter or darker while the detail in them stays.
///
///     n      = Σ|c|³ / Σ c²,  c = toWorking · rgb              brightness of a colour; of a grey, its value
///     e      = log2((n + δ) / (0.18 + δ)),  δ = 0.0005        EV from middle grey
///     base   = a · e + b                                      the light around the pixel, edges kept: `LightGrid`
///     detail = e − (c · e + d)                                what stands out from its closer surroundings
///     stops  = 0.6 · highlights · S(0, 1.5, base) · (1 − S(1.5, 3, base))
///            + 0.7 · min(highlights, 0) · S(1.5, 4.5, base)
///            + 1.3 · shadows · S(0, 2.6, −base) · (1 − 0.8 · S(2.6, 7.6, −base))
///            + 0.8 · clarity · detail / √(1 + detail²)
///
/// with S(x, y, e) = 3u² − 2u³, u = clip((e − x) / (y − x), 0, 1). Highlights act most 1.5 EV above middle grey and
/// little on white itself, but recover what an exposure pushed beyond it; shadows act most 2.6 EV below middle grey and
/// keep black. In a region of even light, base is e and detail is 0, and the stops are a function of e that never
/// reverses tones.
///
/// δ is the light of about two of 255 codes, below which there is more noise than picture.
///
/// Sources: local tone by a gain on an edge-preserving base is Durand and Dorsey, "Fast bilateral filtering for the
/// display of high-dynamic-range images", SIGGRAPH 2002; the brightness is the power norm of darktable's filmic module.
public struct LocalLight: Sendable, Hashable {
  /// -1…1; 0 changes nothing.
  public var highlights, shadows, clarity: Double
  /// In a group, by how many EV the filters ahead of this one brighten a grey: highlights and shadows are those of the
  /// light that they leave.
  public internal(set) var shift = 0.0
  /// From linear RGB where the field is to the working space, in which brightness is measured.
  public internal(set) var toWorking: Matrix3x3
  /// From pixels, wherever the picture was cropped and turned to, to nodes of the grid: node (0, 0) is at 0, 0.
  public internal(set) var toGrid: AffineMap
  /// The nodes along both axes.
  public let gridSize: PixelSize

  /// - Parameters:
  ///   - source: the size of the picture as stored, uncropped.
  ///   - map: from pixels here to pixels as stored.
  init(highlights: Double, shadows: Double, clarity: Double, source: PixelSize, map: AffineMap) {
    (self.highlights, self.shadows, self.clarity) = (highlights, shadows, clarity)
    toWorking = Matrix3x3(rows: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    gridSize = LightGrid.size(for: source)
    toGrid =
      map.then(
        .scale(
          Double(gridSize.width) / Double(source.width), Double(gridSize.height) / Double(source.height))
      ).then(.translation(-0.5, -0.5)).inSinglePrecision
  }

  /// The EV in which brightness is measured; brighter light counts as the last.
  package static let stops = log2(floor / (middleGrey + floor))...6.0
  package static let middleGrey = 0.18
  package static let floor = 0.0005
  /// The gain of detail at full clarity, in EV for an EV of faint detail and for any amount of strong detail.
  package static let mostClarity = 0.8

  /// Returns the brightness of a colour of linear RGB, in EV from middle grey.
  package func brightness(_ rgb: SIMD3<Double>) -> Double { Self.brightness(rgb, toWorking: toWorking) }

  static func brightness(_ rgb: SIMD3<Double>, toWorking: Matrix3x3) -> Double {
    min(log2((norm(toWorking * rgb) + floor) / (middleGrey + floor)), stops.upperBound)
  }

  /// n of a colour of the working space.
  static func norm(_ color: SIMD3<Double>) -> Double {
    // The cubes of larger values would be infinite in single precision. NaN is no light.
    let levels = pointwiseMin(color.replacing(with: -color, where: color .< 0), SIMD3(repeating: 1e6))
    let squares = (levels * levels).sum()
    return squares > 1e-22 ? (levels * levels * levels).sum() / squares : 0
  }

  /// Returns the gain of a pixel, in EV.
  func change(of rgb: SIMD3<Double>, at place: (x: Double, y: Double), in grid: LightGrid?) -> Double {
    let e = brightness(rgb)
    guard let grid else { return regions(at: e) }
    let node = grid.node(at: toGrid.apply(place.x, place.y))
    let base = node.x * e + node.y
    let detail = e - (node.z * e + node.w)
    return regions(at: base) + Self.mostClarity * clarity * detail / (1 + detail * detail).squareRoot()
  }

  /// Returns what highlights and shadows add to light of `e`, in EV.
  package func regions(at e: Double) -> Double {
    Self.regions(at: e + shift, highlights: highlights, shadows: shadows)
  }

  package static func regions(at e: Double, highlights: Double, shadows: Double) -> Double {
    guard e > 0 else { return shadows * dark.change(-e) }
    return highlights * bright.change(e) + white.stops * min(highlights, 0)
      * ToneCurve.smoothStep(white.begin, white.end, e)
  }

  /// Light that an amount of 1 makes brighter by stops · S(0, peak, u) · (1 − falls · S(peak, end, u)), u its distance
  /// from middle grey in EV.
  package struct Region: Sendable {
    package let stops, peak, end, falls: Double

    func change(_ distance: Double) -> Double {
      stops * ToneCurve.smoothStep(0, peak, distance)
        * (1 - falls * ToneCurve.smoothStep(peak, end, distance))
    }
  }
  package static let bright = Region(stops: 0.6, peak: 1.5, end: 3, falls: 1)
  package static let dark = Region(stops: 1.3, peak: 2.6, end: 7.6, falls: 0.8)
  /// What darker highlights do to white and to what an exposure pushed beyond it.
  package static let white = (stops: 0.7, begin: 1.5, end: 4.5)

  /// The most that is added to any light, in EV.
  var most: Double {
    max(0, Self.bright.stops * highlights, Self.dark.stops * shadows) + Self.mostClarity * abs(clarity)
  }

  /// The same light ahead of which a resample now comes.
  func behind(_ map: AffineMap) -> LocalLight {
    var moved = self
    moved.toGrid = map.then(toGrid).inSinglePrecision
    return moved
  }

  /// The same light wherever the picture was moved to: what plans that differ in geometry have in common.
  package var unplaced: LocalLight {
    var unplaced = self
    unplaced.toGrid = .identity
    return unplaced
  }

  /// Both as one; nil if both set the same amount, so that one must follow the other.
  func joined(with next: LocalLight) -> LocalLight? {
    let setsRegions = [self, next].map { $0.highlights != 0 || $0.shadows != 0 }
    guard toWorking == next.toWorking, toGrid == next.toGrid, shift == next.shift,
      setsRegions != [true, true],
      clarity == 0 || next.clarity == 0
    else { return nil }
    var joined = self
    joined.highlights += next.highlights
    joined.shadows += next.shadows
    joined.clarity += next.clarity
    return joined
  }

  var hasFiniteNumbers: Bool {
    [highlights, shadows, clarity, shift].allSatisfy(\.isFinite) && toGrid.isFinite && toWorking.isFinite
  }

  /// The amounts that are not neutral, in percent, and the grid: `local shadows 40 clarity 20 on 256×171`.
  var text: String {
    let amounts = [("highlights", highlights), ("shadows", shadows), ("clarity", clarity)]
    return amounts.reduce("local") { text, amount in
      amount.1 == 0 ? text : text + " \(amount.0) \(PlainNumber.text((amount.1 * 1e4).rounded() / 100))"
    } + " on \(gridSize)"
  }
}
