import ColorScience
import FrameCore
import Libc

/// Film grain: light multiplied by a gain that varies from pixel to pixel as the density of a film does.
///
///     D     = −log10(n + δ)                                  the density that shows light of brightness n: `LocalLight`
///     σ     = amount · √(D · (2.2 − 0.98 · D) · crystal / pixel)
///     stops = log2(10) · σ · grain(x, y)                     0 where the square root would be of a negative number
///
/// A pixel shows the density of the crystals in its area, so small pixels are noisier than large ones. The long edge
/// of the result is that of a 35 mm frame, 36 mm, whatever its number of pixels: a preview has as much less grain as
/// averaging the full picture would leave. Crystals clump, so grain is smooth within a clump: `GrainTiles`.
///
/// White and black have none, and mid-tones most. An amount of 1 is a film whose granularity, as 1000 times the
/// standard deviation of density 1 through an opening of 48 µm, is 11.6, as that of negatives of ISO 400.
///
/// Source: Selwyn, "A theory of graininess", The Photographic Journal 75, 1935, for the area; the dependence on density
/// is the one of crystals of which each is developed or not, fitted to published granularities of 7.9, 11.6 and 9.3
/// at densities of 0.3, 1 and 1.8.
public struct FilmGrain: Sendable, Hashable {
  /// 0…4.
  public let amount: Double
  /// The area of a crystal in µm², and the standard deviation of a clump's profile in µm.
  public let crystal, clump: Double
  /// 0…1: how uneven clumps are.
  public let roughness: Double
  public let seed: Int
  /// The grain at the size of the result; nil until that is known.
  public private(set) var tiles: GrainTiles?
  /// µm of film for a pixel of the result.
  public private(set) var pitch = 0.0
  /// From linear RGB where the field is to the working space, in which brightness is measured.
  public internal(set) var toWorking = Matrix3x3(rows: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// The long edge of a 35 mm frame, in µm.
  private static let frame = 36_000.0
  /// D · (2.2 − 0.98 · D) is 0 at densities of 0 and of `mostDensity`.
  package static let densityTerms = (first: 2.2, second: 0.98)

  /// - Parameters:
  ///   - amount: 0…1; 0.25 is a real film.
  ///   - size: 0…1; 0.25 has crystals of 0.2 µm² and clumps of 8 µm, 0.5 those of twice the diameter, and so on.
  ///   - roughness: 0…1.
  ///   - seed: which piece of film.
  init(amount: Double, size: Double, roughness: Double, seed: Int) {
    self.amount = 4 * amount
    let scale = exp2(4 * (size - 0.25))
    (crystal, clump) = (0.2 * scale * scale, 8 * scale)
    self.roughness = roughness
    self.seed = seed
  }

  /// The same grain in a result of this size.
  func placed(on size: PixelSize) -> FilmGrain {
    var placed = self
    placed.pitch = Self.frame / Double(size.longEdge)
    placed.tiles = GrainTiles.tiles(clump: clump / placed.pitch, roughness: roughness)
    return placed
  }

  /// The stops of a grain of 1 where D · (2.2 − 0.98 · D) is 1.
  package var strength: Double {
    guard let tiles else { return 0 }
    return log2(10) * amount * (crystal / (pitch * pitch) * tiles.smoothing).squareRoot()
  }

  /// Returns the gain of a pixel, in EV.
  ///
  /// - Parameter brightness: in EV from middle grey, as `LocalLight` measures it.
  func change(brightness e: Double, at place: (x: Double, y: Double)) -> Double {
    guard let tiles else { return 0 }
    let (x, y) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    return stops(brightness: e) * tiles.value(x, y, seed: seed)
  }

  /// Returns the gain of a grain of 1, in EV.
  package func stops(brightness e: Double) -> Double {
    let density = -(e + log2(LocalLight.middleGrey + LocalLight.floor)) * log10(2)
    let spread = density * (Self.densityTerms.first - Self.densityTerms.second * density)
    return spread > 0 ? strength * spread.squareRoot() : 0
  }

  /// The most light that light of up to 1 becomes: 10^(k·√(2.2 D) − D) is largest at D = 0.55 k².
  var largestLight: Double {
    let most = strength / log2(10) * GrainTiles.most
    return pow(10, 0.25 * Self.densityTerms.first * most * most)
  }

  var isFinite: Bool {
    [amount, crystal, clump, roughness, pitch].allSatisfy(\.isFinite) && toWorking.isFinite
  }

  /// `grain 30 of 8.0 µm, pixels of 6.0 µm`; roughness and seed where they are not the usual ones.
  var text: String {
    func percent(_ part: Double) -> String { PlainNumber.text((part * 1e4).rounded() / 100) }
    return "grain \(percent(amount / 4)) of \(PlainNumber.fixed(clump, 1)) µm"
      + (roughness == 0.5 ? "" : " roughness \(percent(roughness))") + (seed == 0 ? "" : " seed \(seed)")
      + ", pixels of \(PlainNumber.fixed(pitch, 1)) µm"
  }
}
