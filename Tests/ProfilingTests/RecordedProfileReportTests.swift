import LibraryTestSupport
import Safelight
import Testing

@testable import Profiling

/// The JSON of profiles is an interface: it is compared with a recorded example.
@Suite("Recorded profiles")
struct RecordedProfileReportTests {
  @Test("A profile is the one recorded, and is read back")
  func profile() throws {
    var report = makeReport(frames: [2, 2, 2, 2, 12])
    report.device = makeDevice()
    report.subject.interpolation = "bilinear"
    report.roofline.arrayBytes = 1 << 26
    report.stages = [
      ProfileReport.StageCost(
        kind: "baked", text: "baked 33³", milliseconds: 1.5, nanosecondsPerPixel: 0.75,
        megapixelsPerSecond: 1382.4, gigabytesPerSecond: 10.625, bytes: 16_000_000, share: 0.75,
        ofRoofline: 0.28, samples: [1.5, 1.625])
    ]
    report.bake?.samples = [3.1, 3.2]
    var counted = [KernelCounters.Reading](repeating: .init(), count: 5)
    counted[4] = KernelCounters.Reading(waitedMilliseconds: 6, involuntarySwitches: 3, pageFaults: 1)
    report.interruptions = ProfileReport.Interruptions(
      report.frames.milliseconds, counted: counted, stolenMilliseconds: 1.5)
    report.interruptions?.evenness = 6
    report.interruptions?.evennessUndisturbed = 1
    report.capacities[0].frames = 100
    try expectRecorded(report, as: "profile")
    #expect(try ProfileReport(json: Array(report.json().utf8), file: "profile.json") == report)
  }

  @Test("A comparison is the one recorded")
  func comparison() throws {
    var comparison = ProfileComparison(before: makeReport(), after: makeReport())
    (comparison.copyChange, comparison.deviceCopyChange) = (-0.02, 0.25)
    comparison.onDevice = true
    comparison.differences = ["The number of threads differs: 2 before, 4 after."]
    comparison.notes = ["before: The machine was not idle."]
    comparison.rows = [
      ProfileComparison.Row(
        name: "frame p50", before: 2, after: 1.5, change: -0.25, lowest: -0.375, highest: -0.125,
        changeBesideCopy: -0.23, verdict: .faster),
      ProfileComparison.Row(
        name: "baked", before: 2, after: 2.5, change: 0.25, verdict: .untested, remark: "too few samples"),
      ProfileComparison.Row(name: "wait", after: 0.5, verdict: .added),
    ]
    try expectRecorded(comparison, as: "profile-comparison")
  }

  @Test("The times of a start are those recorded")
  func startup() throws {
    try expectRecorded(
      StartupProfile(
        command: "safelight live --to null", runs: 15,
        steps: [
          StartupProfile.Step(name: "look", text: "reading presets", milliseconds: 4.5, minimum: 4.25)
        ],
        firstFrame: StartupProfile.Step(
          name: "first frame", text: "from the start of the program", milliseconds: 134.5, minimum: 130),
        whole: StartupProfile.Step(
          name: "whole", text: "to the end of the program", milliseconds: 140, minimum: 135.25),
        pageFaults: 4321, involuntarySwitches: 2, processorMilliseconds: 98.5), as: "startup")
  }
}
