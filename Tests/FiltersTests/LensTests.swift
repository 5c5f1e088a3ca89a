import FilterGraph
import Filters
import FrameCore
import Libc
import TestSupport
import Testing

@Suite("Lens corrections")
struct LensTests {
  private static let size = PixelSize(width: 3000, height: 2000)

  private func plan(
    _ filters: any Filter..., order: Recipe.Order = .canonical, orientation: Orientation = .up,
    size: PixelSize = Self.size
  ) throws -> Plan {
    try Plan(
      Recipe(order: order, filters: filters), input: PlanInput(size: size, orientation: orientation),
      output: PlanOutput())
  }

  private func refusal(_ filters: any Filter..., order: Recipe.Order = .canonical) -> String? {
    do {
      _ = try Plan(
        Recipe(order: order, filters: filters), input: PlanInput(size: Self.size), output: PlanOutput())
      return nil
    } catch { return "\(error)" }
  }

  /// A profile as lenses have them, from strong barrels to strong cushions.
  static func random(using random: inout SeededRandom) -> LensProfile {
    let (a, b, c) = (
      Double.random(in: -0.02...0.02, using: &random), Double.random(in: -0.06...0.04, using: &random),
      Double.random(in: -0.03...0.03, using: &random)
    )
    return LensProfile(
      distortion: [1 - a - b - c, c, b, a, 0],
      center: SIMD2(
        Double.random(in: -0.02...0.02, using: &random), Double.random(in: -0.02...0.02, using: &random)))
  }

  /// By how much the picture is enlarged: what the map does beside the lens.
  private func zoom(_ geometry: Geometry) -> Double { 1 / geometry.map.a }

  @Test("Places are where the published formulas have them: PTLens, and Brown's even terms")
  func formulas() throws {
    var random = SeededRandom(seed: 1)
    let (w, h) = (Double(Self.size.width), Double(Self.size.height))
    let unit = hypot(w, h) / 2
    for _ in 0..<50 {
      let profile = Self.random(using: &random)
      let geometry = try #require(plan(Lens(profile)).geometry)
      #expect(geometry.outputSize == Self.size)
      let zoom = zoom(geometry)
      let middle = SIMD2(w / 2, h / 2) + unit * profile.center
      for _ in 0..<50 {
        let place = SIMD2(Double.random(in: 0...w, using: &random), Double.random(in: 0...h, using: &random))
        let q = (place - middle) / (unit * zoom)
        let r = hypot(q.x, q.y)
        let k = profile.distortion
        // Hugin's manual: r_src = (a·r³ + b·r² + c·r + d)·r.
        let expected = middle + unit * (k[3] * r * r * r + k[2] * r * r + k[1] * r + k[0]) * q
        let found = geometry.place(place.x, place.y)
        #expect(hypot(found.x - expected.x, found.y - expected.y) < 1e-6)
        let back = geometry.placeInOutput(found.x, found.y)
        #expect(hypot(back.x - place.x, back.y - place.y) < 1e-6)
      }
    }
    // Brown, "Decentering distortion of lenses", 1966: r·(1 + k₁r² + k₂r⁴).
    let geometry = try #require(plan(Lens(LensProfile(distortion: [1, 0, -0.05, 0, 0.01]))).geometry)
    let zoom = zoom(geometry)
    let r = 1000 / zoom / unit
    let expected = w / 2 + 1000 / zoom * (1 - 0.05 * r * r + 0.01 * r * r * r * r)
    #expect(abs(geometry.place(w / 2 + 1000, h / 2).x - expected) < 1e-6)
  }

  @Test("No corner is empty, and no more is cut off than that takes", arguments: 0..<40)
  func corners(seed: Int) throws {
    var random = SeededRandom(seed: 40 + UInt64(seed))
    let profile = Self.random(using: &random)
    let geometry = try #require(plan(Lens(profile), orientation: Orientation.allCases[seed % 8]).geometry)
    let (w, h) = (Double(geometry.outputSize.width), Double(geometry.outputSize.height))
    let (sw, sh) = (Double(geometry.inputSize.width), Double(geometry.inputSize.height))
    // How far inside of the picture as stored the places along the result's edges are.
    var least = Double.infinity
    for step in 0...2000 {
      let part = Double(step) / 2000
      for (x, y) in [(part * w, 0), (part * w, h), (0, part * h), (w, part * h)] {
        let place = geometry.place(x, y)
        least = min(least, place.x, place.y, sw - place.x, sh - place.y)
      }
    }
    #expect(least > -0.01, "\(profile)")
    #expect(least < 0.6, "\(profile)")
  }

  @Test("A turned picture is corrected as it was stored, and so is a small one")
  func orientations() throws {
    let profile = LensProfile(distortion: [1.03, 0.01, -0.05, 0.01], center: SIMD2(0.02, -0.01))
    let upright = try #require(plan(Lens(profile)).geometry)
    for orientation in Orientation.allCases {
      let turned = try #require(plan(Lens(profile), orientation: orientation).geometry)
      let turn = Geometry(orientation: orientation, size: Self.size)
      for (x, y) in [(10.0, 20.0), (1500, 900), (1990, 1900)] {
        let found = turned.place(x, y)
        let displayed = turn.place(x, y)
        let expected = upright.place(displayed.x, displayed.y)
        #expect(hypot(found.x - expected.x, found.y - expected.y) < 1e-6, "\(orientation)")
      }
    }
    let small = try #require(plan(Lens(profile), size: PixelSize(width: 300, height: 200)).geometry)
    let (a, b) = (upright.place(400, 300), small.place(40, 30))
    #expect(hypot(a.x / 10 - b.x, a.y / 10 - b.y) < 1e-6)
  }

  @Test("Rows in straight pieces are nowhere further from their places than the plan says", arguments: 0..<40)
  func error(seed: Int) throws {
    var random = SeededRandom(seed: 400 + UInt64(seed))
    let profile = Self.random(using: &random)
    let more: [[any Filter]] = [
      [], [Straighten(7)], [Keystone(vertical: 12, horizontal: -8)], [Rotate(.clockwise)], [Crop(.square)],
    ]
    let geometry = try #require(
      Plan(
        Recipe(filters: [Lens(profile)] + more[seed % more.count]), input: PlanInput(size: Self.size),
        output: PlanOutput()
      ).geometry)
    let length = geometry.lineLength
    let bound = geometry.lineError(length: length)
    #expect(bound <= 1.0 / 256)
    var most = 0.0
    for _ in 0..<4000 {
      let y = Double(Int.random(in: 0..<geometry.outputSize.height, using: &random)) + 0.5
      let x = Double(Int.random(in: 0...geometry.outputSize.width - length, using: &random))
      let (a, b) = (geometry.place(x, y), geometry.place(x + Double(length), y))
      let part = Double.random(in: 0...1, using: &random)
      let place = geometry.place(x + part * Double(length), y)
      most = max(most, hypot(a.x + part * (b.x - a.x) - place.x, a.y + part * (b.y - a.y) - place.y))
    }
    #expect(most <= bound, "\(profile)")
    // A bound that is far too large would cost speed.
    #expect(most > bound / 12, "\(most) of \(bound)")
  }

  @Test("Tangents are what places do nearby")
  func tangents() throws {
    var random = SeededRandom(seed: 9)
    for _ in 0..<100 {
      let recipe = Recipe(filters: [Lens(Self.random(using: &random)), Keystone(vertical: 9), Straighten(3)])
      let geometry = try #require(
        Plan(recipe, input: PlanInput(size: Self.size), output: PlanOutput()).geometry)
      let (x, y) = (Double.random(in: 0...2000, using: &random), Double.random(in: 0...1500, using: &random))
      let tangent = geometry.tangent(atX: x, y: y)
      let (place, right, down) = (
        geometry.place(x, y), geometry.place(x + 1e-3, y), geometry.place(x, y + 1e-3)
      )
      let touched = tangent.apply(x, y)
      #expect(hypot(touched.x - place.x, touched.y - place.y) < 1e-8)
      #expect(abs((right.x - place.x) / 1e-3 - tangent.a) < 1e-4)
      #expect(abs((right.y - place.y) / 1e-3 - tangent.d) < 1e-4)
      #expect(abs((down.x - place.x) / 1e-3 - tangent.b) < 1e-4)
      #expect(abs((down.y - place.y) / 1e-3 - tangent.e) < 1e-4)
    }
  }

  @Test("What parts of the result need of the picture is asked for", arguments: 0..<30)
  func regions(seed: Int) throws {
    var random = SeededRandom(seed: 900 + UInt64(seed))
    let more: [[any Filter]] = [
      [], [Straighten(9)], [Keystone(vertical: 0, horizontal: 15)], [Rotate(.clockwise)],
    ]
    let plan = try Plan(
      Recipe(filters: [Lens(Self.random(using: &random))] + more[seed % more.count]),
      input: PlanInput(size: Self.size), output: PlanOutput())
    let geometry = try #require(plan.geometry)
    for _ in 0..<20 {
      let left = Int.random(in: 0..<geometry.outputSize.width - 1, using: &random)
      let top = Int.random(in: 0..<geometry.outputSize.height - 1, using: &random)
      let region = Region(
        columns: left..<min(left + 700, geometry.outputSize.width),
        rows: top..<min(top + 500, geometry.outputSize.height))
      let source = plan.sourceRegion(for: region)
      for _ in 0..<200 {
        let x = Double(Int.random(in: region.columns, using: &random)) + 0.5
        let y = Double(Int.random(in: region.rows, using: &random)) + 0.5
        let place = geometry.place(x, y)
        #expect(source.columns.contains(min(max(Int(place.x), 0), Self.size.width - 1)))
        #expect(source.rows.contains(min(max(Int(place.y), 0), Self.size.height - 1)))
      }
    }
  }

  @Test("Without numbers nothing happens, and with some the plan says what")
  func texts() throws {
    #expect(try plan(Lens()) == plan())
    #expect(try plan(Lens(LensProfile(), name: "a lens")) == plan())
    let text = try plan(Lens(LensProfile(distortion: [1.03, 0, -0.05], vignetting: SIMD3(-0.5, 0.1, 0))))
      .description
    #expect(text.contains("geometry  lens moves up to 32.9 px · scale ×"), "\(text)")
    #expect(text.contains(", two passes, blocks of "), "\(text)")
    #expect(text.contains("lens · gain 1.6667"), "\(text)")
  }

  @Test("Numbers survive recipes, and wrong ones are refused with the remedy")
  func numbers() throws {
    let profile = LensProfile(
      distortion: [1.034567891, 0.012345678, -0.05, 0.001234567, 0.1], center: SIMD2(0.01, -0.02),
      vignetting: SIMD3(-0.4, 0.1, -0.03))
    let recipe = Recipe(filters: [Lens(profile, name: "Canon EF 24-105mm f/4L IS USM, 24 mm, f/4")])
    let read = try Recipe(json: Array(recipe.json().utf8), file: "lens.json", catalog: .standard) { _ in [] }
    let lens = try #require(read.filters.first as? Lens)
    #expect(lens.profile == profile)
    #expect(lens.name.parameterText == "Canon EF 24-105mm f/4L IS USM, 24 mm, f/4")
    #expect(throws: SafelightError.self) { try Lens.Distortion(parameterText: "1,2,3,4,5,6") }
    #expect(throws: SafelightError.self) { try Lens.Distortion(parameterText: "0,1") }
    #expect(throws: SafelightError.self) { try Lens.Vignetting(parameterText: "1,2") }
    #expect(throws: SafelightError.self) { try Lens.Center(parameterText: "0.7,0") }
    #expect(throws: SafelightError.self) { try Lens.Distortion(parameterText: "nan") }
    #expect(refusal(Lens(LensProfile(distortion: [1, 0, -5])))?.contains("folds the picture") == true)
    #expect(refusal(Lens(LensProfile(distortion: [3])))?.contains("beyond the double") == true)
  }

  @Test("A lens comes before what cuts and scales, and only once")
  func order() {
    let lens = Lens(LensProfile(distortion: [1.02, 0, -0.04]))
    #expect(refusal(lens, lens)?.contains("follows another one") == true)
    #expect(refusal(Crop(.square), lens, order: .listed)?.contains("cut or scale") == true)
    #expect(refusal(Vignette(amount: -20), lens, order: .listed)?.contains("depend on the places") == true)
    #expect(refusal(Crop(.square), lens) == nil)
    #expect(refusal(lens, Straighten(4, corners: .keep)) == nil)
  }

  @Test("A gain is the inverse of what the lens recorded, from 1 to 16")
  func gains() {
    let profile = LensProfile(vignetting: SIMD3(-0.6, 0.2, -0.1))
    for r in [0.0, 0.3, 0.7, 1] {
      let recorded = 1 - 0.6 * r * r + 0.2 * r * r * r * r - 0.1 * r * r * r * r * r * r
      #expect(abs(profile.gain(at: r) - 1 / recorded) < 1e-12)
    }
    #expect(LensProfile(vignetting: SIMD3(0.5, 0, 0)).gain(at: 1) == 1)
    #expect(LensProfile(vignetting: SIMD3(-2, 0, 0)).gain(at: 1) == 16)
  }
}
