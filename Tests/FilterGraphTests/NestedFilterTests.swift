import FilterGraph
import Filters
import FrameCore
import Testing

/// Holds filters, as groups will.
private struct Holder: Filter {
  static let id: FilterID = "holder"
  static let phase = FilterPhase.color
  static let summary = "Does what the filters that it holds do"
  static let holdsFilters = true
  static let parameters = [
    Parameter(\Holder.opacity, "opacity", in: 0...100, neutral: 100, unit: .percent, flag: nil, "How much")
  ]
  var opacity: Float = 100
  var nestedFilters: [any Filter] = []

  init() {}
  init(_ filters: [any Filter]) { nestedFilters = filters }

  static func == (a: Holder, b: Holder) -> Bool {
    a.opacity == b.opacity && Recipe(filters: a.nestedFilters) == Recipe(filters: b.nestedFilters)
  }

  func lower(into plan: inout PlanBuilder) throws {
    for filter in nestedFilters { try filter.lower(into: &plan) }
  }
}

/// Names two files, and has points.
private struct Curve: Filter {
  static let id: FilterID = "bend"
  static let phase = FilterPhase.tone
  static let summary = "Names files and holds points"
  static let unit = Parameter.Axis(in: 0...1, step: 0.01)
  static let line = [SIMD2(0.0, 0), SIMD2(1, 1)]
  static let parameters = [
    Parameter(
      points: \Curve.points, "points",
      as: Parameter.Points(x: unit, y: unit, count: 2...4, neutral: line), flag: nil, "The curve"),
    Parameter(file: \Curve.first, "first", extensions: ["a"], flag: nil, "A file"),
    Parameter(file: \Curve.second, "second-file", extensions: ["b", "c"], flag: nil, "Another file"),
  ]
  var points = line
  var first = ""
  var second = ""
  var loaded: [String] = []

  mutating func loadFiles(from files: FilterFiles) throws {
    loaded = try [first, second].filter { !$0.isEmpty }.map {
      String(decoding: try files.read($0), as: UTF8.self)
    }
  }
  func lower(into plan: inout PlanBuilder) {}
}

@Suite("Filters in filters, and files in them")
struct NestedFilterTests {
  private static let catalog = FilterCatalog.standard.filters + [Holder.self, Curve.self]

  private func decode(_ json: String) throws -> Recipe {
    try Recipe(json: Array(json.utf8), file: "r.json", catalog: FilterCatalog(Self.catalog)) { name in
      Array("<\(name)>".utf8)
    }
  }

  private func curve(_ first: String, _ second: String) -> Curve {
    var curve = Curve()
    (curve.first, curve.second) = (first, second)
    return curve
  }

  private var recipe: Recipe {
    Recipe {
      Exposure(stops: 1)
      curve("one", "")
      Holder([Saturation(5), Holder([curve("two", "three")]), curve("", "four")])
    }
  }

  @Test("Files are found by the kind of parameter, with the place of each, however deep")
  func files() {
    let files = recipe.files
    #expect(files.map(\.name) == ["one", "two", "three", "four"])
    #expect(files.map(\.filterNumber) == [[2], [3, 2, 1], [3, 2, 1], [3, 3]])
    #expect(files.map(\.parameter) == ["first", "first", "second-file", "second-file"])
    #expect(files.allSatisfy { $0.filter == Curve.id })
    #expect(recipe.mapFiles { "x/" + $0 }.files.map(\.name) == ["x/one", "x/two", "x/three", "x/four"])
    #expect(
      recipe.allFilters.map { type(of: $0).id.name }.joined(separator: " ")
        == "exposure bend holder saturation holder bend bend")
  }

  @Test("A visitor gets each filter once, those within ahead of those around them")
  func order() {
    var seen: [String] = []
    let mapped = recipe.mapFilters { filter in
      seen.append(type(of: filter).id.name)
      if let holder = filter as? Holder {
        // What it holds has been visited.
        #expect(holder.nestedFilters.allSatisfy { !($0 is Saturation) })
      }
      return filter is Saturation ? Contrast(7) : filter
    }
    #expect(seen == ["exposure", "bend", "saturation", "bend", "holder", "bend", "holder"])
    #expect((mapped.allFilters[3] as? Contrast)?.amount == 7)
    #expect(mapped.allFilters.count == recipe.allFilters.count)
  }

  @Test("Nested filters, files and points are written and read, and files are loaded everywhere")
  func json() throws {
    var shape = curve("a", "")
    shape.points = [SIMD2(0, 0.25), SIMD2(0.5, 0.5), SIMD2(1, 1)]
    let text = Recipe { Holder([Exposure(stops: 0.5), Holder([shape])]) }.json()
    #expect(
      text.contains(
        #"{ "filter": "holder", "filters": [{ "filter": "exposure", "stops": 0.5 }, "#
          + #"{ "filter": "holder", "filters": [{ "filter": "bend", "#
          + #""points": [[0, 0.25], [0.5, 0.5], [1, 1]], "first": "a" }] }] }"#))
    let read = try decode(text)
    #expect(read.json() == text)
    #expect((read.allFilters.last as? Curve)?.loaded == ["<a>"])
    let again = try read.mapFiles { "b/" + $0 }.loadingFiles(from: FilterFiles { Array($0.utf8) })
    #expect((again.allFilters.last as? Curve)?.loaded == ["b/a"])
  }

  @Test(
    "What is wrong in a nested filter is told with its place",
    arguments: [
      (#"{"filter": "exposure", "stops": 9}"#, "exposure is 9, outside its range; give a value in -5…5 EV."),
      (
        #"{"filter": "bend", "points": [[0, 0]]}"#,
        "bend.points has 1 points; give 2…4."
      ),
      (
        #"{"filter": "bend", "points": [[0, 0], [1, 2]]}"#,
        "bend.points has the point 1,2, which is outside its range; give x in 0…1 and y in 0…1."
      ),
      (
        #"{"filter": "bend", "points": [[0, 0], 1]}"#,
        "“points” must be a list of points such as [[0, 0], [1, 1]]."
      ),
      (
        #"{"filter": "bend", "points": "0,0 1"}"#,
        "bend.points has “1”, which is not a point; write points like 0,0 0.5,0.6 1,1."
      ),
    ])
  func errors(filter: String, sentence: String) {
    let error = #expect(throws: SafelightError.self) {
      try decode(#"{"safelight": 1, "filters": [{"filter": "holder", "filters": [\#(filter)]}]}"#)
    }
    #expect(error?.description == "r.json: filters[0].filters[0]: " + sentence)
  }

  @Test("Points may be written as text; a filter that holds none takes no “filters”")
  func forms() throws {
    let text = #"{"safelight": 1, "filters": [{"filter": "bend", "points": "0,0 0.5,0.75 1,1"}]}"#
    #expect(
      (try decode(text).filters.first as? Curve)?.points == [SIMD2(0, 0), SIMD2(0.5, 0.75), SIMD2(1, 1)])
    #expect(throws: SafelightError.self) {
      try decode(#"{"safelight": 1, "filters": [{"filter": "bend", "filters": []}]}"#)
    }
  }

  @Test("The limit of filters counts those within others, and their values are validated")
  func limits() throws {
    let many = Array(repeating: #"{"filter": "exposure"}"#, count: Recipe.filterLimit).joined(separator: ",")
    let error = #expect(throws: SafelightError.self) {
      try decode(#"{"safelight": 1, "filters": [{"filter": "holder", "filters": [\#(many)]}]}"#)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.problem == "r.json: The recipe has 501 filters, more than 500")
    #expect(throws: SafelightError.self) { try Holder([Exposure(stops: 6)]).validate() }
    try Holder([Exposure(stops: 5)]).validate()
  }

  @Test("Descriptions of points and of files with several extensions")
  func descriptions() {
    let parameters = FilterDescription(Curve.self).parameters
    #expect(parameters.map(\.kind) == ["points", "file", "file"])
    #expect(parameters.map(\.title) == ["Points", "First", "Second file"])
    #expect(parameters[0].minimumPoints == 2 && parameters[0].maximumPoints == 4)
    #expect(parameters[0].x?.maximum == 1 && parameters[0].y?.step == 0.01)
    #expect(parameters[0].neutral == "0,0 1,1")
    #expect(parameters[2].extensions == ["b", "c"] && parameters[2].syntax == "FILE.b|FILE.c")
  }

  /// A filter whose parameter is declared by a test.
  private struct Faulty<Declaration: FaultyDeclaration>: Filter {
    static var id: FilterID { "faulty" }
    static var phase: FilterPhase { .color }
    static var summary: String { "Is wrong" }
    static var parameters: [Parameter] {
      [
        Parameter(
          \Faulty.amount, "amount", in: 0...10, slider: Declaration.slider, step: Declaration.step,
          neutral: 0,
          detent: Declaration.detent, scale: Declaration.scale, flag: nil, "")
      ]
    }
    var amount: Float = 0
    func lower(into plan: inout PlanBuilder) {}
  }
  private enum WideSlider: FaultyDeclaration { static var slider: ClosedRange<Double> { 0...11 } }
  private enum DetentOutside: FaultyDeclaration { static var detent: Double { 9 } }
  private enum NoStep: FaultyDeclaration { static var step: Double { 0 } }
  private enum Reciprocal: FaultyDeclaration { static var scale: Parameter.Scale { .reciprocal } }

  @Test(
    "A catalog refuses parameters that contradict themselves",
    arguments: [
      (Faulty<WideSlider>.self as any Filter.Type, "has a slider that goes beyond its range"),
      (Faulty<DetentOutside>.self, "has a detent outside its slider"),
      (Faulty<NoStep>.self, "has no step above 0"),
      (Faulty<Reciprocal>.self, "has a reciprocal slider that begins at 0 or below"),
    ])
  func faults(filter: any Filter.Type, fault: String) {
    let error = #expect(throws: SafelightError.self) { try FilterCatalog([filter]) }
    #expect(error?.problem == "The parameter “amount” of the filter “faulty” \(fault)")
  }

  @Test("A step that is not given is a round number, at most a hundredth of the slider")
  func steps() {
    func step(_ range: ClosedRange<Double>) -> Double {
      Parameter.Number(in: range, neutral: range.lowerBound).step
    }
    #expect(step(0...100) == 1 && step(-100...100) == 2 && step(0...60) == 0.5)
    #expect(abs(step(0...1) - 0.01) < 1e-12 && step(2000...10_000) == 50)
  }
}

private protocol FaultyDeclaration: Sendable {
  static var slider: ClosedRange<Double> { get }
  static var step: Double { get }
  static var detent: Double { get }
  static var scale: Parameter.Scale { get }
}

extension FaultyDeclaration {
  static var slider: ClosedRange<Double> { 0...5 }
  static var step: Double { 1 }
  static var detent: Double { 0 }
  static var scale: Parameter.Scale { .linear }
}
