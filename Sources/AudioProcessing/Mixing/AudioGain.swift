import FrameCore
import Libc
import Synchronization

/// How loud a sound is to be, and whether it is muted. May be set from any thread while another one processes
/// sound.
public final class AudioGain: Sendable {
  private let bits: Atomic<UInt32>
  private let muted: Atomic<Bool>

  /// - Parameter decibels: 0 leaves sound as it is.
  public init(decibels: Double = 0, isMuted: Bool = false) {
    bits = Atomic(Self.factor(decibels).bitPattern)
    muted = Atomic(isMuted)
  }

  /// Louder if positive; -∞ is silence.
  public var decibels: Double {
    get {
      let factor = Double(Float(bitPattern: bits.load(ordering: .relaxed)))
      return factor > 0 ? 20 * log10(factor) : -.infinity
    }
    set { bits.store(Self.factor(newValue).bitPattern, ordering: .relaxed) }
  }

  public var isMuted: Bool {
    get { muted.load(ordering: .relaxed) }
    set { muted.store(newValue, ordering: .relaxed) }
  }

  /// What samples are multiplied with in the end.
  public var factor: Float { isMuted ? 0 : Float(bitPattern: bits.load(ordering: .relaxed)) }

  private static func factor(_ decibels: Double) -> Float {
    decibels.isNaN ? 1 : Float(min(pow(10, decibels / 20), 1e6))
  }

  /// Applies a gain, and goes from one to another within 10 ms, so that nothing clicks. Allocates nothing.
  public struct Ramp: Sendable {
    /// The seconds that a change takes.
    public static let duration = 0.01

    private let channelCount: Int
    private let length: Int
    /// What the last sample was multiplied with.
    public private(set) var current: Float
    private var target: Float
    private var start: Float
    /// Samples of the change that are done; `length` if nothing changes.
    private var done: Int

    public init(format: AudioFormat, factor: Float = 1) {
      channelCount = format.channelCount
      length = max(1, Int((Double(format.sampleRate) * Self.duration).rounded()))
      (current, target, start, done) = (factor, factor, factor, length)
    }

    /// Multiplies interleaved samples. A new factor begins a change from the present one.
    public mutating func apply(_ factor: Float, to samples: inout [Float]) {
      if factor != target { (start, target, done) = (current, factor, 0) }
      guard done < length || current != 1 else { return }
      samples.withUnsafeMutableBufferPointer { samples in
        var index = 0
        while index + channelCount <= samples.count {
          if done < length {
            done += 1
            current = done == length ? target : start + (target - start) * Float(done) / Float(length)
          }
          for channel in 0..<channelCount { samples[index + channel] *= current }
          index += channelCount
        }
      }
    }
  }
}
