import FrameCore
import PixelKernels
import Libc

/// The bandwidth of this machine's memory without computation: the upper bound of every frame rate.
///
/// Each thread has a contiguous part of the arrays, as in STREAM (J. D. McCalpin, www.cs.virginia.edu/stream). The
/// fastest of several runs counts, since other activity on the machine can only slow them down.
package final class MemoryBandwidth {
  /// In 10⁹ bytes per second.
  package struct Rates: Sendable, Hashable {
    /// memcpy: bytes read plus bytes written.
    package var copy = 0.0
    /// Summation.
    package var read = 0.0
    /// Filling with ordinary stores; the line reads before each write (write-allocate) are not counted.
    package var write = 0.0
    /// a = b + s·c: bytes read plus bytes written.
    package var triad = 0.0
  }

  /// The size of each of the three arrays.
  package let arrayBytes: Int
  /// Pixel buffers, so that they have the same memory as frames, large pages included.
  private let arrays: [PixelBuffer]
  private var pools: [Int: WorkerPool] = [:]

  /// - Parameter arrayBytes: should be several times the last-level cache; rounded down to multiples of 16 KiB.
  /// - Throws: `SafelightError` if memory is short.
  package init(arrayBytes: Int) throws {
    let size = PixelSize(width: 4096, height: min(max(1, arrayBytes >> 14), PixelBuffer.maximumEdge))
    self.arrayBytes = size.pixelCount * 4
    arrays = try (0..<3).map { _ in try PixelBuffer(size: size, format: .rgba8) }
    // Touches every page before anything is timed.
    for array in arrays { memset(array.planes[0].base, 0, self.arrayBytes) }
  }

  /// The array size for a meaningful measurement: four times the last-level cache, and at least 64 MiB.
  package static var suitableArrayBytes: Int { max(64 << 20, 4 * lastLevelCacheBytes) }

  /// The first processor's last-level cache as reported by the kernel; 0 if it reports none.
  package static var lastLevelCacheBytes: Int {
    // Not from sysconf, whose figure may include caches of other sockets.
    for index in [4, 3, 2] {
      let path = "/sys/devices/system/cpu/cpu0/cache/index\(index)/size"
      guard let file = fopen(path, "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 32)
      guard fgets(&line, Int32(line.count), file) != nil else { continue }
      let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { continue }
      return number << (text.dropFirst(digits.count).first == UInt8(ascii: "M") ? 20 : 10)
    }
    return 0
  }

  /// Measures with `threads` threads.
  ///
  /// - Parameter repetitions: runs of each kind, of which the fastest counts.
  package func measure(threads: Int, repetitions: Int = 5) -> Rates {
    let bytes = Double(arrayBytes)
    func best(_ moved: Double, _ body: @escaping @Sendable (Int, Range<Int>) -> Void) -> Double {
      let seconds = (0..<max(1, repetitions)).map { _ in run(threads, bytes: arrayBytes, body) }.min() ?? 0
      return seconds > 0 ? moved / seconds / 1e9 : 0
    }
    let (a, b, c) = (Memory(arrays[0]), Memory(arrays[1]), Memory(arrays[2]))
    return Rates(
      copy: best(2 * bytes) { _, part in
        memcpy(a.base + part.lowerBound, b.base + part.lowerBound, part.count)
      },
      read: best(bytes) { _, part in
        // Stores the sum where others can see it, so that the compiler cannot remove it.
        c.numbers(part)[0] = sl_read_memory(a.numbers(part), part.count / 8)
      },
      // Pairs of the float 1.0, for the triad.
      write: best(bytes) { _, part in sl_write_memory(b.numbers(part), 0x3f80_0000_3f80_0000, part.count / 8)
      },
      triad: best(3 * bytes) { _, part in
        sl_triad(a.floats(part), b.floats(part), c.floats(part), 3, part.count / 4)
      })
  }

  /// Returns the seconds that `threads` threads take to copy as much as a frame moves: of its bytes, input and
  /// output together, half are read and half written. The fastest of several copies counts, each of different
  /// memory.
  package func copySeconds(movingBytes bytes: Int, threads: Int, repetitions: Int = 9) -> Double {
    let half = max(1, min(bytes / 2, arrayBytes))
    let places = max(1, arrayBytes / half)
    let (a, b) = (Memory(arrays[0]), Memory(arrays[1]))
    let fastest = (0..<max(1, repetitions)).map { repetition in
      let start = repetition % places * half
      return run(threads, bytes: half) { _, part in
        memcpy(b.base + start + part.lowerBound, a.base + start + part.lowerBound, part.count)
      }
    }.min()
    return (fastest ?? 0) * Double(bytes) / 2 / Double(half)
  }

  /// Returns the seconds that the threads take, each for its own part of `bytes`.
  private func run(
    _ threads: Int, bytes: Int, _ body: @escaping @Sendable (Int, Range<Int>) -> Void
  ) -> Double {
    let pool = pools[threads] ?? WorkerPool(threads: threads)
    pools[threads] = pool
    let count = pool.threads
    // Whole cache lines for each thread.
    let part = ((bytes + count - 1) / count + 63) & ~63
    let began = Timestamp.now
    pool.forEach(count) { thread in
      body(thread, min(thread * part, bytes)..<min((thread + 1) * part, bytes))
    }
    return Timestamp.now.seconds(since: began)
  }

  /// The memory of an array, shared part by part between threads.
  private struct Memory: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    init(_ buffer: PixelBuffer) { base = buffer.planes[0].base }

    func numbers(_ part: Range<Int>) -> UnsafeMutablePointer<UInt64> {
      (base + part.lowerBound).assumingMemoryBound(to: UInt64.self)
    }
    func floats(_ part: Range<Int>) -> UnsafeMutablePointer<Float> {
      (base + part.lowerBound).assumingMemoryBound(to: Float.self)
    }
  }
}
