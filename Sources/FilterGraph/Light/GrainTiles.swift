import Libc
import Synchronization

/// Two pieces of grain that repeat over the picture, each after another prime number of pixels, so that their sum does
/// not repeat within 121,000 pixels.
///
///     grain(x, y) = (first(x mod 383, y mod 383) + second(x mod 317, y mod 317)) / √2
///
/// Each is noise of equal deviation at every pixel, smoothed by a Gaussian: the clumps. Those of the second one are
/// larger by 1 + 1.5 · roughness. Values have the deviation 1 and are kept in 1/32, so that all renderers have the
/// same. With every frame of a film, and with every seed, both begin elsewhere.
///
/// The idea of filtered tiles at random places is that of AV1's film grain (Norkin and Birkbeck, "Film grain synthesis
/// for AV1 video codec", Data Compression Conference 2018).
public final class GrainTiles: Sendable, Hashable {
  package struct Tile: Sendable {
    /// Samples along both edges.
    package let period: Int
    /// Row by row, in 1/32; each row goes on for `margin` samples from its start.
    package let samples: [Int8]

    package var stride: Int { period + GrainTiles.margin }
  }

  package let first, second: Tile
  /// The variance that smoothing leaves of the noise of pixels.
  package let smoothing: Double
  /// Radii of clumps in pixels.
  private let radii: SIMD2<Double>

  package static let periods = (first: 383, second: 317)
  /// What a vector of pixels may read beyond a row's end.
  package static let margin = 64
  /// One of the sum of both in 1/32, as a grain.
  package static let unit = 1 / (32 * 2.0.squareRoot())
  /// The largest grain.
  package static let most = 254 * unit
  /// Tiles are made for radii up to here; larger clumps look alike.
  private static let mostRadius = 40.0

  private init(radii: SIMD2<Double>) {
    self.radii = radii
    first = Tile(period: Self.periods.first, radius: radii.x, seed: 1)
    second = Tile(period: Self.periods.second, radius: radii.y, seed: 2)
    let weights = Tile.weights(radii.x)
    let squares = weights[0] * weights[0] + 2 * weights.dropFirst().reduce(0) { $0 + $1 * $1 }
    smoothing = squares * squares
  }

  private static let recent = Mutex<[GrainTiles]>([])

  /// Returns the tiles for clumps of a radius in pixels; the last few are kept.
  static func tiles(clump: Double, roughness: Double) -> GrainTiles {
    // Steps too fine to be seen, so that sliders and levelled frames share tiles.
    let radius = min((clump * 64).rounded() / 64, mostRadius)
    let radii = SIMD2(radius, min(radius * (1 + 1.5 * roughness), mostRadius))
    if let known = recent.withLock({ $0.first { $0.radii == radii } }) { return known }
    let made = GrainTiles(radii: radii)
    recent.withLock {
      if $0.count >= 4 { $0.removeFirst() }
      $0.append(made)
    }
    return made
  }

  /// Where both tiles begin for a piece of film: column and row of the first, then of the second.
  package static func start(seed: Int) -> SIMD4<Int> {
    guard seed != 0 else { return .zero }
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: seed))
    func below(_ period: Int) -> Int { Int(random.next() % UInt64(period)) }
    return SIMD4(below(periods.first), below(periods.first), below(periods.second), below(periods.second))
  }

  /// The pieces of film of different frames: those of numbers below 2^24, which a `Float` holds.
  package static let filmCount = 1 << 24

  /// Returns the piece of film of a frame: 0, as of photos, for the first one.
  package static func film(ofFrame frame: Int) -> Int {
    guard frame != 0 else { return 0 }
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: frame))
    return Int(random.next() % UInt64(filmCount))
  }

  /// By how much a piece of film moves both tiles: column and row of the first, then of the second.
  package static func shift(film: Int) -> SIMD4<Int> {
    SIMD4(
      film % periods.first, film / periods.first % periods.first,
      film % periods.second, film / periods.second % periods.second)
  }

  /// Returns the grain of a pixel of a photo, or of a frame.
  package func value(_ x: Int, _ y: Int, seed: Int, film: Int = 0) -> Double {
    let start = Self.start(seed: seed) &+ Self.shift(film: film)
    func sample(_ tile: Tile, _ x: Int, _ y: Int) -> Int {
      func place(_ value: Int) -> Int { (value % tile.period + tile.period) % tile.period }
      return Int(tile.samples[place(y) * tile.stride + place(x)])
    }
    let sum = sample(first, x + start.x, y + start.y) + sample(second, x + start.z, y + start.w)
    return Double(sum) * Self.unit
  }

  public static func == (a: GrainTiles, b: GrainTiles) -> Bool { a === b || a.radii == b.radii }
  public func hash(into hasher: inout Hasher) { hasher.combine(radii) }
}

extension GrainTiles.Tile {
  /// - Parameter radius: the standard deviation of a clump's profile, in pixels.
  fileprivate init(period: Int, radius: Double, seed: UInt64) {
    self.period = period
    var random = SplitMix64(seed: seed)
    // The sum of eight random bytes is nearly normal.
    let noise = (0..<period * period).map { _ -> Float in
      let word = random.next()
      let pairs = (word & 0x00ff_00ff_00ff_00ff) &+ ((word >> 8) & 0x00ff_00ff_00ff_00ff)
      return Float((pairs &* 0x0001_0001_0001_0001) >> 48) - 1020
    }
    let weights = Self.weights(radius).map { Float($0) }
    let smooth = Self.smoothed(Self.smoothed(noise, period, weights), period, weights)
    let variance = smooth.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(smooth.count)
    let scale = Float(32 / max(variance, 1e-12).squareRoot())
    var samples = [Int8](repeating: 0, count: period * (period + GrainTiles.margin))
    for y in 0..<period {
      let row = y * (period + GrainTiles.margin)
      for x in 0..<period + GrainTiles.margin {
        samples[row + x] = Int8(max(-127, min(127, (scale * smooth[y * period + x % period]).rounded())))
      }
    }
    self.samples = samples
  }

  /// The weights of the centre and of the samples at distances 1, 2, …; with those of the other side they sum to 1.
  fileprivate static func weights(_ radius: Double) -> [Double] {
    guard radius > 0.2 else { return [1] }
    let weights = (0...Int((3 * radius).rounded(.up))).map { exp(-Double($0 * $0) / (2 * radius * radius)) }
    let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// Returns noise smoothed along columns, its rows and columns exchanged.
  private static func smoothed(_ noise: [Float], _ period: Int, _ weights: [Float]) -> [Float] {
    var sums = [Float](repeating: 0, count: noise.count)
    noise.withUnsafeBufferPointer { noise in
      sums.withUnsafeMutableBufferPointer { sums in
        for y in 0..<period {
          let row = y * period
          for (distance, weight) in weights.enumerated() {
            let above = (y + period - distance % period) % period * period
            let below = (y + distance) % period * period
            for x in 0..<period {
              sums[row + x] += weight * (distance == 0 ? noise[row + x] : noise[above + x] + noise[below + x])
            }
          }
        }
      }
    }
    var turned = [Float](repeating: 0, count: noise.count)
    for y in 0..<period {
      for x in 0..<period { turned[x * period + y] = sums[y * period + x] }
    }
    return turned
  }
}
