import Benchmark
import Safelight
import Glibc

/// The sizes at which cameras are measured.
enum LiveSize: String, CaseIterable {
  case fullHD = "1080p"
  case ultraHD = "4K"

  var pixels: PixelSize {
    switch self {
    case .fullHD: PixelSize(width: 1920, height: 1080)
    case .ultraHD: PixelSize(width: 3840, height: 2160)
    }
  }
}

/// A typical streamer's edit: exposure, white balance, contrast, saturation, a table, straighten and crop.
func liveChain() throws -> Recipe {
  let table = try PresetLibrary.preset("teal-orange").recipe.filters.filter { $0 is LUT }
  return Recipe(
    filters: [
      Exposure(stops: 0.3), WhiteBalance(temperature: 6900), Contrast(10), Saturation(15), Straighten(2),
      Crop(.proportions(width: 3, height: 2)),
    ] + table)
}

/// Camera frames in each format through the chain, into memory that is reused for every frame.
func liveChainBenchmarks() {
  for size in LiveSize.allCases {
    Benchmark("memcpy of a \(size.rawValue) YUYV frame and of the RGBX that it becomes") { benchmark in
      let live = try LiveRendering(size.pixels, .yuyv422, threads: 1)
      let (from, to) = (live.source, try PixelBuffer(size: live.source.size, format: .yuyv422))
      let copy = try PixelBuffer(size: live.output.size, format: .rgba8)
      copyAll(from, to)
      copyAll(live.output, copy)
      benchmark.startMeasurement()
      copyAll(from, to)
      copyAll(live.output, copy)
      benchmark.stopMeasurement()
      blackHole(copy)
    }
    for threads in [1, 2] {
      for format in [PixelFormat.yuyv422, .nv12] where threads == 2 || format == .yuyv422 {
        Benchmark(
          "live chain \(size.rawValue) \(format.rawValue), \(threads) thread\(threads > 1 ? "s" : "")"
        ) {
          benchmark in
          let live = try LiveRendering(size.pixels, format, threads: threads)
          for _ in 0..<3 { try live.run() }
          benchmark.startMeasurement()
          try live.run()
          benchmark.stopMeasurement()
          blackHole(live.output)
        }
      }
    }
  }
}

private func copyAll(_ source: PixelBuffer, _ target: PixelBuffer) {
  memcpy(target.planes[0].base, source.planes[0].base, source.planes[0].rowBytes * source.planes[0].rows)
}

/// A prepared plan with a frame and memory for the result.
struct LiveRendering {
  let renderer: CPURenderer
  let plan: any PreparedPlan
  let source: PixelBuffer
  let output: PixelBuffer

  init(_ size: PixelSize, _ format: PixelFormat, threads: Int) throws {
    renderer = CPURenderer(threads: threads)
    source = try LivePictures.frame(size, format)
    plan = try renderer.prepare(
      renderer.plan(liveChain(), input: PlanInput(source), output: PlanOutput()))
    output = try PixelBuffer(size: plan.plan.outputSize, format: .rgba8)
  }

  func run() throws { try plan.render(source, into: output) }
}
