import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import Rendering
@testable import Profiling

@Suite("What profiles make of measured times")
struct ProfileMeasurementTests {
  @Test("Percentiles are those of the nearest rank")
  func percentiles() {
    let times = (1...1000).map(Double.init).shuffled()
    let frames = ProfileReport.FrameTimes(times)
    // Source of the definition: ISO 3534-1 and NIST/SEMATECH, nearest rank: the ⌈p·n⌉-th smallest.
    #expect([frames.p50, frames.p90, frames.p99, frames.p999] == [500, 900, 990, 999])
    #expect((frames.minimum, frames.maximum, frames.mean) == (1, 1000, 500.5))
    #expect(OrderStatistics.percentile(0.99, ofSorted: [1, 2, 3]) == 3)
    #expect(OrderStatistics.median([3, 1, 2]) == 2 && OrderStatistics.median([4, 1, 2, 3]) == 2.5)
    #expect(ProfileReport.FrameTimes([2, 4, 3]).jitter == 1.5)
    #expect(ProfileReport.FrameTimes([4, 6]).framesPerSecond == 200)
  }

  @Test("A frame that takes long is told with what the kernel counted in it")
  func interruptions() {
    var milliseconds = [Double](repeating: 2, count: 1000)
    var counted = [KernelCounters.Reading](repeating: .init(), count: 1000)
    (milliseconds[10], counted[10]) = (
      9, .init(waitedMilliseconds: 6.5, involuntarySwitches: 1, pageFaults: 0)
    )
    (milliseconds[20], counted[20]) = (
      4, .init(waitedMilliseconds: 0.1, involuntarySwitches: 1, pageFaults: 1000)
    )
    (milliseconds[30], counted[30]) = (
      5, .init(waitedMilliseconds: 0.1, involuntarySwitches: 1, pageFaults: 0)
    )
    milliseconds[40] = 3.5
    counted[50].pageFaults = 1
    // Too few pages to explain a millisecond and a half.
    (milliseconds[60], counted[60]) = (
      3.5, .init(waitedMilliseconds: 0, involuntarySwitches: 0, pageFaults: 700)
    )
    let report = ProfileReport.Interruptions(milliseconds, counted: counted, stolenMilliseconds: nil)
    #expect(report.slowest.map(\.index) == [10, 20, 30, 40, 60])
    #expect(report.slowest.map(\.cause) == [.coreWait, .pageFaults, .switches, .unknown, .unknown])
    #expect(report.causes == ["coreWait": 1, "pageFaults": 1, "switches": 1, "unknown": 2])
    #expect(report.slowFrames == 5 && report.undisturbedFrames == 995 && report.pageFaults == 1701)
    #expect(report.evenness == 2.5 && report.evennessUndisturbed == 1.75)
  }

  @Test("The kernel's counters rise with what it does to the process")
  func counters() {
    let counters = KernelCounters()
    let before = counters.read()
    let pages = UnsafeMutableRawPointer.allocate(byteCount: 64 << 20, alignment: 4096)
    for offset in stride(from: 0, to: 64 << 20, by: 4096) {
      pages.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
    let change = counters.read() - before
    pages.deallocate()
    #expect(change.pageFaults > 0 && change.waitedMilliseconds >= 0)
  }

  @Test("Threads are counted one by one up to eight, then by doubling, and to the last")
  func threadCounts() {
    #expect(Profiler.threadCounts(upTo: 1, including: 1) == [1])
    #expect(Profiler.threadCounts(upTo: 4, including: 2) == [1, 2, 3, 4])
    #expect(Profiler.threadCounts(upTo: 2, including: 6) == [1, 2, 6])
    #expect(Profiler.threadCounts(upTo: 48, including: 12) == [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 48])
  }

  @Test("Percentiles of too few frames are said to be the longest")
  func fewFrames() {
    #expect(
      Profiler.note(ofFrames: 99)
        == "p99 and p99.9 are only the longest of 99 frames; more --seconds measure more of them")
    #expect(
      Profiler.note(ofFrames: 999)
        == "p99.9 is only the longest of 999 frames; more --seconds measure more of them")
    #expect(Profiler.note(ofFrames: 1000) == nil)
    var capacity = ProfileReport.Capacity(framesPerSecond: 30, frames: 54)
    #expect(capacity.timeName == "longest of 54 frames")
    capacity.frames = 100
    #expect(capacity.timeName == "p99 of 100 frames")
    capacity.frames = nil
    #expect(capacity.timeName == "p99")
  }

  @Test("A size is confirmed with a hundred frames where there is time for them")
  func confirmation() {
    let counts = [30.0, 60, 120, 240].map { Profiler.frameCount(rate: $0, seconds: 1.8) }
    #expect(counts == [54, 100, 100, 108])
    #expect(Profiler.frameCount(rate: 240, seconds: 60) == 300)
    #expect(Profiler.frameCount(rate: 30, seconds: 0.01) == 5)
  }

  @Test("No frames are tried that take more than half of the free memory")
  func memory() {
    let settings = ProfileSettings(recipe: Recipe(), input: .f32)
    #expect(Profiler.mostPixels(settings, free: nil) == 7680 * 4320)
    #expect(Profiler.mostPixels(settings, free: 1 << 40) == 7680 * 4320)
    // At least two frames of 16 bytes a pixel, two pictures as large and the scene's: 68 bytes a pixel.
    let most = Profiler.mostPixels(settings, free: 2 << 30)
    #expect(most * 68 <= Double(1 << 30) * 1.01 && most > 160 * 90, "\(most)")
    #expect(Profiler.mostPixels(settings, free: 0) == 160 * 90)
  }

  @Test("A step's bytes are those of the part of the input that a crop leaves")
  func croppedBytes() throws {
    let renderer = CPURenderer(threads: 1)
    func bytes(_ step: RenderProbe.Step, _ filters: [any Filter], _ format: PixelFormat) throws -> Int? {
      let plan = try renderer.plan(
        Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 200, height: 100), format: format),
        output: PlanOutput())
      let block = ProfileStages.Block(
        wallSeconds: 1, decodeSeconds: 0, steps: [RenderProbe.StepTime(step: step, seconds: 1)],
        busySeconds: 1, milliseconds: 1)
      return ProfileStages(plan, threads: 1, frameBytes: 0).costs([block], frame: 1, copyRate: 1).first?.bytes
    }
    let crop = Crop(.proportions(width: 1, height: 1))
    // Half of the picture, two bytes a pixel, read and written as planes.
    #expect(try bytes(.load, [crop], .yuyv422) == 2 * 2 * 100 * 100)
    #expect(try bytes(.load, [], .yuyv422) == 2 * 2 * 200 * 100)
  }

  @Test("What a picture shows of its input is the turned rectangle, or what a downsampling averages")
  func shownInput() throws {
    func bytes(_ filters: [any Filter], _ format: PixelFormat = .yuyv422) throws -> (Int, PixelSize) {
      let plan = try CPURenderer(threads: 1).plan(
        Recipe(filters: filters),
        input: PlanInput(size: PixelSize(width: 1920, height: 1080), format: format),
        output: PlanOutput())
      return (plan.shownInputBytes, plan.outputSize)
    }
    #expect(try bytes([]).0 == 2 * 1920 * 1080)
    #expect(try bytes([Crop(.proportions(width: 1, height: 1))]).0 == 2 * 1080 * 1080)
    // A turn keeps areas: as many pixels as the output has, three quarters of the frame's, whatever rectangle holds
    // them.
    let (turned, size) = try bytes([Straighten(2), Crop(.proportions(width: 3, height: 2))])
    #expect(abs(turned - 2 * size.pixelCount) <= 2 && turned < 2 * 1920 * 1080 * 4 / 5)
    // A downsampling of the whole picture reads all of it.
    #expect(try bytes([Resize(longEdge: 480)], .rgba8).0 == 4 * 1920 * 1080)
    #expect(
      try bytes([Crop(.proportions(width: 1, height: 1)), Resize(longEdge: 270)], .rgba8).0 == 4 * 1080 * 1080
    )
  }

  @Test("Sizes have names by what fits in them")
  func usualSizes() {
    #expect(UsualSize.named("4k") == PixelSize(width: 3840, height: 2160))
    #expect(UsualSize.name(within: PixelSize(width: 3839, height: 2160)) == "1440p")
    #expect(UsualSize.name(within: PixelSize(width: 7680, height: 4320)) == "8K")
    #expect(UsualSize.name(within: PixelSize(width: 320, height: 240)) == nil)
  }

  @Test("A block's time falls to its stages, to decoding, and to waiting")
  func shares() throws {
    let plan = try CPURenderer(threads: 1).plan(
      Recipe(filters: [Exposure(stops: 1)]),
      input: PlanInput(size: PixelSize(width: 100, height: 10), format: .i420), output: PlanOutput())
    let stages = ProfileStages(plan, threads: 2, frameBytes: 500)
    // Of ten seconds two went into decoding; of sixteen seconds of two threads twelve were spent on tiles.
    let block = ProfileStages.Block(
      wallSeconds: 10, decodeSeconds: 2,
      steps: [
        RenderProbe.StepTime(step: .load, seconds: 2), RenderProbe.StepTime(step: .geometry, seconds: 1),
        RenderProbe.StepTime(step: .ycbcr, seconds: 3), RenderProbe.StepTime(step: .color(0), seconds: 6),
      ], busySeconds: 12, milliseconds: 20)
    let costs = stages.costs([block, block], frame: 10, copyRate: 0.001)
    #expect(costs.map(\.kind) == ["decode", "load", "ycbcr", "tables", "wait"])
    let expected = [0.2, 0.8 * 0.75 * 3 / 12, 0.8 * 0.75 * 3 / 12, 0.8 * 0.75 * 6 / 12, 0.8 * 0.25]
    for (cost, share) in zip(costs, expected) {
      #expect(abs(cost.share - share) < 1e-12 && abs(cost.milliseconds - 10 * share) < 1e-12)
      #expect(cost.samples.count == 2 && abs(cost.samples[1] - 20 * share) < 1e-12)
    }
    // 500 bytes of JPEG and 1000 pixels of luma with two quarters of colour differences, in 2 ms.
    #expect(costs[0].bytes == 2000 && abs(costs[0].gigabytesPerSecond - 0.001) < 1e-12)
    #expect(abs(costs[0].ofRoofline - 1) < 1e-9)
  }

  @Test("Filters are named with what is not neutral in them")
  func filterTexts() throws {
    #expect(Exposure(stops: 0.7).profileText == "exposure 0.7 EV")
    #expect(Crop(.proportions(width: 16, height: 9)).profileText == "crop 16:9")
    #expect(Exposure().profileText == "exposure")
    #expect(Tone(highlights: -30, shadows: 20).profileText == "tone highlights -30 shadows 20")
    #expect(WhiteBalance(temperature: 5600, tint: 2).profileText == "white-balance 5600 K tint 2")
    let look = try PresetLibrary.preset("faded").portableRecipe.filters.first { $0 is LUT }
    #expect(look?.profileText.hasPrefix("lut faded.cube strength") == true)
  }

  @Test("The example has a filter of every kind and can be planned")
  func example() throws {
    let recipe = try ProfileSettings.exampleRecipe()
    #expect(recipe.filters.count == 7)
    let plan = try CPURenderer(threads: 1).plan(
      recipe, input: PlanInput(size: PixelSize(width: 1920, height: 1080), format: .yuyv422),
      output: PlanOutput())
    // Geometry, camera, and a pair of tables: colour and the look behind it.
    #expect(plan.stages.count == 4)
  }
}
