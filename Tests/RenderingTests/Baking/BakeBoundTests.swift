import ColorScience
import Filters
import FrameCore
import RendererTestSupport
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

/// What a plan prints about its table, against colours that the baker did not try.
@Suite("Baked tables keep their bound")
struct BakeBoundTests {
  /// Colours of 8 bit: all of some near-black cubes and edges, the surface of the cube, and the cube itself;
  /// the last `uniform` of them are spread evenly.
  static let (colors, uniform): ([SIMD3<Float>], Int) = {
    var random = SeededRandom(seed: 77)
    func code() -> Float { Float(random.next() & 255) / 255 }
    func dark(_ limit: UInt64) -> Float { Float(random.next() % limit) / 255 }
    var colors: [SIMD3<Float>] = []
    for r in 0..<6 {
      for g in 0..<6 { for b in 0..<6 { colors.append(SIMD3(Float(r), Float(g), Float(b)) / 255) } }
    }
    for _ in 0..<700 { colors.append(SIMD3(dark(40), dark(40), dark(40))) }
    for _ in 0..<1300 {
      var color = SIMD3(code(), code(), code())
      let axis = Int(random.next() % 3)
      color[axis] = random.next() % 2 == 0 ? dark(8) : 1 - dark(8)
      if random.next() % 2 == 0 { color[(axis + 1) % 3] = dark(8) }
      colors.append(color)
    }
    for _ in 0..<1200 { colors.append(SIMD3(code(), code(), code())) }
    return (colors, 1200)
  }()

  /// A picture of these colours, a row.
  static func picture() throws -> PixelBuffer {
    let picture = try PixelBuffer(size: PixelSize(width: colors.count, height: 1), format: .rgba8)
    for (x, color) in colors.enumerated() {
      for channel in 0..<3 { RandomPicture.set(Double(color[channel]), picture, x, 0, channel) }
      RandomPicture.set(1, picture, x, 0, 3)
    }
    return picture
  }

  static func lab(_ rgb: SIMD3<Double>, in space: ColorSpace) -> SIMD3<Double> {
    let clipped = rgb.clamped(lowerBound: .zero, upperBound: .one)
    return CIELab.fromXYZ(space.toXYZ * space.decode(clipped), white: .d65)
  }

  /// - Returns: whether the plan has a table.
  @discardableResult
  func check(
    _ recipe: Recipe, _ comment: Comment, mayStayExact: Bool = false, from: ColorSpace = .sRGB,
    to: ColorSpace = .sRGB
  ) throws -> Bool {
    let picture = try Self.picture()
    let plan = try Plan(
      recipe, input: PlanInput(size: picture.size, space: from), output: PlanOutput(space: to),
      evaluator: KernelEvaluator())
    guard case .baked(let lut)? = plan.stages.first else {
      // Exact stages have no bound to keep; few recipes come to this.
      #expect(mayStayExact, comment)
      return false
    }
    #expect(lut.error.isWithinBounds, comment)
    let rendered = try CPURenderer().render(picture, through: plan)
    var (worst, sum) = (0.0, 0.0)
    for (x, color) in Self.colors.enumerated() {
      let color = SIMD3<Double>(color)
      let exact = plan.exactStages.reduce(color) { $1.evaluate($0) }
      let baked = plan.stages.reduce(color) { $1.evaluate($0) }
      let error = deltaE2000(Self.lab(exact, in: to), Self.lab(baked, in: to))
      if error > worst { worst = error }
      if x >= Self.colors.count - Self.uniform { sum += error }
      for channel in 0..<3 {
        let code = min(max(baked[channel] * 255, 0), 255).rounded()
        let stored = RandomPicture.get(rendered, x, 0, channel)
        if abs(stored - code) > 1 { Issue.record("\(comment): \(color * 255) gives \(stored), not \(code)") }
      }
    }
    let mean = sum / Double(Self.uniform)
    #expect(worst <= 1, "\(comment): max ΔE2000 \(worst), printed \(lut.error.maximum)\n\(plan)")
    #expect(mean <= 0.05, "\(comment): mean ΔE2000 \(mean), printed \(lut.error.mean)")
    // The printed error is of the same kind of colours, so it must say nearly the same.
    #expect(abs(mean - lut.error.mean) < 0.01, "\(comment): mean ΔE2000 \(mean), printed \(lut.error.mean)")
    return true
  }

  @Test("Random recipes of one to eight colour filters", arguments: 0..<30)
  func random(seed: Int) throws {
    var random = SeededRandom(seed: 500 + UInt64(seed))
    // Strong saturation after strong contrast has no table; 16 is of one channel each.
    try check(
      Recipe(filters: RandomRecipe.color(using: &random, count: 1 + seed % 8)), "seed \(seed)",
      mayStayExact: [6, 15, 16, 23].contains(seed))
  }

  @Test("Random curves, changes by hue and grading")
  func tools() throws {
    var baked = 0
    for seed in 0..<24 {
      var random = SeededRandom(seed: 700 + UInt64(seed))
      let recipe = Recipe(filters: RandomRecipe.tools(using: &random, count: 1 + seed % 4))
      if try check(recipe, "seed \(seed)", mayStayExact: true) { baked += 1 }
    }
    #expect(baked >= 12, "\(baked) of 24 have a table")
  }

  @Test(
    "Recipes whose tables once broke it, at the codes (1, 0, 1) and (0, 4, 8)",
    arguments: [47, 56])
  func known(seed: Int) throws {
    var random = SeededRandom(seed: 500 + UInt64(seed))
    try check(Recipe(filters: RandomRecipe.color(using: &random, count: 1 + seed % 8)), "seed \(seed)")
  }

  /// 50,000 colours of 8 bit: even ones, dark ones, the cube's surface, and saturated ones.
  static let many: [SIMD3<Float>] = {
    var random = SeededRandom(seed: 4242)
    func below(_ limit: UInt64) -> Float { Float(random.next() % limit) / 255 }
    return (0..<50_000).map { index in
      var color = SIMD3(below(256), below(256), below(256))
      let axis = Int(random.next() % 3)
      switch index % 4 {
      case 1: color = SIMD3(below(48), below(48), below(48))
      case 2: color[axis] = below(2) * 255
      case 3:
        color[axis] = below(10)
        if random.next() % 2 == 0 { color[(axis + 1) % 3] = 1 - below(60) }
      default: break
      }
      return color
    }
  }()

  static let pairs: [(ColorSpace, ColorSpace)] = [
    (.adobeRGB, .sRGB), (.displayP3, .sRGB), (.sRGB, .adobeRGB), (.sRGB, .displayP3),
    (.adobeRGB, .displayP3), (.displayP3, .adobeRGB), (.adobeRGB, .adobeRGB), (.displayP3, .displayP3),
  ]

  @Test("Between sRGB, Display P3 and Adobe RGB, with and without a look's table", arguments: 0..<12)
  func spaces(seed: Int) throws {
    var random = SeededRandom(seed: 900 + UInt64(seed))
    let (input, output) = Self.pairs[seed % Self.pairs.count]
    var filters: [any Filter] = [
      Exposure(stops: Float.random(in: -1...1, using: &random)),
      WhiteBalance(
        temperature: Float.random(in: 4500...8500, using: &random),
        tint: Float.random(in: -20...20, using: &random)),
      Contrast(Float.random(in: -40...30, using: &random)),
      Saturation(Float.random(in: -40...30, using: &random)),
    ]
    if seed % 2 == 0 {
      let look = try Self.look(PresetLibrary.ids[seed % PresetLibrary.ids.count])
      filters += look.filters.filter { $0 is LUT }
    }
    let plan = try Plan(
      Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 8, height: 8), space: input),
      output: PlanOutput(space: output), evaluator: KernelEvaluator())
    guard case .baked(let lut)? = plan.stages.first else {
      // One of the twelve is too strong.
      if seed != 4 { Issue.record("seed \(seed) has no table\n\(plan)") }
      return
    }
    // Single precision is 1e-5 or so from the exact stages: `StageKernelTests` holds it to that.
    var exact = ColorPlanes(Self.many)
    KernelEvaluator().evaluate(plan.exactStages, on: &exact)
    let difference = ColorDifference(space: output)
    var (worst, place) = (0.0, SIMD3<Float>.zero)
    for (index, color) in Self.many.enumerated() {
      let baked = difference.lab(plan.stages.reduce(SIMD3<Double>(color)) { $1.evaluate($0) })
      let error = deltaE2000(difference.lab(SIMD3<Double>(exact[index])), baked)
      if error > worst { (worst, place) = (error, color * 255) }
    }
    #expect(worst <= 1, "seed \(seed): ΔE2000 \(worst) at \(place), printed \(lut.error.maximum)\n\(plan)")
  }

  /// Looks that change hues so strongly ahead of a film that no table follows behind other colour.
  private static let bending: Set = ["clean-landscape", "fresh-table", "pastel-cinema", "sun-bleached"]

  @Test("Every shipped look behind other colour, which two tables keep where one does not")
  func looksBehindColor() throws {
    var pairs = 0
    for id in PresetLibrary.ids {
      let look = try Self.look(id)
      let recipe = Recipe(
        filters: [
          Exposure(stops: 0.4), WhiteBalance(temperature: 5800, tint: 4), Contrast(15), Saturation(12),
        ] + look.filters)
      try check(recipe, "\(id)", mayStayExact: Self.bending.contains(id))
      let plan = try Plan(
        recipe, input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput(),
        evaluator: KernelEvaluator())
      guard plan.stages.count == 2, case .baked(let first) = plan.stages[0], case .baked = plan.stages[1]
      else { continue }
      pairs += 1
      #expect(first.feedsTable, "\(id)")
      #expect(plan.description.contains("proven with the next"), "\(plan)")
    }
    #expect(pairs > 0)
  }

  @Test("A large table is made where neither smaller ones nor two keep the bound")
  func largeTable() throws {
    let axis = (0..<17).map { Float($0) / 16 }
    let nodes = axis.flatMap { b in axis.flatMap { g in axis.map { r in SIMD3(r, g, b) } } }
    let lut = LookupStage(
      lut: ColorLUT(cube: try LUT3D(size: 17, nodes: nodes)), strength: 1, name: "same.cube")
    let mix = Matrix3x3(
      rows: SIMD3(0.998, 0.001, 0.001), SIMD3(0.001, 0.998, 0.001), SIMD3(0.001, 0.001, 0.998))
    let baker = Baker(evaluator: KernelEvaluator(), outputSpace: .sRGB)
    for amount in stride(from: Float(16), through: 64, by: 4) {
      let plan = try Plan(
        Recipe(filters: [Contrast(amount), Saturation(0.8 * amount)]),
        input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput(),
        evaluator: KernelEvaluator(), optimized: false)
      guard let alone = baker.bake(plan.exactStages, rejected: { _, _ in }).first, alone.size > 33 else {
        continue
      }
      // Behind this LUT, which changes nothing, 17 nodes are too few for the same colour.
      var rejected: [TableForm] = []
      let tables = baker.bake([.matrix(mix), .lut(lut)] + plan.exactStages) { form, _ in rejected.append(form)
      }
      #expect(tables.map(\.size) == [alone.size], "\(amount): \(rejected)")
      #expect(rejected.contains { $0.split != nil }, "\(amount): \(rejected)")
      return
    }
    Issue.record("none of these chains needs a large table")
  }

  @Test("A plan is the same on any number of threads")
  func threads() throws {
    let recipe = Recipe(filters: [Contrast(30), Saturation(30), Exposure(stops: 0.3)])
    let input = PlanInput(size: PixelSize(width: 8, height: 8))
    let alone = try CPURenderer(threads: 1).plan(recipe, input: input, output: PlanOutput())
    #expect(try CPURenderer(threads: 3).plan(recipe, input: input, output: PlanOutput()) == alone)
    #expect(
      try CPURenderer(threads: 3).plan(
        recipe, input: input, output: PlanOutput(), options: PlanOptions(usesOneThread: true)) == alone)
  }

  @Test("Every shipped preset", arguments: PresetLibrary.ids)
  func preset(id: String) throws {
    try check(Self.look(id), "\(id)")
  }

  /// A look without what depends on the place of a pixel, such as its grain or its highlights, which comes ahead of
  /// tables.
  private static func look(_ id: String) throws -> Recipe {
    var look = try PresetLibrary.preset(id).recipe
    look.filters.removeAll { [.light, .range].contains(type(of: $0).phase) }
    return look
  }

  @Test("Recipes between wide and narrow spaces, where channels leave the gamut")
  func betweenSpaces() throws {
    let spaces: [ColorSpace] = [.sRGB, .displayP3, .adobeRGB]
    var baked = 0
    for seed in 0..<18 {
      var random = SeededRandom(seed: 900 + UInt64(seed))
      let recipe = Recipe(filters: RandomRecipe.color(using: &random, count: 1 + seed % 4))
      let (from, to) = (spaces[seed % 3], spaces[(seed / 3 + 1) % 3])
      if try check(recipe, "seed \(seed)", mayStayExact: true, from: from, to: to) { baked += 1 }
    }
    #expect(baked >= 9, "\(baked) of 18 have a table")
  }
}
