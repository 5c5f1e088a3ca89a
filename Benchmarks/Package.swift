// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that a program that depends on Safelight never resolves the benchmark harness.
let package = Package(
  name: "safelight-benchmarks",
  dependencies: [
    .package(name: "safelight", path: ".."),
    // Without its default traits: the benchmarks here ask for time, and the malloc and runtime interposers
    // that the traits bring would stand in every allocation and retain that is timed.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .benchmark("AnalysisBenchmarks", of: "live analyses of frames, photos made ready for analyses"),
    .benchmark("FrameBenchmarks", of: "frame memory: allocation, pools, copies"),
    .benchmark("LiveBenchmarks", of: "camera frames through a look, beside FFmpeg and memcpy"),
    .benchmark("RenderBenchmarks", of: "tables, chains, edits from file to file"),
    // Measures accuracy, not time: `swift run -c release --package-path Benchmarks HorizonEvaluation`.
    .executableTarget(
      name: "HorizonEvaluation", dependencies: [.product(name: "Safelight", package: "safelight")],
      path: "Horizon"),
    // Measures programs, not functions: `swift run -c release --package-path Benchmarks BatchEvaluation`.
    .executableTarget(
      name: "BatchEvaluation", dependencies: [.product(name: "Safelight", package: "safelight")],
      path: "Batch"),
  ],
  swiftLanguageModes: [.v6]
)

extension Target {
  /// One suite: a folder of the same name, run by `make bench`. A new suite is one more line in `targets`.
  static func benchmark(_ name: String, of subject: String) -> Target {
    .executableTarget(
      name: name,
      dependencies: [
        .product(name: "Safelight", package: "safelight"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: name,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  }
}
