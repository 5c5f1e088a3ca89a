import ColorScience
import Filters
import FrameCore
import Synchronization
import Testing

@testable import FilterGraph

/// A filter of colour that counts how often it is lowered.
private struct CountedColor: Filter {
  static let id: FilterID = "counted-color"
  static let phase = FilterPhase.color
  static let summary = "Counts"
  static let parameters: [Parameter] = []

  final class Counter: Sendable {
    let count = Mutex(0)
  }
  let counter: Counter

  init() { counter = Counter() }
  func lower(into plan: inout PlanBuilder) throws {
    counter.count.withLock { $0 += 1 }
    plan.oklabChroma(1.2)
  }
  static func == (a: Self, b: Self) -> Bool { a.counter === b.counter }
  var count: Int { counter.count.withLock { $0 } }
}

/// The same among the filters of geometry.
private struct CountedGeometry: Filter {
  static let id: FilterID = "counted-geometry"
  static let phase = FilterPhase.crop
  static let summary = "Counts"
  static let parameters: [Parameter] = []

  let color: CountedColor

  init() { color = CountedColor() }
  func lower(into plan: inout PlanBuilder) throws {
    color.counter.count.withLock { $0 += 1 }
    plan.notes.append("counted")
  }
  static func == (a: Self, b: Self) -> Bool { a.color == b.color }
  var count: Int { color.count }
}

@Suite("Filters that are lowered once")
struct LoweredFiltersTests {
  private let input = PlanInput(size: PixelSize(width: 60, height: 40), orientation: .right)

  @Test(
    "A plan that is optimized later is the plan that is optimized at once",
    arguments: [
      [], [Exposure(stops: 0.5)], [Contrast(20), Saturation(-30), Straighten(3)],
      [Resize(longEdge: 20), WhiteBalance(temperature: 5000, tint: 4), Tone(highlights: -30)],
    ] as [[any Filter]], [PixelFormat.rgba8, .rgba16])
  func optimizedLater(filters: [any Filter], stored: PixelFormat) throws {
    var input = input
    input.format = stored
    let recipe = Recipe(filters: filters)
    for format in [PixelFormat.rgba8, .rgba16] {
      let output = PlanOutput(format: format, space: .displayP3)
      let plan = try Plan(recipe, input: input, output: output)
      let draft = try Plan(recipe, input: input, output: output, optimized: false)
      #expect(draft.stages == plan.exactStages)
      #expect(try draft.optimized() == plan)
      #expect(try plan.optimized() == plan)
      if stored == .rgba16 || format == .rgba16 {
        #expect(plan.stages == draft.stages)
      } else if filters.isEmpty {
        #expect(plan.stages != draft.stages)
      }
    }
  }

  @Test("A plan for samples of another format is the one made for it")
  func otherFormat() throws {
    let recipe = Recipe(filters: [Exposure(stops: 0.5), Straighten(2)])
    let deep = try Plan(recipe, input: input, output: PlanOutput(format: .rgba16))
    let plan = try Plan(recipe, input: input, output: PlanOutput(format: .rgba8))
    #expect(try deep.exact(as: .rgba8).optimized() == plan)
    #expect(plan.exact(as: .rgba16) == deep)
  }

  @Test("A recipe lowers only what it does not share with the beginning of the one before")
  func continuing() throws {
    let (crop, color) = (CountedGeometry(), CountedColor())
    var filters = try LoweredFilters(for: input)
    func check(_ added: [any Filter], crop crops: Int, color colors: Int) throws {
      let recipe = Recipe(filters: added + [color, crop])
      let plan = try Plan(recipe, output: PlanOutput(), continuing: &filters)
      #expect(crop.count == crops && color.count == colors)
      #expect(try plan == Plan(recipe, input: input, output: PlanOutput(), optimized: false))
      // That plan was lowered from nothing.
      for counter in [crop.color.counter, color.counter] { counter.count.withLock { $0 -= 1 } }
    }
    try check([], crop: 1, color: 1)
    try check([], crop: 1, color: 1)
    // Exposure comes after geometry and ahead of colour.
    try check([Exposure(stops: 1)], crop: 1, color: 2)
    try check([Exposure(stops: 1)], crop: 1, color: 2)
    try check([Exposure(stops: 2)], crop: 1, color: 3)
    try check([Straighten(2), Exposure(stops: 2)], crop: 2, color: 4)
    try check([], crop: 3, color: 5)
  }

  @Test("Where only sizes matter colours are checked and not lowered")
  func onlyGeometry() throws {
    let (crop, color) = (CountedGeometry(), CountedColor())
    var filters = try LoweredFilters(for: input)
    let recipe = Recipe(filters: [color, Resize(longEdge: 30), crop])
    let draft = try Plan(recipe, output: PlanOutput(), continuing: &filters, onlyGeometry: true)
    #expect(draft.outputSize == PixelSize(width: 20, height: 30))
    #expect(crop.count == 1 && color.count == 0)
    let plan = try Plan(recipe, output: PlanOutput(), continuing: &filters)
    #expect(plan.outputSize == draft.outputSize && crop.count == 1 && color.count == 1)
    // How much of the source a part needs is known too.
    let sharpened = try Plan(
      Recipe(filters: [color, Sharpen(40)]), output: PlanOutput(), continuing: &filters, onlyGeometry: true)
    #expect(sharpened.sharpening?.halo == 3 && color.count == 1)
    #expect(throws: SafelightError.self) {
      try Plan(
        Recipe(filters: [Exposure(stops: 99)]), output: PlanOutput(), continuing: &filters, onlyGeometry: true
      )
    }
  }

  @Test("An error names the filter by its place in the recipe, also after those that were lowered before")
  func numbers() throws {
    var filters = try LoweredFilters(for: input)
    func lower(_ exposures: Int) throws {
      let bright: [any Filter] = Array(repeating: Exposure(stops: 4.9), count: exposures)
      _ = try Plan(Recipe(filters: [Saturation(10)] + bright), output: PlanOutput(), continuing: &filters)
    }
    try lower(20)
    let error = #expect(throws: SafelightError.self) { try lower(25) }
    #expect(error?.problem.hasPrefix("Filter 22 (exposure) makes colours") == true, "\(error as Any)")
    // What failed is not taken for lowered.
    #expect(throws: SafelightError.self) { try lower(25) }
    try lower(20)
  }
}
