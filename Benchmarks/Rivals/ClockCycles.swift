import BenchmarkSupport

/// As many cycles of the processor's clock as there are pixels, as a stable yardstick. The speed of memory
/// copies varies by a third from run to run, depending on where pages lie and what other programs do, so
/// arithmetic-bound work appeared slower when it was not.
enum ClockCycles {
  /// Six operations, each of which depends on the one before and takes a cycle on x86-64: three shifts and three
  /// exclusive ors. Source: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
  static let cyclesOfStep = 6

  @inline(never) static func wait(_ cycles: Int, from seed: UInt64) -> UInt64 {
    var x = seed
    for _ in 0..<cycles / cyclesOfStep {
      x ^= x << 13
      x ^= x >> 7
      x ^= x << 17
    }
    return x
  }

  /// A contender that takes one cycle per pixel.
  static func contender(pixels: Int) -> Contender {
    Contender(id: "clock", title: "one cycle of the clock for each pixel", role: .yardstick) { _ in
      var x: UInt64 = 88_172_645_463_325_252
      return FunctionRunner { x = wait(pixels, from: x) }
    }
  }
}
