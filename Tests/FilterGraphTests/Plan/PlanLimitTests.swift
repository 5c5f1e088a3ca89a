import ColorScience
import Filters
import FrameCore
import Testing

@testable import FilterGraph

/// Recipes that are small as files and large in what they ask for.
@Suite("Limits of plans")
struct PlanLimitTests {
  private func plan(_ filters: [any Filter], order: Recipe.Order = .canonical) throws -> Plan {
    try Plan(
      Recipe(order: order, filters: filters), input: PlanInput(size: PixelSize(width: 60, height: 40)),
      output: PlanOutput(), optimized: false)
  }

  private func message(_ filters: [any Filter], order: Recipe.Order = .canonical) -> String? {
    do {
      _ = try plan(filters, order: order)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static let tooBright =
    "makes colours, with the filters before it, brighter than can be computed; give it smaller values, or take filters out."

  @Test("Exposures whose product is infinite are refused, and the filter that goes too far is named")
  func infiniteGain() {
    // 20 of them are 98 stops, 21 are 102.9.
    #expect(message(Array(repeating: Exposure(stops: 4.9), count: 20)) == nil)
    #expect(
      message(Array(repeating: Exposure(stops: 4.9), count: 205)) == "Filter 21 (exposure) \(Self.tooBright)")
    #expect(
      message([Saturation(10), Crop(.square)] + Array(repeating: Exposure(stops: 4.9), count: 30))
        == "Filter 23 (exposure) \(Self.tooBright)")
    // Listed, a crop in between does not part them: it moves ahead of colour.
    let apart = (0..<30).flatMap { _ -> [any Filter] in [Exposure(stops: 4.9), Crop(.square)] }
    #expect(message(apart, order: .listed) == "Filter 41 (exposure) \(Self.tooBright)")
  }

  @Test("A chain of small tables that would take gigabytes is refused before any is made")
  func longChain() throws {
    let nodes = [SIMD3<Float>](repeating: .zero, count: 8)
    let step = ColorStep.table3D(try LUT3D(size: 2, nodes: nodes), isTrilinear: true)
    let chain = ColorLUT(steps: Array(repeating: step, count: 100))
    #expect(
      message([LUT(chain, name: "long.clf")])
        == "long.clf is a chain of more tables than there is memory for; join its tables into one, which other programs "
        + "read too.")
  }

  @Test("A gain that grows behind black is found too")
  func gainOfBlack() {
    let filters: [any Filter] =
      Array(repeating: Exposure(stops: -5), count: 230) + [Contrast(10)]
      + Array(repeating: Exposure(stops: 4.9), count: 205)
    #expect(message(filters, order: .listed)?.hasPrefix("Filter 252 (exposure) makes colours") == true)
  }

  @Test("Contrasts that throw white out of reach are refused")
  func powers() {
    #expect(message(Array(repeating: Contrast(100), count: 4)) == nil)
    #expect(
      message(Array(repeating: Contrast(100), count: 205))?.hasPrefix("Filter 6 (contrast) makes colours")
        == true)
    // Towards black there is an end.
    #expect(message(Array(repeating: Contrast(-100), count: 205)) == nil)
    #expect(message(Array(repeating: Exposure(stops: -5), count: 400)) == nil)
  }

  @Test("More filters than a recipe may have are refused, in a file before anything is loaded")
  func tooMany() throws {
    let most = Recipe.filterLimit
    let sentence =
      "The recipe has \(most + 1) filters, more than \(most); combine filters of one kind: two exposures of 0.5 are one of 1."
    #expect(message(Array(repeating: Exposure(stops: 0.001), count: most)) == nil)
    #expect(message(Array(repeating: Exposure(stops: 0.001), count: most + 1)) == sentence)
    func json(_ count: Int) -> [UInt8] {
      let filters = Array(repeating: #"{ "filter": "lut", "file": "a.cube" }"#, count: count)
      return Array(#"{ "safelight": 1, "filters": [\#(filters.joined(separator: ","))] }"#.utf8)
    }
    #expect(try RecipeFiles.decode(json(most)).filters.count == most)
    #expect {
      try Recipe(json: json(most + 1), file: "look.json", catalog: .standard) { name in
        Issue.record("\(name) was read")
        return []
      }
    } throws: {
      "\($0)" == "look.json: \(sentence)"
    }
  }

  @Test("A table that many filters name is read once and shared")
  func sharedTables() throws {
    let filters = Array(repeating: #"{ "filter": "lut", "file": "a.cube" }"#, count: 50)
    let json = #"{ "safelight": 1, "filters": [\#(filters.joined(separator: ","))] }"#
    var reads = 0
    let recipe = try Recipe(json: Array(json.utf8), file: "look.json", catalog: .standard) { name in
      reads += 1
      return RecipeFiles.read(name)
    }
    #expect(reads == 1)
    let tables = recipe.filters.compactMap { ($0 as? LUT)?.table?.cube }
    let places = tables.map { $0.nodes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    #expect(places.count == 50 && Set(places).count == 1)
  }

  @Test("The files of a recipe have a limit together")
  func filesTogether() throws {
    let files = FilterFiles(atMost: 100) { _ in [UInt8](repeating: 0, count: 40) }
    for name in ["a", "b", "a"] { #expect(try files.read(name).count == 40) }
    #expect {
      try files.read("c")
    } throws: {
      "\($0)"
        == "The files that the recipe names have 120 bytes together, more than 100; use fewer or smaller tables."
    }
  }

  @Test("A file that is known to be too large is not read")
  func largeFile() throws {
    var reads: [String] = []
    let sizes: [String: Int] = ["a": 40, "b": 70, "c": .max, "d": .max]
    let files = FilterFiles(atMost: 100, size: { sizes[$0] }) { name in
      reads.append(name)
      return [UInt8](repeating: 0, count: 40)
    }
    #expect(try files.read("a").count == 40)
    for name in ["b", "c", "d"] { #expect(throws: SafelightError.self) { try files.read(name) } }
    #expect(reads == ["a"])
  }

  @Test("Passes that undo each other are told by name and by what they do, not run for ever")
  func swingingPasses() {
    let gain = Stage.matrix(.diagonal(SIMD3(2, 2, 2)))
    let passes = [
      Optimizer.Pass(name: "remove no-ops") { stages, _ in Optimizer.removeNoOps(stages) },
      Optimizer.Pass(name: "add") { stages, _ in stages + [gain] },
      Optimizer.Pass(name: "take away") { stages, _ in Array(stages.dropLast()) },
    ]
    var optimizer = Optimizer()
    #expect {
      try optimizer.run(passes, on: [gain])
    } throws: {
      "\($0)" == """
        The plan swings between
          matrix gain 2.0000 2.0000 2.0000
          matrix gain 2.0000 2.0000 2.0000
        and
          matrix gain 2.0000 2.0000 2.0000
        and does not settle: after 9 rounds the passes add, take away still change it; simplify the recipe, and report \
        this with it.
        """
    }
    #expect(optimizer.records.count <= 2 * 10)
  }

  @Test("What equals nothing, itself included, does not keep the optimizer running")
  func notANumber() {
    let none = Stage.matrix(.diagonal(SIMD3(.nan, 1, 1)))
    var optimizer = Optimizer()
    #expect(throws: SafelightError.self) { try optimizer.run(Optimizer.algebraicPasses, on: [none]) }
    // Two gains whose product is infinite stay two.
    let large = Stage.matrix(.diagonal(SIMD3(repeating: 1e200)))
    #expect(Optimizer.multiplyMatrices([large, large]) == [large, large])
  }
}
