import PixelKernels
import TestSupport
import Testing

@testable import Rendering

extension KernelTests {
  /// What measures memory has to do all of its work, or the roof would be too high.
  @Suite("Memory kernels")
  struct MemoryKernels {
    static let lengths = [0, 1, 7, 31, 32, 33, 64, 127, 1000, 1001]

    @Test("read every number", arguments: InstructionSet.available)
    func read(set: InstructionSet) {
      set.limit {
        for n in Self.lengths {
          var random = SeededRandom(seed: UInt64(n))
          let row = GuardedRow<UInt64>((0..<n).map { _ in random.next() })
          #expect(sl_read_memory(row.pointer, n) == row.samples.reduce(0, &+), "\(set), \(n) numbers")
        }
      }
    }

    @Test("write every number and nothing else", arguments: InstructionSet.available)
    func write(set: InstructionSet) {
      set.limit {
        for n in Self.lengths {
          let row = GuardedRow<UInt64>(n)
          sl_write_memory(row.pointer, 77, n)
          #expect(row.samples.allSatisfy { $0 == 77 } && row.isIntact, "\(set), \(n) numbers")
        }
      }
    }

    @Test("a = b + s·c", arguments: InstructionSet.available)
    func triad(set: InstructionSet) {
      set.limit {
        for n in Self.lengths {
          let (a, b) = (GuardedRow<Float>(n), GuardedRow<Float>((0..<n).map(Float.init)))
          let c = GuardedRow<Float>((0..<n).map { Float(2 * $0 + 1) })
          sl_triad(a.pointer, b.pointer, c.pointer, 3, n)
          // Small whole numbers: exact.
          let expected = (0..<n).map { (index: Int) -> Float in Float(7 * index + 3) }
          #expect(a.samples == expected && a.isIntact, "\(set), \(n)")
        }
      }
    }
  }
}

@Suite("The memory's own speed")
struct MemoryBandwidthTests {
  @Test("is a positive rate for every kernel and any number of threads", arguments: [1, 2, 3])
  func rates(threads: Int) throws {
    let memory = try MemoryBandwidth(arrayBytes: 1 << 20)
    let rates = memory.measure(threads: threads, repetitions: 2)
    for rate in [rates.copy, rates.read, rates.write, rates.triad] { #expect(rate > 0 && rate.isFinite) }
  }

  @Test("a frame that is larger than the arrays is copied as often as it takes")
  func largeFrames() throws {
    let memory = try MemoryBandwidth(arrayBytes: 1 << 20)
    #expect(memory.copySeconds(movingBytes: 1, threads: 1) > 0)
    #expect(memory.copySeconds(movingBytes: 64 << 20, threads: 2) > 0)
  }

  @Test("arrays are several times as large as the last cache")
  func size() {
    #expect(MemoryBandwidth.suitableArrayBytes >= 4 * MemoryBandwidth.lastLevelCacheBytes)
    #expect(MemoryBandwidth.suitableArrayBytes >= 64 << 20)
  }
}
