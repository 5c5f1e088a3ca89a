import Benchmark
import Safelight

/// Chains of filters on 12 megapixels: what fusing is worth, and what lowering and baking cost.
func chainBenchmarks() {
  let one: [any Filter] = [Saturation(15)]
  // Twelve filters that a photographer might stack; none of them is neutral.
  let twelve: [any Filter] = [
    WhiteBalance(temperature: 6900, tint: 4), WhiteBalance(temperature: 6300, tint: -2), Exposure(stops: 0.3),
    Exposure(stops: -0.1), Contrast(8), Contrast(-3), Contrast(4), Saturation(15), Saturation(-5),
    Saturation(3),
    Exposure(stops: 0.05), WhiteBalance(temperature: 6600),
  ]
  for (name, filters) in [("one colour filter", one), ("twelve colour filters", twelve)] {
    Benchmark("\(name), 12 Mpx, 1 thread") { benchmark in
      let rendering = try Rendering(filters, on: Pictures.twelveMegapixels.get(), threads: 1)
      benchmark.startMeasurement()
      try rendering.run()
      benchmark.stopMeasurement()
      blackHole(rendering.output)
    }
  }

  Benchmark("straighten 2° (Lanczos-3), 12 Mpx, 1 thread") { benchmark in
    let rendering = try Rendering([Straighten(2)], on: Pictures.twelveMegapixels.get(), threads: 1)
    benchmark.startMeasurement()
    try rendering.run()
    benchmark.stopMeasurement()
    blackHole(rendering.output)
  }

  Benchmark("straighten 2°, colour and table together, 12 Mpx, 2 threads") { benchmark in
    let table = try PresetLibrary.preset("teal-orange").recipe.filters
    let rendering = try Rendering(
      twelve + table + [Straighten(2)], on: Pictures.twelveMegapixels.get(), threads: 2)
    benchmark.startMeasurement()
    try rendering.run()
    benchmark.stopMeasurement()
    blackHole(rendering.output)
  }

  Benchmark("plan of twelve filters: lower, bake, prove") { benchmark in
    let renderer = CPURenderer()
    let input = PlanInput(size: PixelSize(width: 4000, height: 3000))
    for _ in benchmark.scaledIterations {
      blackHole(try renderer.plan(Recipe(filters: twelve), input: input, output: PlanOutput()))
    }
  }
}
