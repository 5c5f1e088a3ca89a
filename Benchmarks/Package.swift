// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that a program that depends on Safelight never resolves the benchmark harness.
let package = Package(
  name: "safelight-benchmarks",
  dependencies: [
    .package(name: "safelight", path: ".."),
    // Without its default traits: the benchmarks here measure time, and the traits' malloc and runtime
    // interposers would slow every allocation and retain that is timed.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .benchmark("AnalysisBenchmarks", of: "live analyses of frames, photos made ready for analyses"),
    .benchmark("FrameBenchmarks", of: "frame memory: allocation, pools, copies"),
    .benchmark("LiveBenchmarks", of: "camera frames through a look, beside memcpy"),
    .benchmark(
      "RenderBenchmarks", of: "kernels, bakes, chains, edits"),
    // Shared by the evaluations below: processes, tables, options, pictures from seeds.
    .target(
      name: "BenchmarkSupport", dependencies: [.product(name: "Safelight", package: "safelight")],
      path: "Support"),
    // Measures accuracy, not time: `swift run -c release --package-path Benchmarks HorizonEvaluation`.
    .evaluation("HorizonEvaluation", path: "Horizon"),
    // Taking photos: `swift run -c release --package-path Benchmarks PhotoEvaluation`.
    .evaluation("PhotoEvaluation", path: "Photos"),
    // Measures what merging frames gains: `swift run -c release --package-path Benchmarks MergeEvaluation`.
    .evaluation("MergeEvaluation", path: "Merging", exclude: ["opencv_nlm.py"]),
    // Measures what filters do to pictures: `swift run -c release --package-path Benchmarks FilterEvaluation`.
    .evaluation("FilterEvaluation", path: "FilterQuality", exclude: ["opencv_denoise.py"]),
    // Measures programs, not functions: `swift run -c release --package-path Benchmarks BatchEvaluation`.
    .evaluation("BatchEvaluation", path: "Batch"),
    // Compares with rivals: `make bench-rivals`.
    .evaluation(
      "RivalEvaluation", path: "Rivals",
      dependencies: [
        "AllocationCounter", .product(name: "SafelightProfiling", package: "safelight"),
      ],
      exclude: ["rivals.py", "install"]),
    // Tests of how the figures are judged: `swift test --package-path Benchmarks`.
    .testTarget(
      name: "EvaluationTests",
      dependencies: [
        "BenchmarkSupport", "RivalEvaluation", .product(name: "Safelight", package: "safelight"),
      ],
      path: "Tests"),
    // The tests' own module, through a link: a package accepts no sources from outside its folder.
    .target(name: "AllocationCounter", path: "AllocationCounter"),
  ],
  swiftLanguageModes: [.v6]
)

extension Target {
  /// A program that measures what a suite cannot, with its own tables.
  static func evaluation(
    _ name: String, path: String, dependencies: [Dependency] = [], exclude: [String] = []
  ) -> Target {
    .executableTarget(
      name: name,
      dependencies: ["BenchmarkSupport", .product(name: "Safelight", package: "safelight")] + dependencies,
      path: path, exclude: exclude)
  }

  /// One suite: a folder of the same name, run by `make bench`. A new suite needs one more line in `targets`.
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
