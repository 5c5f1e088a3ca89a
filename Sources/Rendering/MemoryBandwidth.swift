import FrameCore
import PixelKernels
import Libc

/// What this machine's memory does with nothing to compute: the roof over every frame rate.
///
/// Each thread has a contiguous part of the arrays, as in STREAM (J. D. McCalpin, www.cs.virginia.edu/stream). Of several
/// runs the fastest counts: everything else that happens on a machine makes them slower.
public final class MemoryBandwidth {
  /// 10⁹ bytes a second.
  public struct Rates: Sendable, Hashable {
    /// memcpy: bytes read plus bytes written.
    public var copy = 0.0
    /// Summing up.
    public var read = 0.0
    /// Filling with ordinary stores; that the processor reads each line before (write-allocate) is not counted.
    public var write = 0.0
    /// a = b + s·c: bytes read plus bytes written.
    public var triad = 0.0
  }

  /// Bytes of each of the three arrays.
  public let arrayBytes: Int
  /// Pictures, so that their memory is what frames have, large pages included.
  private let arrays: [PixelBuffer]
  private var pools: [Int: WorkerPool] = [:]

  /// - Parameter arrayBytes: should be several times the last-level cache; rounded to MiB.
  /// - Throws: `SafelightError` where memory is short.
  public init(arrayBytes: Int) throws {
    let size = PixelSize(width: 4096, height: min(max(1, arrayBytes >> 14), PixelBuffer.maximumEdge))
    self.arrayBytes = size.pixelCount * 4
    arrays = try (0..<3).map { _ in try PixelBuffer(size: size, format: .rgba8) }
    // Every page is there before anything is timed.
    for array in arrays { memset(array.planes[0].base, 0, self.arrayBytes) }
  }

  /// The least size of arrays that four times the last-level cache and 64 MiB fit in.
  public static var suitableArrayBytes: Int { max(64 << 20, 4 * lastLevelCacheBytes) }

  /// Of the first processor, as the kernel says; 0 where it does not.
  public static var lastLevelCacheBytes: Int {
    // Of sysconf's figure processors in other sockets' cache may be a part.
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
  /// - Parameter repetitions: of each kind, of which the fastest counts.
  public func measure(threads: Int, repetitions: Int = 5) -> Rates {
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
        // Kept where others see it: a sum that nobody reads need not be taken.
        c.numbers(part)[0] = sl_read_memory(a.numbers(part), part.count / 8)
      },
      // Pairs of 1.0, for the triad.
      write: best(bytes) { _, part in sl_write_memory(b.numbers(part), 0x3f80_0000_3f80_0000, part.count / 8)
      },
      triad: best(3 * bytes) { _, part in
        sl_triad(a.floats(part), b.floats(part), c.floats(part), 3, part.count / 4)
      })
  }

  /// The seconds that `threads` threads take to copy as much as a frame moves: half of its bytes, in and out together,
  /// are read, and half are written. Of several copies, each of other memory, the fastest counts.
  public func copySeconds(movingBytes bytes: Int, threads: Int, repetitions: Int = 9) -> Double {
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

  /// The seconds that threads take, each for its own part of `bytes`.
  private func run(
    _ threads: Int, bytes: Int, _ body: @escaping @Sendable (Int, Range<Int>) -> Void
  ) -> Double {
    let pool = pools[threads] ?? WorkerPool(threads: threads)
    pools[threads] = pool
    let count = pool.threads
    // Whole cache lines for each.
    let part = ((bytes + count - 1) / count + 63) & ~63
    let began = Timestamp.now
    pool.forEach(count) { thread in
      body(thread, min(thread * part, bytes)..<min((thread + 1) * part, bytes))
    }
    return Timestamp.now.seconds(since: began)
  }

  /// The memory of an array, for threads that share it part by part.
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
