import FrameCore
import Libc

/// Makes the hashes of pictures. Belongs to one thread at a time, and keeps its memory.
public final class PerceptualHasher {
  /// A picture's hash, and how much there is in it to be told apart.
  public struct Result: Sendable, Hashable {
    public var hash: PerceptualHash
    /// The sum of steps between neighbouring samples of the small picture, 0…100: 0 is one colour, and most photos
    /// have 100. See `PerceptualHash.leastDetail`.
    public var detail: Int
  }

  /// Columns and rows of the small picture whose waves are measured.
  private static let edge = 64
  /// Waves in each direction, without the mean.
  private static let waves = 16
  private static let leastSize = 5
  private static let passes = 2

  private var smooth = SampleBuffer<Float>(capacity: AnalysisProxy.longEdge * AnalysisProxy.longEdge)
  private var line = SampleBuffer<Float>(capacity: AnalysisProxy.longEdge)
  private var small = [Float](repeating: 0, count: edge * edge)
  /// Row `w`: the wave with w + 1 half periods, at the middles of the samples.
  private let cosines: [Float] = (0..<waves * edge).map { index in
    let angle: Double = .pi * Double((index / edge + 1) * (2 * (index % edge) + 1)) / Double(2 * edge)
    return Float((2 / Double(edge)).squareRoot() * cos(angle))
  }

  public init() {}

  /// Returns the hash of a picture as displayed; nil if it has fewer than 5 columns or rows.
  public func hash(_ proxy: AnalysisProxy) -> Result? {
    proxy.luma.baseAddress.flatMap { hash($0, proxy.size) }
  }

  /// - Parameter luma: rows of samples, 0…1.
  func hash(_ luma: UnsafePointer<Float>, _ size: PixelSize) -> Result? {
    guard min(size.width, size.height) >= Self.leastSize else { return nil }
    shrink(luma, size)
    return Result(hash: bits(of: transformed()), detail: detail)
  }

  /// The picture that was hashed last, averaged down to so many columns and rows, which divide 64; rows of samples 0…1.
  package func reduced(to count: Int) -> [Float] {
    let part = Self.edge / count
    return (0..<count * count).map { place in
      let corner = place / count * part * Self.edge + place % count * part
      var sum: Float = 0
      for v in 0..<part { for u in 0..<part { sum += small[corner + v * Self.edge + u] } }
      return sum / Float(part * part)
    }
  }

  // MARK: The small picture

  /// Takes one sample in the middle of each part, after averaging twice over half a part in each direction: a tent as
  /// wide as the part.
  private func shrink(_ luma: UnsafePointer<Float>, _ size: PixelSize) {
    smooth.reserve(size.pixelCount)
    line.reserve(size.longEdge)
    smooth.base.update(from: luma, count: size.pixelCount)
    let edge = Self.edge
    if size != PixelSize(width: edge, height: edge) {
      for _ in 0..<Self.passes {
        for y in 0..<size.height { average(smooth.base + y * size.width, step: 1, count: size.width) }
        for x in 0..<size.width { average(smooth.base + x, step: size.width, count: size.height) }
      }
    }
    for v in 0..<edge {
      let row = smooth.base + (2 * v + 1) * size.height / (2 * edge) * size.width
      for u in 0..<edge { small[v * edge + u] = row[(2 * u + 1) * size.width / (2 * edge)] }
    }
  }

  /// Replaces each sample of a line by the mean of those around it, as far as there are any.
  private func average(_ samples: UnsafeMutablePointer<Float>, step: Int, count: Int) {
    let window = (count + 2 * Self.edge - 1) / (2 * Self.edge)
    guard window > 1 else { return }
    // Of an even number, one more lies after the sample than before it.
    let (after, before) = (window / 2, window - 1 - window / 2)
    for place in 0..<count { line.base[place] = samples[place * step] }
    var sum: Float = 0
    for place in 0..<min(after, count) { sum += line.base[place] }
    for place in 0..<count {
      if place + after < count { sum += line.base[place + after] }
      if place > before { sum -= line.base[place - before - 1] }
      let held = min(place + after, count - 1) - max(place - before, 0) + 1
      samples[place * step] = sum / Float(held)
    }
  }

  /// Steps count in whole percents of white, so that the many small ones of noise do not.
  private var detail: Int {
    let edge = Self.edge
    var sum = 0
    for v in 0..<edge {
      for u in 0..<edge {
        let sample = small[v * edge + u]
        if u + 1 < edge { sum += abs(Int((sample - small[v * edge + u + 1]) * 100)) }
        if v + 1 < edge { sum += abs(Int((sample - small[(v + 1) * edge + u]) * 100)) }
      }
    }
    return min(sum / 90, 100)
  }

  // MARK: Bits

  /// The 16 × 16 lowest waves of the small picture but for the means, rows of the vertical ones.
  private func transformed() -> [Float] {
    let (edge, waves) = (Self.edge, Self.waves)
    var vertical = [Float](repeating: 0, count: waves * edge)
    for v in 0..<waves {
      for y in 0..<edge {
        let weight = cosines[v * edge + y]
        for x in 0..<edge { vertical[v * edge + x] += weight * small[y * edge + x] }
      }
    }
    return (0..<waves * waves).map { place in
      let (v, u) = (place / waves, place % waves)
      return (0..<edge).reduce(0) { $0 + vertical[v * edge + $1] * cosines[u * edge + $1] }
    }
  }

  private func bits(of values: [Float]) -> PerceptualHash {
    // The lower of the two in the middle.
    let median = values.sorted()[values.count / 2 - 1]
    var words = SIMD4<UInt64>()
    for (place, value) in values.enumerated() where value > median { words[place / 64] |= 1 << (place % 64) }
    return PerceptualHash(words: words)
  }
}
