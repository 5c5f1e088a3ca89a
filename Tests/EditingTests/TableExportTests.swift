import LibraryTestSupport
import Safelight
import Testing

@testable import ColorScience
@testable import Editing

@Suite("Recipes as tables")
struct TableExportTests {
  private static let look = Recipe(filters: [
    Exposure(stops: 0.3), WhiteBalance(temperature: 5600), Contrast(20), Saturation(15),
  ])

  private static func difference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let difference = a - b
    return max(abs(difference.x), abs(difference.y), abs(difference.z))
  }

  /// What a recipe makes of sRGB samples in floating point.
  private static func rendered(_ recipe: Recipe, _ color: SIMD3<Double>) throws -> SIMD3<Double> {
    let plan = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 4, height: 4), format: .rgbaF32),
      output: PlanOutput(format: .rgbaF32), optimized: false)
    return plan.exactStages.reduce(color) { $1.evaluate($0) }.clamped(lowerBound: .zero, upperBound: .one)
  }

  @Test(
    "A table that is read back is the recipe within the error that was told",
    arguments: ["cube", "clf", "png"])
  func readBack(format: String) throws {
    let scratch = try Scratch()
    let path = scratch("look.\(format)")
    let report = try TableExport(size: format == "png" ? 36 : 33).write(Self.look, to: path)
    let error = try #require(report.tetrahedral)
    let table = try #require(try LUT(contentsOf: path).table)
    #expect(table.cube?.size == report.size)
    var random = SeededRandom(seed: 4)
    var worst = 0.0
    for _ in 0..<400 {
      func number() -> Double { Double.random(in: 0...1, using: &random) }
      let color = SIMD3(number(), number(), number())
      let found = table.evaluate(color).clamped(lowerBound: .zero, upperBound: .one)
      worst = max(worst, Self.difference(found, try Self.rendered(Self.look, color)))
    }
    #expect(worst <= error.maximum * 1.05 + 2e-5, "\(worst), told \(error.maximum)")
    // Saturated colours with a channel that is nearly black are the furthest.
    #expect(error.maximum < 0.1 && error.mean < 0.0015 && error.maximum > 1e-5)
    #expect((error.maximumDeltaE ?? 9) < 1.5)
    // Programs that interpolate along axes are told of apart.
    #expect(report.trilinear != report.tetrahedral)
  }

  @Test("Nodes are the recipe's own values")
  func nodes() throws {
    let scratch = try Scratch()
    _ = try TableExport(size: 17).write(Self.look, to: scratch("a.cube"))
    let table = try #require(try LUT(contentsOf: scratch("a.cube")).table)
    for color in [SIMD3(0.25, 0.5, 0.75), SIMD3(0.0625, 1, 0.125)] {
      let found = table.evaluate(color).clamped(lowerBound: .zero, upperBound: .one)
      #expect(Self.difference(found, try Self.rendered(Self.look, color)) < 1e-6)
    }
  }

  @Test("A recipe for log footage becomes a table from its encoding to Rec. 709")
  func log() throws {
    let scratch = try Scratch()
    let recipe = Recipe(filters: [InputEncoding(.log(.vLog)), Exposure(stops: -1)])
    let report = try TableExport().write(recipe, to: scratch("v.cube"))
    #expect(report.input == "v-log" && report.output == "rec709" && report.size == 33)
    let table = try #require(try LUT(contentsOf: scratch("v.cube")).table)
    // The grey card of 18 %, a stop darker.
    let grey = table.evaluate(SIMD3(repeating: LogEncoding.vLog.encode(0.18)))
    #expect(Self.difference(grey, SIMD3(repeating: TransferFunction.sRGB.encode(0.09))) < 0.005)
    // And back to the same encoding.
    let kept = try TableExport(output: .log(.vLog)).write(recipe, to: scratch("w.cube"))
    #expect(kept.tetrahedral?.maximumDeltaE == nil)
    let darker = try #require(try LUT(contentsOf: scratch("w.cube")).table)
      .evaluate(SIMD3(repeating: LogEncoding.vLog.encode(0.18)))
    #expect(Self.difference(darker, SIMD3(repeating: LogEncoding.vLog.encode(0.09))) < 0.002)
  }

  @Test("What a table cannot have is named and left out, or refused")
  func local() throws {
    let scratch = try Scratch()
    let recipe = Recipe(filters: [
      Rotate(.clockwise), Exposure(stops: 0.5), Sharpen(50), Vignette(amount: -30),
    ])
    let error = #expect(throws: SafelightError.self) {
      try TableExport().write(recipe, to: scratch("a.cube"))
    }
    #expect(
      error?.description
        == "A table cannot have sharpen, vignette: what they do to a pixel depends on its place or on those around it; take them out, or leave them out with --leave-out-local."
    )
    #expect(!FileContents.isRegular(scratch("a.cube")))
    let report = try TableExport(leavesOutLocal: true).write(recipe, to: scratch("a.cube"))
    #expect(report.leftOut == ["rotate", "sharpen", "vignette"])
    let plain = try TableExport().write(
      Recipe(filters: [Exposure(stops: 0.5)]), to: scratch("b.cube"))
    #expect(try FileContents.read(scratch("a.cube")) == FileContents.read(scratch("b.cube")))
    #expect(plain.leftOut.isEmpty)
    let nothing = #expect(throws: SafelightError.self) {
      try TableExport().write(Recipe(filters: [Rotate(.clockwise)]), to: scratch("c.cube"))
    }
    #expect(nothing?.problem == "The recipe changes no colours that a table can have")
  }

  @Test("A grade of the ASC's comes back from its list", arguments: ["cc", "ccc", "cdl"])
  func lists(format: String) throws {
    let scratch = try Scratch()
    let grade = CDL(
      slope: CDL.Slope(1.1, 1, 0.9), offset: CDL.Offset(0.02, 0, -0.01), power: CDL.Power(1, 0.95, 1.1),
      saturation: 0.8)
    let path = scratch("grade.\(format)")
    let report = try TableExport().write(Recipe(filters: [grade]), to: path)
    #expect(report.size == nil && report.tetrahedral == nil && report.input == "srgb")
    let decisions = try ColorDecision.read(FileContents.read(path), name: "grade")
    #expect(decisions.count == 1 && decisions[0].id == "safelight")
    #expect(try CDL(decisions[0]) == grade)
    let other = #expect(throws: SafelightError.self) {
      try TableExport().write(Self.look, to: scratch("x.\(format)"))
    }
    #expect(other?.remedy == "write a .cube or a .clf file, which have any colours")
  }

  @Test("Sizes and names that cannot be written are refused before anything is")
  func refused() throws {
    let scratch = try Scratch()
    for (export, name) in [
      (TableExport(size: 1), "a.cube"), (TableExport(size: 130), "a.cube"), (TableExport(size: 33), "a.png"),
      (TableExport(), "a.3dl"), (TableExport(), "cube"),
    ] {
      #expect(throws: SafelightError.self) { try export.write(Self.look, to: scratch(name)) }
      #expect(!FileContents.isRegular(scratch(name)))
    }
  }

  @Test("The report's JSON")
  func json() throws {
    let scratch = try Scratch()
    var report = try TableExport(size: 17).write(Self.look, to: scratch("a.cube"))
    let error = TableReport.Error(maximum: 0.5, mean: 0.25, maximumDeltaE: 2, meanDeltaE: 0.125)
    (report.file, report.tetrahedral, report.trilinear) = ("look.cube", error, error)
    try expectRecorded(report, as: "table")
  }
}
