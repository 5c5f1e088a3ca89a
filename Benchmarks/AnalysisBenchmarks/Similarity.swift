import Benchmark
import Safelight

/// Searching a million hashes, compared with reading them.
func similarityBenchmarks() {
  Benchmark("hash of a proxy") { benchmark in
    let proxy = AnalysisProxy()
    try proxy.update(from: SyntheticScene(size: PixelSize(width: 1920, height: 1080)).render())
    let hasher = PerceptualHasher()
    _ = hasher.hash(proxy)
    benchmark.startMeasurement()
    blackHole(hasher.hash(proxy))
    benchmark.stopMeasurement()
  }

  Benchmark("sum of a million hashes") { benchmark in
    let words = [UInt64](repeating: 1, count: 4_000_000)
    benchmark.startMeasurement()
    blackHole(words.withUnsafeBufferPointer { $0.reduce(0, &+) })
    benchmark.stopMeasurement()
  }

  Benchmark("those near one among a million hashes") { benchmark in
    let search = million
    benchmark.startMeasurement()
    blackHole(search.near(search[0]))
    benchmark.stopMeasurement()
  }

  Benchmark("all near pairs of a million hashes") { benchmark in
    let search = million
    benchmark.startMeasurement()
    search.forEachPair { first, _ in blackHole(first) }
    benchmark.stopMeasurement()
  }
}

private let million = HashSearch((0..<1_000_000).map { _ in randomHash() })

private func randomHash() -> PerceptualHash {
  let digits = (0..<4).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }
  return PerceptualHash(digits.joined()) ?? randomHash()
}
