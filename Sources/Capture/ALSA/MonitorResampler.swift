import FrameCore
import Libc

/// Reads a ring at a rate that may change slightly all the time, by interpolation with a windowed sinc.
///
/// Source: J. O. Smith, Digital Audio Resampling Home Page, 2002: a table of the impulse response,
/// interpolated linearly.
struct MonitorResampler {
  /// Frames that one output frame needs before and after its place.
  static let reach = 16
  private static let taps = 2 * reach
  /// Positions between two input frames that the table has; between them it is interpolated.
  private static let phases = 512
  /// Kaiser's β; side lobes are 90 dB below.
  private static let beta = 9.0

  /// The place of the next output frame: a frame's number, and a fraction of 0…1.
  private(set) var frame = 0
  private(set) var fraction = 0.0
  /// `phases` + 1 rows of `taps`, each of sum 1.
  private let table: [Float]

  /// - Parameter step: input frames for an output frame, as a rule; above 1 frequencies that the output lacks
  ///   are removed.
  init(step: Double) {
    // The pass band ends where the window's transition has to begin.
    let cutoff = min(1, 1 / step) * 0.92
    var table = [Float](repeating: 0, count: (Self.phases + 1) * Self.taps)
    for phase in 0...Self.phases {
      let offset = Double(phase) / Double(Self.phases)
      let row = (0..<Self.taps).map { tap -> Double in
        let x = Double(tap - Self.reach + 1) - offset
        return Self.sinc(cutoff * x) * Self.window(x / Double(Self.reach))
      }
      let sum = row.reduce(0, +)
      for tap in 0..<Self.taps { table[phase * Self.taps + tap] = Float(row[tap] / sum) }
    }
    self.table = table
  }

  mutating func move(to place: Double) {
    frame = Int(place.rounded(.down))
    fraction = place - Double(frame)
  }

  var place: Double { Double(frame) + fraction }

  /// The first frame that is still needed.
  var oldestNeeded: Int { frame - Self.reach + 1 }

  /// Returns how many frames must have been written for `count` output frames.
  func needed(_ count: Int, step: Double) -> Int {
    Int((place + Double(count) * step).rounded(.up)) + Self.reach + 1
  }

  /// Makes `count` stereo frames; the ring must have those that they need. Frames before the first one are
  /// silent.
  mutating func read(
    _ ring: MonitorRing, _ count: Int, step: Double, into output: UnsafeMutablePointer<Float>
  ) {
    table.withUnsafeBufferPointer { table in
      for index in 0..<count {
        let phase = fraction * Double(Self.phases)
        let row = min(Int(phase), Self.phases - 1)
        let between = Float(phase - Double(row))
        let first = frame - Self.reach + 1
        var (left, right): (Float, Float) = (0, 0)
        for tap in max(0, -first)..<max(Self.taps, -first) where tap < Self.taps {
          let low = table[row * Self.taps + tap]
          let weight = low + between * (table[(row + 1) * Self.taps + tap] - low)
          left += weight * ring.sample(first + tap, 0)
          right += weight * ring.sample(first + tap, 1)
        }
        (output[2 * index], output[2 * index + 1]) = (left, right)
        fraction += step
        let whole = fraction.rounded(.down)
        frame += Int(whole)
        fraction -= whole
      }
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  /// Kaiser's window on −1…1.
  private static func window(_ x: Double) -> Double {
    abs(x) >= 1 ? 0 : bessel(beta * (1 - x * x).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function I₀. Source: Abramowitz and Stegun, Handbook of Mathematical Functions,
  /// 9.6.12.
  static func bessel(_ x: Double) -> Double {
    var (sum, term, n) = (1.0, 1.0, 1.0)
    while term > sum * 1e-16 {
      term *= (x / 2 / n) * (x / 2 / n)
      sum += term
      n += 1
    }
    return sum
  }
}
