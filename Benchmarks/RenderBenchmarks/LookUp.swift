import Benchmark
import Safelight
import Glibc

/// A 33³ table on a 3840×2160 RGBA8 frame, compared with copying the frame in the same run.
func lookUpBenchmarks() {
  Benchmark("memcpy 3840×2160 RGBA8") { benchmark in
    let source = try Pictures.ultraHD.get()
    let target = try PixelBuffer(size: source.size, format: .rgba8)
    let bytes = source.planes[0].rowBytes * source.planes[0].rows
    memcpy(target.planes[0].base, source.planes[0].base, bytes)
    benchmark.startMeasurement()
    memcpy(target.planes[0].base, source.planes[0].base, bytes)
    benchmark.stopMeasurement()
    blackHole(target)
  }

  for threads in [1, 2] {
    Benchmark("33³ table 3840×2160 RGBA8, \(threads) thread\(threads > 1 ? "s" : "")") { benchmark in
      let table = try PresetLibrary.preset("teal-orange").recipe.filters.filter { $0 is LUT }
      let rendering = try Rendering(table, on: Pictures.ultraHD.get(), threads: threads)
      benchmark.startMeasurement()
      try rendering.run()
      benchmark.stopMeasurement()
      blackHole(rendering.output)
    }
  }
}
