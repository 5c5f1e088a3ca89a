import Benchmark
import Safelight

/// Plans made from scratch, for each kind of recipe: the wait while a slider is dragged.
func bakeBenchmarks() {
  let recipes: [(name: String, recipe: @Sendable () throws -> Recipe)] = [
    ("white balance", { Recipe(filters: [WhiteBalance(temperature: 6900)]) }),
    ("contrast", { Recipe(filters: [Contrast(25)]) }),
    ("saturation", { Recipe(filters: [Saturation(15)]) }),
    ("tone", { Recipe(filters: [Tone(highlights: -40, shadows: 30, blacks: -10)]) }),
    ("twelve filters", { Recipe(filters: Chains.twelve) }),
    ("teal-orange", { try PresetLibrary.preset("teal-orange").recipe }),
    ("noir", { try PresetLibrary.preset("noir").recipe }),
    ("vivid", { try PresetLibrary.preset("vivid").recipe }),
  ]
  let size = PixelSize(width: 3840, height: 2160)
  for (name, recipe) in recipes {
    Benchmark("plan of \(name): lower, bake, prove") { benchmark in
      let (renderer, recipe) = (CPURenderer(), try recipe())
      for _ in benchmark.scaledIterations {
        blackHole(try renderer.plan(recipe, input: PlanInput(size: size), output: PlanOutput()))
      }
    }
  }

  Benchmark("plan that is baked already") { benchmark in
    let (renderer, bakes, recipe) = (CPURenderer(), BakeCache(), Recipe(filters: Chains.twelve))
    func plan() throws -> Plan {
      try renderer.plan(recipe, input: PlanInput(size: size), output: PlanOutput(), bakes: bakes)
    }
    blackHole(try plan())
    benchmark.startMeasurement()
    blackHole(try plan())
    benchmark.stopMeasurement()
  }
}
