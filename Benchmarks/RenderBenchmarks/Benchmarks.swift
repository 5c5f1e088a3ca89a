import Benchmark

/// The suites of this target, in reporting order. The harness calls this once.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 2, maxDuration: .seconds(3), maxIterations: 100)
  kernelBenchmarks()
  lookUpBenchmarks()
  bakeBenchmarks()
  chainBenchmarks()
  editBenchmarks()
  batchBenchmarks()
}
