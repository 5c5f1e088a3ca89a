import FrameCore
import Libc

/// Finds beeps and flashes of `SyntheticBeat` in a recording, whose offsets tell how well sound and picture
/// agree.
public enum BeatMeasurement {
  /// Returns where beeps begin, in samples from the first one, to 0.1 ms.
  ///
  /// The envelope at 1 kHz, a mean over 2 ms, crosses half its height when the beep's edge does; the edge is
  /// symmetrical, so neither the mean nor the beep's level moves that point. Tones shorter than 30 ms are no
  /// beeps.
  ///
  /// - Parameter samples: one channel.
  public static func beepOnsets(in samples: [Float], sampleRate: Int) -> [Double] {
    let rate = Double(sampleRate)
    let window = Int((0.002 * rate).rounded())
    let levels = envelope(samples, rate: rate, window: window)
    guard let highest = levels.max(), highest > 0 else { return [] }
    let (head, tail, least) = (Int(0.01 * rate), Int(0.035 * rate), Int(0.03 * rate))
    var onsets: [Double] = []
    var index = 1
    while index < levels.count {
      // A first guess; the beep's own height is then that of its middle.
      guard levels[index] > 0.2 * highest, index + tail < levels.count else {
        index += 1
        continue
      }
      let middle = levels[index + head..<index + tail].sorted()
      let height = middle[middle.count / 2]
      guard height > 0.2 * highest else {
        index += 1
        continue
      }
      let half = height / 2
      var crossing = index
      while crossing > 1, levels[crossing - 1] > half { crossing -= 1 }
      while crossing < levels.count - 1, levels[crossing] <= half { crossing += 1 }
      let end = levels[crossing...].firstIndex { $0 <= half } ?? levels.count
      if end - crossing >= least {
        let (before, after) = (levels[crossing - 1], levels[crossing])
        let part = after > before ? Double((half - before) / (after - before)) : 0
        let edge = Double(SyntheticBeat.edge) / 2e9 * rate
        onsets.append(Double(crossing - 1) + part - Double(window - 1) / 2 - edge)
      }
      index = max(end + head, index + 1)
    }
    return onsets
  }

  /// The amplitude at the beep's frequency, at each sample over those of the window before it.
  private static func envelope(_ samples: [Float], rate: Double, window: Int) -> [Float] {
    var levels = [Float](repeating: 0, count: samples.count)
    var products = [(Double, Double)](repeating: (0, 0), count: window)
    var (inPhase, quadrature) = (0.0, 0.0)
    for index in samples.indices {
      let angle =
        2 * .pi * (Double(index) * SyntheticBeat.frequency / rate).truncatingRemainder(dividingBy: 1)
      let product = (Double(samples[index]) * cos(angle), Double(samples[index]) * sin(angle))
      let old = products[index % window]
      products[index % window] = product
      inPhase += product.0 - old.0
      quadrature += product.1 - old.1
      levels[index] = Float(2 / Double(window) * (inPhase * inPhase + quadrature * quadrature).squareRoot())
    }
    return levels
  }

  /// Returns the mean luma, 0…1, of the corner in which the lamp flashes.
  public static func lampLuma(of picture: PixelBuffer) -> Double {
    let area = LiveFlash.area(picture.size)
    // Codecs blur the lamp's edges.
    func inner(_ range: Range<Int>) -> Range<Int> {
      let margin = range.count / 8
      return range.lowerBound + margin..<range.upperBound - margin
    }
    return withExtendedLifetime(picture) {
      LumaProbe.meanLuma(of: picture, columns: inner(area.columns), rows: inner(area.rows))
    }
  }

  /// Returns when flashes begin, in seconds, to half a frame's interval: the middle of the interval of each
  /// first lit frame, since the second may have begun anywhere in it.
  ///
  /// - Parameters:
  ///   - lumas: `lampLuma(of:)` of successive frames.
  ///   - times: when they are shown, in seconds; the last one is not shown longer than the one before.
  public static func flashOnsets(lumas: [Double], times: [Double]) -> [Double] {
    let count = min(lumas.count, times.count)
    guard count > 1, let dark = lumas.min(), let bright = lumas.max(), bright - dark > 0.2 else { return [] }
    let threshold = (dark + bright) / 2
    return (1..<count).compactMap { index in
      guard lumas[index] > threshold, lumas[index - 1] <= threshold else { return nil }
      let interval = index + 1 < count ? times[index + 1] - times[index] : times[index] - times[index - 1]
      return times[index] + interval / 2
    }
  }
}
