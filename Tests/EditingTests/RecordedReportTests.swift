import LibraryTestSupport
import Safelight
import Testing

@testable import Editing
@testable import FrameAnalysis

/// The JSON of reports is an interface: each is compared with a recorded example.
///
/// Times, lengths of files and the instruction set differ between machines, so they are replaced.
@Suite("Recorded reports")
struct RecordedReportTests {
  private static func scene() throws -> PixelBuffer {
    try picture(60, 40) { x, y in [1000 * x, 1500 * y + 4000, 20_000, 65_535] }
  }

  @Test("What an edit did")
  func edit() throws {
    let scratch = try Scratch()
    try scratch.save(Self.scene(), as: "photo.png")
    let (recipe, found) = try Edit(
      values: ["rotate": "90"], straighten: .automatic, auto: [.exposure]
    ).resolve(scratch("photo.png"))
    let done = try PhotoExport().run(scratch("photo.png"), through: recipe, to: scratch("out.png"))
    var report = EditReport(
      done, of: "photo.png", writtenTo: "out.png", found: found, fallback: "the GPU is in use",
      warnings: ["A profile was damaged"])
    #expect(report.bytes == done.bytes && report.instructionSet == CPURenderer.instructionSet)
    (report.bytes, report.instructionSet) = (4321, "AVX2")
    report.steps = [StepTimes.Step(name: "decode", milliseconds: 1.5)]
    (report.otherMilliseconds, report.savedMilliseconds, report.milliseconds) = (0.5, 0, 2)
    for index in report.plan.stages.indices { report.plan.stages[index].estimatedMilliseconds = 0.25 }
    try expectRecorded(report, as: "edit")
  }

  @Test("How a plan renders")
  func plan() throws {
    let recipe = Recipe(filters: [Exposure(stops: 0.5), Saturation(20), Straighten(2)])
    let plan = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 60, height: 40)), output: PlanOutput())
    var report = PlanReport(plan, backend: BackendReport(backend: "vulkan", device: "A GPU"))
    let lut = try #require(plan.stages.compactMap { if case .baked(let lut) = $0 { lut } else { nil } }.first)
    #expect(report.bake?.nodes == lut.size)
    #expect(abs((report.bake?.maximumDeltaE2000 ?? 0) - lut.error.maximum) <= 0.0005)
    // The error is measured, and its last digits depend on how a processor adds.
    report.bake = PlanReport.Bake(nodes: lut.size, maximumDeltaE2000: 0.25, meanDeltaE2000: 0.0625)
    for index in report.stages.indices {
      report.stages[index].text = "stage \(index)"
      report.stages[index].estimatedMilliseconds = 0.25
    }
    for index in report.passes.indices { report.passes[index].remarks = [] }
    report.text = "the plan"
    try expectRecorded(report, as: "plan")
  }

  @Test("What was measured in a photo, and why it was not")
  func analysis() throws {
    let scratch = try Scratch()
    try scratch.save(Self.scene(), as: "photo.png")
    let analysis = try PhotoAnalysis(PhotoSample(contentsOf: scratch("photo.png")))
    var report = PhotoAnalysisReport(
      "photo.png", analysis, namesakes: ["other/photo.png"], namesakeCount: 1)
    let histogram = try #require(report.measurements?.histogram)
    #expect(histogram.count == 2400 && histogram.red.count == 256)
    report.measurements?.histogram = PhotoMeasurements.Histograms(
      count: 3, lightness: [0, 3], red: [1, 2], green: [2, 1], blue: [3, 0])
    report.scopes = "scopes.png"
    try expectRecorded(report, as: "analysis")
    try expectRecorded(PhotoAnalysisReport("lost.png", error: "Cannot read lost.png"), as: "analysis-failed")
  }

  @Test("A horizon that was found, that is missing, and a photo that cannot be read")
  func horizon() throws {
    let scratch = try Scratch()
    try scratch.save(picture(64, 48) { _, _ in [30_000, 20_000, 9000, 65_535] }, as: "photo.png")
    let sample = try PhotoSample(contentsOf: scratch("photo.png"))
    let none = PhotoHorizon(sample)
    #expect(none.horizon.degrees == nil)
    try expectRecorded(HorizonReport("photo.png", sample, none), as: "horizon-missing")
    var report = HorizonReport("photo.png", sample, none, drawing: "lines.png")
    report.horizon = HorizonReport.Answer(
      Horizon(
        degrees: -2.34567, deviation: 0.125, confidence: 0.87654,
        evidence: Horizon.Evidence(kinds: [.gravity], segmentCount: 20, agreeingCount: 12)))
    report.evidence?.lines = [HorizonEvidence.Line(from: [0, 0.25], to: [1, 0.5], role: .level)]
    try expectRecorded(report, as: "horizon")
    try expectRecorded(HorizonReport("lost.png", error: "Cannot read lost.png"), as: "horizon-failed")
  }

  @Test("A contact sheet of presets that was written")
  func presetSheet() throws {
    let report = PresetSheetReport(
      PixelSize(width: 1920, height: 1080), writtenTo: "looks.png", seconds: 0.123_456_7,
      warnings: ["A profile was damaged"])
    #expect(report.milliseconds == 123.457)
    try expectRecorded(report, as: "preset-sheet")
  }
}
