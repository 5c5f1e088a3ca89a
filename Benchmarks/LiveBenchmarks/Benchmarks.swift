import Benchmark

/// Suites of this target, in the order they are reported. The harness calls this once.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 3, maxDuration: .seconds(2), maxIterations: 200)
  liveChainBenchmarks()
}
