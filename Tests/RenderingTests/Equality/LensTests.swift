import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import RendererTestSupport
import TestSupport
import Testing

@testable import Rendering

@Suite("Lens corrections in pixels")
struct LensTests {
  @Test("agree with the reference, alone and with other geometry", arguments: 0..<84)
  func agree(seed: Int) throws {
    let example = try EqualityCases.lens(seed: seed)
    let difference = try example.difference(of: CPURenderer(threads: 2))
    #expect(difference.value <= example.bound, "seed \(seed): \(difference), \(example)")
  }

  @Test("leave fields and masks where they are", arguments: [PixelFormat.rgba8, .rgbaF32, .nv12])
  func places(format: PixelFormat) throws {
    for example in try EqualityCases.lensFields(format) {
      let difference = try example.difference(of: CPURenderer(threads: 2))
      #expect(difference.value <= example.bound, "\(difference), \(example)")
    }
  }

  @Test("are the same in every tile and part, bit for bit")
  func parts() throws {
    var random = SeededRandom(seed: 8500)
    let source = try RandomPicture.noise(PixelSize(width: 700, height: 300), .rgba8, using: &random)
    let recipe = Recipe {
      Lens(LensProfile(distortion: [1.06, 0.01, -0.08], vignetting: SIMD3(-0.3, 0, 0)))
      Clarity(40)
    }
    try expectSameInBands(recipe, source)
  }

  /// A barrel as wide zooms have it: 3 % of half the diagonal in the corners.
  private static let barrel = LensProfile(distortion: [1.03, 0, -0.04, 0.004])
  private static let size = PixelSize(width: 900, height: 600)

  /// Returns the place at which a lens with a profile shows what belongs at `place`: r′ of the profile's formula.
  private static func recorded(_ place: SIMD2<Double>, _ profile: LensProfile) -> SIMD2<Double> {
    let unit = hypot(Double(size.width), Double(size.height)) / 2
    let middle = SIMD2(Double(size.width), Double(size.height)) / 2
    let q = (place - middle) / unit
    let (r, k) = (hypot(q.x, q.y), profile.distortion)
    return middle + unit * (k[0] + k[1] * r + k[2] * r * r + k[3] * r * r * r) * q
  }

  /// Returns what belongs where the lens recorded `place`, by bisection along the line from the middle.
  private static func belongs(_ place: SIMD2<Double>, _ profile: LensProfile) -> SIMD2<Double> {
    let middle = SIMD2(Double(size.width), Double(size.height)) / 2
    var (low, high) = (0.0, 2.0)
    for _ in 0..<60 {
      let part = (low + high) / 2
      let shown = recorded(middle + part * (place - middle), profile) - middle
      if (shown * shown).sum() < ((place - middle) * (place - middle)).sum() {
        low = part
      } else {
        high = part
      }
    }
    return middle + low * (place - middle)
  }

  /// Draws what a lens records of a scene whose light is `light` at each place.
  private static func photo(_ profile: LensProfile, _ light: (SIMD2<Double>) -> Double) throws -> PixelBuffer
  {
    let picture = try PixelBuffer(size: size, format: .rgba16)
    for y in 0..<size.height {
      let row = picture.row(y, as: UInt16.self)
      for x in 0..<size.width {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let sample = UInt16((light(belongs(place, profile)) * 65535).rounded())
        for channel in 0..<3 { row[4 * x + channel] = sample }
        row[4 * x + 3] = 65535
      }
    }
    return picture
  }

  private static func corrected(_ source: PixelBuffer, _ filters: [any Filter]) throws -> (PixelBuffer, Plan)
  {
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: source.size, format: .rgba16),
      output: PlanOutput(format: .rgba16), evaluator: CPURenderer(threads: 1).evaluator)
    return (try CPURenderer().render(source, through: plan), plan)
  }

  @Test("make the lines of a grid straight, to a twentieth of a pixel")
  func grid() throws {
    // Soft lines, whose middles are the centres of gravity of their light.
    let spacing = 60.0
    func line(_ x: Double) -> Double {
      let beside = x - (x / spacing).rounded() * spacing
      return max(0, 1 - abs(beside) / 6)
    }
    for isUpright in [true, false] {
      let source = try Self.photo(Self.barrel) { line(isUpright ? $0.x : $0.y) }
      // The middle of the line that begins near a place, in each row or column across it.
      func middles(_ picture: PixelBuffer, from start: Double) -> [Double] {
        let (along, across) =
          isUpright ? (Self.size.height, Self.size.width) : (Self.size.width, Self.size.height)
        var at = start
        return stride(from: 2, to: along - 2, by: 7).map { step in
          var (sum, weight) = (0.0, 0.0)
          for other in max(0, Int(at) - 10)...min(across - 1, Int(at) + 10) {
            let light = Double(
              picture.row(isUpright ? step : other, as: UInt16.self)[4 * (isUpright ? other : step)])
            (sum, weight) = (sum + light * (Double(other) + 0.5), weight + light)
          }
          at = sum / weight
          return at
        }
      }
      func spread(_ places: [Double]) -> Double { (places.max() ?? 0) - (places.min() ?? 0) }
      let (made, plan) = try Self.corrected(source, [Lens(Self.barrel)])
      #expect(made.size == Self.size)
      let geometry = try #require(plan.geometry)
      let zoom = 1 / geometry.map.a
      let half = Double(isUpright ? Self.size.width : Self.size.height) / 2
      for index in [-4.0, -2, 0, 3] {
        let line = ((half / spacing).rounded() + index) * spacing
        let place = half + zoom * (line - half)
        guard place > 12, place < 2 * half - 12 else { continue }
        let found = middles(made, from: place)
        #expect(spread(found) < 0.05, "line \(index): \(spread(found)) px")
        #expect(abs(found[found.count / 2] - place) < 0.05, "line \(index)")
      }
      // As recorded, they are not.
      let near =
        isUpright ? Self.recorded(SIMD2(120, 2), Self.barrel).x : Self.recorded(SIMD2(2, 120), Self.barrel).y
      #expect(spread(middles(source, from: near)) > 3)
    }
  }

  @Test("even out light that a lens lost, in linear light, to a code of 8 bits")
  func light() throws {
    let v = SIMD3(-0.55, 0.2, -0.08)
    let unit = hypot(Double(Self.size.width), Double(Self.size.height)) / 2
    let source = try PixelBuffer(size: Self.size, format: .rgba8)
    for y in 0..<Self.size.height {
      let row = source.row(y, as: UInt8.self)
      for x in 0..<Self.size.width {
        let (dx, dy) = (Double(x) + 0.5 - 450, Double(y) + 0.5 - 300)
        let s = (dx * dx + dy * dy) / (unit * unit)
        let light = 0.3 * (1 + v.x * s + v.y * s * s + v.z * s * s * s)
        for channel in 0..<3 {
          row[4 * x + channel] = UInt8((TransferFunction.sRGB.encode(light) * 255).rounded())
        }
        row[4 * x + 3] = 255
      }
    }
    let expected = Int((TransferFunction.sRGB.encode(0.3) * 255).rounded())
    for distortion in [[1.0], [1.02, 0, -0.03]] {
      let plan = try Plan(
        Recipe(filters: [Lens(LensProfile(distortion: distortion, vignetting: v))]),
        input: PlanInput(size: Self.size), output: PlanOutput(), evaluator: CPURenderer(threads: 1).evaluator)
      let made = try CPURenderer().render(source, through: plan)
      var most = 0
      for y in 0..<Self.size.height {
        let row = made.row(y, as: UInt8.self)
        for x in 0..<Self.size.width { most = max(most, abs(Int(row[4 * x]) - expected)) }
      }
      // A code of the dark corners is more than one of the result.
      #expect(most <= 2, "\(distortion)")
    }
  }

  @Test("leave masks on their subjects")
  func masks() throws {
    // A disc as recorded, near a corner, and a mask drawn on it there.
    let center = SIMD2(120.0, 90)
    let source = try PixelBuffer(size: Self.size, format: .rgba16)
    for y in 0..<Self.size.height {
      let row = source.row(y, as: UInt16.self)
      for x in 0..<Self.size.width {
        let isDisc = hypot(Double(x) + 0.5 - center.x, Double(y) + 0.5 - center.y) < 30
        for channel in 0..<3 { row[4 * x + channel] = isDisc ? 30_000 : 15_000 }
        row[4 * x + 3] = 65535
      }
    }
    let mask = try Mask("radial 0.133333,0.15 0.05 feather 0")
    let darkened = Group(mask, filters: [Exposure(stops: -3)])
    let (made, plan) = try Self.corrected(source, [Lens(Self.barrel), darkened])
    let (plain, _) = try Self.corrected(source, [Lens(Self.barrel)])
    let geometry = try #require(plan.geometry)
    let shown = geometry.placeInOutput(center.x, center.y)
    // The lens moved it by more than the mask is off.
    #expect(hypot(shown.x - center.x, shown.y - center.y) > 2.5)
    var (sum, weight) = (SIMD2<Double>.zero, 0.0)
    for y in 0..<Self.size.height {
      let (a, b) = (made.row(y, as: UInt16.self), plain.row(y, as: UInt16.self))
      for x in 0..<Self.size.width where Int(b[4 * x]) - Int(a[4 * x]) > 4000 {
        (sum, weight) = (sum + SIMD2(Double(x) + 0.5, Double(y) + 0.5), weight + 1)
      }
    }
    let found = sum / weight
    #expect(hypot(found.x - shown.x, found.y - shown.y) < 0.7, "\(found), \(shown)")
  }
}
