import Benchmark

/// The suites of this target, in reporting order. The harness calls this once.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], warmupIterations: 3, maxDuration: .seconds(2), maxIterations: 200)
  frameAnalysisBenchmarks()
  photoSampleBenchmarks()
  similarityBenchmarks()
}
