import AnalysisKernels
import FrameCore

/// Measures the frames of a burst one after another, so that none has to be kept, and ranks them.
///
/// Frames of any size are measured at up to 1920 pixels on the long edge of the subject, in 6 bytes per pixel of
/// these and 3 MB; what is kept of a frame takes 2.5 KB. Belongs to one thread at a time.
public final class BurstMeter {
  /// What is kept of a frame.
  struct Measurement: Sendable {
    var time: Timestamp
    /// Sums over each tile, by columns of rows, per inner sample of the frame.
    var tiles: [GradientTensor]
    /// The variance of luma averaged over 8×8 samples: contrast that blur hardly changes.
    var contrast: Double
    /// The standard deviation of the noise in luma.
    var noise: Double
    var clipping: Clipping
    var exposure: Double
  }

  private(set) var measurements: [Measurement] = []
  private let subject: SubjectArea?
  /// The size and the orientation of the first frame.
  private var kind: (size: PixelSize, orientation: Orientation)?
  private let proxy = AnalysisProxy()
  private var histogram = Histogram()
  private var luma = PartialLuma()
  /// Luma at a half, a quarter and an eighth of the size.
  private var halves = SampleBuffer<Float>(capacity: 1)

  /// The long edge at which luma is measured, in samples.
  private static let longEdge = 1920
  /// The tiles that sums are kept for.
  static let (columns, rows) = (12, 8)

  /// - Parameter subject: what should be sharp; nil finds it: the part near the middle with the strongest
  ///   edges.
  /// - Throws: `SafelightError` if the subject is not inside the frame.
  public init(subject: SubjectArea? = nil) throws {
    try subject?.validate()
    self.subject = subject
  }

  /// Measures the next frame.
  ///
  /// - Throws: `SafelightError` if its size or orientation differs from the first frame's, or if its ICC
  ///   profile is damaged or is not a matrix with curves.
  public func add(_ frame: Frame) throws {
    let buffer = frame.buffer
    if let kind, kind.size != buffer.size || kind.orientation != frame.orientation {
      throw SafelightError(
        .invalidValue, "A burst of \(kind.size) has a frame of \(buffer.size), or one turned otherwise",
        remedy: "rank frames of one size and orientation")
    }
    try proxy.update(from: frame)
    histogram.update(from: proxy)
    let size = luma.take(subject ?? .whole, of: frame, longEdge: Self.longEdge)
    measurements.append(
      Measurement(
        time: frame.time, tiles: tiles(size), contrast: contrast(size), noise: noise(size),
        clipping: Clipping(proxy), exposure: ToneStatistics(histogram).exposure))
    kind = (buffer.size, frame.orientation)
  }

  /// Ranks the frames measured.
  ///
  /// - Parameter pressedAt: the moment of the press on the clock of the frames' times, for ties.
  /// - Throws: `SafelightError` if no frame was measured.
  public func ranking(pressedAt: Timestamp) throws -> BurstRanking {
    guard let kind else {
      throw SafelightError(
        .invalidValue, "A burst without frames cannot be ranked", remedy: "measure at least one frame")
    }
    return BurstRanking(
      measurements, pressedAt: pressedAt, isSubjectKnown: subject != nil, orientation: kind.orientation)
  }

  // MARK: Measures

  private func tiles(_ size: PixelSize) -> [GradientTensor] {
    let count = Double(max((size.width - 2) * (size.height - 2), 1))
    return (0..<Self.columns * Self.rows).map { tile in
      func part(_ index: Int, _ count: Int, _ extent: Int) -> Range<Int> {
        // Inner samples are divided among the tiles; each tile reads one more at both ends.
        let inner = max(extent - 2, 0)
        return inner * index / count..<inner * (index + 1) / count
      }
      let across = part(tile % Self.columns, Self.columns, size.width)
      let down = part(tile / Self.columns, Self.rows, size.height)
      guard !across.isEmpty, !down.isEmpty else { return GradientTensor() }
      var sums = (0.0, 0.0, 0.0)
      withUnsafeMutableBytes(of: &sums) { bytes in
        sla_gradient_tensor(
          luma.base + down.lowerBound * size.width + across.lowerBound, size.width, Int32(across.count + 2),
          Int32(down.count + 2), bytes.assumingMemoryBound(to: Double.self).baseAddress)
      }
      return GradientTensor(xx: sums.0, xy: sums.1, yy: sums.2) * (1 / count)
    }
  }

  private func noise(_ size: PixelSize) -> Double {
    halves.reserve(size.pixelCount / 4 + 1)
    return Double(sla_noise_deviation(luma.base, Int32(size.width), Int32(size.height), halves.base))
  }

  private func contrast(_ size: PixelSize) -> Double {
    halves.reserve(size.pixelCount / 2)
    var (samples, size) = (UnsafePointer(luma.base), size)
    var free = halves.base
    for _ in 0..<3 where min(size.width, size.height) >= 4 {
      sla_halve(samples, Int32(size.width), Int32(size.height), free)
      size = PixelSize(width: size.width / 2, height: size.height / 2)
      samples = UnsafePointer(free)
      free += size.pixelCount
    }
    var (sum, squares) = (0.0, 0.0)
    for index in 0..<size.pixelCount {
      let sample = Double(samples[index])
      sum += sample
      squares += sample * sample
    }
    let mean = sum / Double(size.pixelCount)
    return max(squares / Double(size.pixelCount) - mean * mean, 0)
  }
}
