import Benchmark
import Safelight

/// Chains of filters on 12 megapixels: the benefit of fusing.
func chainBenchmarks() {
  let one: [any Filter] = [Saturation(15)]
  for (name, filters) in [("one colour filter", one), ("twelve colour filters", Chains.twelve)] {
    Benchmark("\(name), 12 Mpx, 1 thread") { benchmark in
      let rendering = try Rendering(filters, on: Pictures.twelveMegapixels.get(), threads: 1)
      benchmark.startMeasurement()
      try rendering.run()
      benchmark.stopMeasurement()
      blackHole(rendering.output)
    }
  }

  Benchmark("straighten 2° (Kaiser-windowed sinc), 12 Mpx, 1 thread") { benchmark in
    let rendering = try Rendering([Straighten(2)], on: Pictures.twelveMegapixels.get(), threads: 1)
    benchmark.startMeasurement()
    try rendering.run()
    benchmark.stopMeasurement()
    blackHole(rendering.output)
  }

  Benchmark("straighten 2°, colour and table together, 12 Mpx, 2 threads") { benchmark in
    let table = try PresetLibrary.preset("teal-orange").recipe.filters
    let rendering = try Rendering(
      Chains.twelve + table + [Straighten(2)], on: Pictures.twelveMegapixels.get(), threads: 2)
    benchmark.startMeasurement()
    try rendering.run()
    benchmark.stopMeasurement()
    blackHole(rendering.output)
  }
}

enum Chains {
  /// Twelve filters that a photographer might stack; none of them is neutral.
  static let twelve: [any Filter] = [
    WhiteBalance(temperature: 6900, tint: 4), WhiteBalance(temperature: 6300, tint: -2), Exposure(stops: 0.3),
    Exposure(stops: -0.1), Contrast(8), Contrast(-3), Contrast(4), Saturation(15), Saturation(-5),
    Saturation(3), Exposure(stops: 0.05), WhiteBalance(temperature: 6600),
  ]
}
