import PixelKernels
import Rendering
import TestSupport
import Testing

/// The kernels at each instruction set that this machine has. What all of them share is one choice for the whole
/// process, so they run one after the other; other suites may run beside them and only notice that their kernels change
/// speed.
@Suite("Kernels", .serialized)
struct KernelTests {
  // The tests of kernels take the sets of `InstructionSet.available` as their arguments; what is missing there is said
  // here.

  @Test("SSE4 is tested", .requires(.sse4))
  func sse4() { InstructionSet.sse4.limit {} }

  @Test("AVX2 is tested", .requires(.avx2))
  func avx2() { InstructionSet.avx2.limit {} }

  @Test("AVX-512 is tested", .requires(.avx512))
  func avx512() { InstructionSet.avx512.limit {} }

  @Test("AVX-512 of Ice Lake is tested", .requires(.avx512icl))
  func avx512icl() { InstructionSet.avx512icl.limit {} }
}

extension Trait where Self == ConditionTrait {
  fileprivate static func requires(_ set: InstructionSet) -> Self {
    .enabled("no kernel is tested with \(set.rawValue), which this machine lacks") {
      InstructionSet.available.contains(set)
    }
  }
}

typealias InstructionSet = Rendering.InstructionSet

extension InstructionSet {
  /// Those that the processor and this build have.
  static let available = ProcessWideLock.instructionSet.withLock { CPURenderer.availableInstructionSets }

  /// Runs `body` with kernels for this set, which is one of `available`.
  func limit(_ body: () throws -> Void) rethrows {
    try ProcessWideLock.instructionSet.withLock {
      defer { sl_limit_instruction_set(nil) }
      #expect(sl_limit_instruction_set(rawValue) == 1)
      try body()
    }
  }
}

/// Memory for a row of samples between two bands of guard bytes.
final class GuardedRow<Sample> {
  private static var guardBytes: Int { 128 }
  private let memory: UnsafeMutableRawPointer
  private let length: Int
  private let start: Int
  let count: Int

  /// - Parameter offset: samples from an aligned place to the first one.
  init(_ count: Int, offset: Int = 0) {
    let stride = MemoryLayout<Sample>.stride
    self.count = count
    start = Self.guardBytes + offset * stride
    length = start + count * stride + Self.guardBytes
    memory = .allocate(byteCount: length, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0xa5, count: length)
  }

  convenience init(_ samples: [Sample], offset: Int = 0) {
    self.init(samples.count, offset: offset)
    for (i, sample) in samples.enumerated() { pointer[i] = sample }
  }

  deinit { memory.deallocate() }

  var pointer: UnsafeMutablePointer<Sample> {
    (memory + start).bindMemory(to: Sample.self, capacity: count)
  }
  // Copied as a whole: tests are not optimized, and many read single samples through this.
  var samples: [Sample] { Array(UnsafeBufferPointer(start: pointer, count: count)) }

  /// Whether nothing was written outside the row.
  var isIntact: Bool {
    let end = start + count * MemoryLayout<Sample>.stride
    let bytes = UnsafeRawBufferPointer(start: memory, count: length)
    return bytes[..<start].allSatisfy { $0 == 0xa5 } && bytes[end...].allSatisfy { $0 == 0xa5 }
  }
}

/// A sample type of interleaved rows, with full scale.
protocol KernelSample: Comparable {
  static var type: sl_sample { get }
  static var full: Double { get }
  static func random(using random: inout SeededRandom) -> Self
  init(code: Double)
  var value: Double { get }
}

extension UInt8: KernelSample {
  static var type: sl_sample { SL_U8 }
  static var full: Double { 255 }
  static func random(using random: inout SeededRandom) -> UInt8 {
    random.next() % 4 == 0 ? (random.next() % 2 == 0 ? 0 : 255) : UInt8.random(in: 0...255, using: &random)
  }
  init(code: Double) { self.init(code) }
  var value: Double { Double(self) / 255 }
}

extension UInt16: KernelSample {
  static var type: sl_sample { SL_U16 }
  static var full: Double { 65_535 }
  static func random(using random: inout SeededRandom) -> UInt16 {
    random.next() % 4 == 0
      ? (random.next() % 2 == 0 ? 0 : 65_535) : UInt16.random(in: 0...65_535, using: &random)
  }
  init(code: Double) { self.init(code) }
  var value: Double { Double(self) / 65_535 }
}

extension Float: KernelSample {
  static var type: sl_sample { SL_F32 }
  static var full: Double { 1 }
  static let extremes: [Float] = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, 1e30, -1e30, 1e-20, -.leastNonzeroMagnitude, 0.5 / 255,
    1.001,
  ]
  static func random(using random: inout SeededRandom) -> Float {
    random.next() % 4 == 0
      ? extremes[Int(random.next() % UInt64(extremes.count))] : Float.random(in: -0.5...1.5, using: &random)
  }
  init(code: Double) { self.init(code) }
  var value: Double { Double(self) }
}

/// Rows that tests compare; equal where both are not a number.
func isClose(_ a: Double, _ b: Double, within tolerance: Double) -> Bool {
  a == b || (a.isNaN && b.isNaN) || abs(a - b) <= tolerance
}

/// The code that a value becomes, in plain words: clipped, and 0 for not-a-number.
func clippedCode(_ value: Double, full: Double) -> Double {
  value.isNaN ? 0 : min(max(value, 0), full)
}
