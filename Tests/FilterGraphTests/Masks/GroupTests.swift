import ColorScience
import Filters
import FrameCore
import TestSupport
import Testing

@testable import FilterGraph

/// Groups in plans: where they are, what they mean, and what they may not hold.
@Suite("Groups")
struct GroupTests {
  static let size = PixelSize(width: 300, height: 200)
  static let sky = Mask.linear(from: MaskPoint(0.5, 0.6), to: MaskPoint(0.5, 0.3))

  static func plan(
    _ filters: [any Filter], order: Recipe.Order = .canonical, orientation: Orientation = .up
  ) throws -> Plan {
    let stored = orientation.inverse.applied(to: size)
    return try Plan(
      Recipe(order: order, filters: filters), input: PlanInput(size: stored, orientation: orientation),
      output: PlanOutput(), optimized: false)
  }

  static func groups(_ plan: Plan) -> [MaskedGroup] {
    plan.exactStages.flatMap { stage -> [MaskedGroup] in
      if case .masked(let groups) = stage { groups } else { [] }
    }
  }

  static func darker(_ mask: Mask?, opacity: Float = 100) -> Group {
    Group(mask, opacity: opacity) { Exposure(stops: -1) }
  }

  @Test("Groups act behind colours and ahead of looks, as one stage")
  func order() throws {
    let table = try ColorLUT(
      cube: Array("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8), name: "half.cube")
    let plan = try Self.plan([
      Self.darker(Self.sky), LUT(table, name: "half.cube"), Self.darker(nil, opacity: 50), Saturation(20),
    ])
    let kinds = plan.exactStages.map(\.kindName)
    let place = try #require(kinds.firstIndex(of: "masked"))
    #expect(kinds.filter { $0 == "masked" }.count == 1 && Self.groups(plan).count == 2)
    #expect(try #require(kinds.firstIndex(of: "pointwise")) < place)
    #expect(try #require(kinds.firstIndex(of: "lut")) > place)
    #expect(
      plan.description.contains(
        "masked     linear · gain 0.5000 0.5000 0.5000, 1.00 · opacity 50 · gain 0.5000 0.5000 0.5000"),
      "\(plan)")
  }

  @Test("Many groups take colours no further than each of them does")
  func many() throws {
    let groups: [any Filter] = (0..<20).map { _ in
      Group(Self.sky) {
        Exposure(stops: 0.8)
        Contrast(10)
      }
    }
    #expect(Self.groups(try Self.plan(groups)).count == 20)
  }

  @Test("A group mixes what its filters make by mask and opacity, in scene-linear light")
  func meaning() throws {
    let plan = try Self.plan([Self.darker(Self.sky, opacity: 80)])
    let stage = try #require(plan.exactStages.first { $0.kindName == "masked" })
    let color = SIMD3(0.2, 0.7, 1.4)
    for y in [0.5, 60.5, 80.5, 100.5, 119.5, 199.5] {
      // From 120 down to 60 pixels.
      let w = min(max((120 - y) / 60, 0), 1)
      let expected = (1 - 0.8 * w * w * (3 - 2 * w) * 0.5) * color
      let found = stage.evaluate(color, at: (10, y))
      #expect(abs(found - expected).max() < 1e-9, "\(y)")
    }
  }

  @Test("Ranges read what reaches the first group, so that another order changes no mask")
  func rangesReadTheFirst() throws {
    let bright = Group(.luminance(from: 0.6, to: 1, softness: 0.05)) { Exposure(stops: 1) }
    let all = Group(nil) { Exposure(stops: -3) }
    let white = SIMD3(repeating: 0.8)
    for filters in [[bright, all], [all, bright]] {
      let stage = try #require(try Self.plan(filters).exactStages.first { $0.kindName == "masked" })
      #expect(abs(stage.evaluate(white) - SIMD3(repeating: 0.2)).max() < 1e-9)
    }
  }

  @Test("Neutral groups are absent from plans")
  func neutral() throws {
    let plain = try Self.plan([Exposure(stops: 1)])
    for group in [
      Self.darker(Self.sky, opacity: 0), Group(Self.sky, filters: []),
      Group(Self.sky) {
        Exposure()
        Saturation(0)
        Contrast(0)
      },
    ] {
      let plan = try Self.plan([Exposure(stops: 1), group])
      #expect(plan.exactStages == plain.exactStages && plan.notes.isEmpty)
    }
  }

  @Test("A mask outside the picture is noted, and its group has no effect")
  func outside() throws {
    for mask in [
      Mask.radial(center: MaskPoint(3, 3), radiusX: 0.5, radiusY: 0.5),
      .polygon([MaskPoint(2, 2), MaskPoint(3, 2), MaskPoint(2, 3)]),
      .brush([BrushStroke([MaskPoint(-1, 0.5)], radius: 0.1)]),
      .linear(from: MaskPoint(0.5, -5), to: MaskPoint(0.5, -8)),
      .subtract(Self.sky, [.invert(.polygon([MaskPoint(2, 2), MaskPoint(3, 2), MaskPoint(2, 3)]))]),
    ] {
      let plan = try Self.plan([Self.darker(mask)])
      #expect(plan.notes == ["The mask of a group lies outside the picture, so the group has no effect"])
      #expect(Self.groups(plan).isEmpty)
    }
  }

  @Test("Masks stay on the picture under all orientations", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<12 {
      let mask = Mask.add([.random(using: &random, depth: 2), Self.sky])
      let upright = try #require(Self.groups(try Self.plan([Self.darker(mask)])).first).mask
      let turned = try #require(
        Self.groups(try Self.plan([Self.darker(mask)], orientation: orientation)).first
      ).mask
      for (x, y) in [(0.5, 0.5), (30.5, 150.5), (150.5, 77.5), (299.5, 199.5)] {
        let expected = upright.value(at: (x, y), of: SIMD3(0.3, 0.2, 0.1))
        #expect(abs(turned.value(at: (x, y), of: SIMD3(0.3, 0.2, 0.1)) - expected) < 1e-9)
      }
    }
  }

  @Test("Crops, turns, mirrors and resizes move masks with the picture, wherever they are listed")
  func geometry() throws {
    var random = SeededRandom(seed: 3)
    let moves: [[any Filter]] = [
      [Crop(.rectangle(x: 40, y: 30, width: 200, height: 120))], [Rotate(.clockwise)],
      [Flip(.horizontal)], [Straighten(7)], [Resize(.percent(50))],
      [Rotate(.counterclockwise), Straighten(-3), Crop(.square), Resize(.percent(70))],
    ]
    for _ in 0..<6 {
      let mask = Mask.add([.random(using: &random, depth: 2), Self.sky])
      let whole = try #require(Self.groups(try Self.plan([Self.darker(mask)])).first).mask
      for move in moves {
        let lists: [([any Filter], Recipe.Order)] = [
          (move + [Self.darker(mask)], .canonical), ([Self.darker(mask)] + move, .listed),
        ]
        for (filters, order) in lists {
          let plan = try Self.plan(filters, order: order)
          let moved = try #require(Self.groups(plan).first).mask
          var map = AffineMap.identity
          for stage in plan.loweredStages.reversed() {
            if case .geometry(let geometry) = stage { map = map.then(geometry.map) }
          }
          for (x, y) in [(0.5, 0.5), (30.5, 50.5), (60.5, 31.5)] {
            let expected = whole.value(at: map.apply(x, y), of: SIMD3(0.3, 0.2, 0.1))
            #expect(abs(moved.value(at: (x, y), of: SIMD3(0.3, 0.2, 0.1)) - expected) < 1e-9)
          }
        }
      }
    }
  }

  /// What cannot be in a group, and how the message begins.
  static let refused: [(filter: any Filter, problem: String)] = [
    (Crop(.square), "The filter “crop” moves pixels"),
    (Rotate(), "The filter “rotate” moves pixels"),
    (Vignette(amount: -50), "The filter “vignette” acts on the whole picture"),
    (Grain(20), "The filter “grain” acts on the whole picture"),
    (Halation(20), "The filter “halation” acts on the whole picture"),
    (Sharpen(50), "The filter “sharpen” acts on the whole picture"),
    (NoiseReduction(luminance: 50), "The filter “noise-reduction” acts on the whole picture"),
    (darker(sky), "A group is in a group"),
  ]

  @Test("What looks at other pixels, or moves them, is refused by name", arguments: refused.indices)
  func refusals(index: Int) throws {
    let (filter, problem) = Self.refused[index]
    let error = #expect(throws: SafelightError.self) {
      try Self.plan([Group(Self.sky, filters: [Exposure(stops: 1), Clarity(20), filter])])
    }
    #expect(error?.problem.hasPrefix(problem) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.remedy.contains("outside the group") == true || index == Self.refused.count - 1)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("Filters of a group take the order of their phases, and end where they began")
  func phases() throws {
    let table = try ColorLUT(
      cube: Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8), name: "same.cube")
    let plan = try Self.plan([
      Group(Self.sky) {
        LUT(table, name: "same.cube")
        Saturation(50)
        Exposure(stops: 1)
      }
    ])
    let stages = try #require(Self.groups(plan).first).stages
    #expect(stages.map(\.kindName) == ["matrix", "pointwise", "matrix", "curve", "lut", "curve", "matrix"])
    let color = SIMD3(0.1, 0.12, 0.08)
    let plain = try #require(
      Self.groups(
        try Self.plan([
          Group(Self.sky) {
            Saturation(50)
            Exposure(stops: 1)
          }
        ])
      ).first)
    func run(_ stages: [Stage]) -> SIMD3<Double> { stages.reduce(color) { $1.evaluate($0) } }
    #expect(abs(run(stages) - run(plain.stages)).max() < 1e-6)
  }

  @Test("A group at half its strength has half its opacity")
  func strength() {
    #expect(Self.darker(Self.sky, opacity: 80).scaled(by: 0.5) == Self.darker(Self.sky, opacity: 40))
  }

  @Test("A picture of one pixel takes every mask", arguments: 0..<30)
  func onePixel(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let recipe = Recipe(filters: [Self.darker(.random(using: &random, depth: 3))])
    let plan = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 1, height: 1)), output: PlanOutput())
    #expect(plan.outputSize == PixelSize(width: 1, height: 1))
  }

  @Test("Groups of more light than can be computed are refused")
  func tooBright() {
    let group = Group(nil, filters: Array(repeating: Exposure(stops: 5), count: 40))
    #expect(throws: SafelightError.self) { try Self.plan([group]) }
    #expect(throws: SafelightError.self) {
      try Self.plan(Array(repeating: Group(nil) { Exposure(stops: 5) }, count: 40))
    }
  }
}

func abs(_ value: SIMD3<Double>) -> SIMD3<Double> { value.replacing(with: -value, where: value .< 0) }
