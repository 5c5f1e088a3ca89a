import LibraryTestSupport
import Safelight
@testable import Profiling

/// Frame times with the figures that a profiler derives from them.
func makeFrameTimes(_ times: [Double]) -> ProfileReport.FrameTimes {
  let sorted = times.sorted()
  func percentile(_ part: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
  }
  let mean = times.isEmpty ? 0 : times.reduce(0, +) / Double(times.count)
  let steps = zip(times, times.dropFirst()).map { abs($0 - $1) }
  return ProfileReport.FrameTimes(
    milliseconds: times, p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99),
    p999: percentile(0.999), minimum: sorted.first ?? 0, maximum: sorted.last ?? 0, mean: mean,
    jitter: steps.isEmpty ? 0 : steps.reduce(0, +) / Double(steps.count),
    framesPerSecond: mean > 0 ? 1000 / mean : 0)
}

func makeStage(
  _ kind: String, _ milliseconds: Double, samples: [Double] = [], bytes: Int = 16_000_000, copy: Double = 38.9
) -> ProfileReport.StageCost {
  let speed = Double(bytes) / milliseconds / 1e6
  return ProfileReport.StageCost(
    kind: kind, text: kind + " as planned", milliseconds: milliseconds,
    nanosecondsPerPixel: milliseconds / 2.0736, megapixelsPerSecond: 2073.6 / milliseconds,
    gigabytesPerSecond: speed, bytes: bytes, share: milliseconds / 4, ofRoofline: speed / copy,
    samples: samples)
}

/// A GPU as a run on one would give it.
func makeDevice() -> ProfileReport.Device {
  ProfileReport.Device(
    name: "Test GPU", driver: "test driver 1.2", kind: "discrete", memoryBytes: 8_000_000_000,
    vulkanVersion: "1.3.277", copy: 2000, framesInFlight: 3, aloneMilliseconds: 2.5,
    residentMilliseconds: 0.1,
    residentFramesPerSecond: 10_000, residentOfCopy: 0.75)
}

/// A profile as a run on two threads would give it.
func makeReport(frames: [Double] = [2.0, 2.1, 1.9, 2.0, 2.4]) -> ProfileReport {
  ProfileReport(
    machine: ProfileReport.Machine(
      processor: "EPYC", cores: 2, instructionSet: "AVX3_DL", system: "Linux 6.1", release: "0.6.0",
      date: "2026-11-21T15:40:12Z"),
    subject: ProfileReport.Subject(
      name: "golden-hour", filters: ["exposure +0.7", "straighten 2.4°"], input: "yuyv", inputWidth: 1920,
      inputHeight: 1080, outputFormat: "rgba8", outputWidth: 1808, outputHeight: 1017, backend: "cpu",
      threads: 2, plan: "plan  1920×1080 yuyv\n  1  ycbcr\n  2  baked\n"),
    roofline: ProfileReport.Roofline(
      points: [
        ProfileReport.Roofline.Point(threads: 1, copy: 21.3, read: 17.2, write: 14.1, triad: 19.8),
        ProfileReport.Roofline.Point(threads: 2, copy: 38.9, read: 33, write: 26.4, triad: 36.1),
      ], frameCopyMilliseconds: 0.5),
    frames: makeFrameTimes(frames), stages: [makeStage("ycbcr", 0.5), makeStage("baked", 1.5)],
    passes: [
      ProfileReport.Pass(
        name: "join pointwise colour", stagesBefore: 6, stagesAfter: 2, remarks: ["bake 33³"])
    ],
    bake: ProfileReport.Bake(
      nodes: 33, maximumDeltaE2000: 0.4, meanDeltaE2000: 0.018, milliseconds: 3.2, samples: nil),
    filters: [
      ProfileReport.FilterCost(
        id: "exposure", text: "exposure +0.7", aloneMilliseconds: 1.2, inPlanMilliseconds: -0.01)
    ],
    scaling: [
      ProfileReport.ThreadPoint(threads: 1, milliseconds: 3.9, framesPerSecond: 256, efficiency: 1),
      ProfileReport.ThreadPoint(threads: 2, milliseconds: 2, framesPerSecond: 500, efficiency: 0.98),
    ],
    capacities: [
      ProfileReport.Capacity(
        framesPerSecond: 60, width: 5632, height: 3168, p99Milliseconds: 16.1, usualSize: "4K"),
      ProfileReport.Capacity(framesPerSecond: 240),
    ],
    notes: ["The machine was not idle."])
}
