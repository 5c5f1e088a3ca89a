import FrameCore
import Libc

/// The frames of a burst, best first, with the reasons.
///
/// A frame's score is its sharpness times its exposure, both compared with the other frames of the burst,
/// which show the same scene:
///
///     sharpness   the energy of gradients, which is inverse to the width of edges, in the direction in which
///                 most of it is missing; motion takes the gradients along itself only, lenses those in all
///                 directions
///     exposure    exp(-h / 0.25 - s / 0.5) · 2^(-max(d - ½, 0) / 2), where h and s are the fractions of
///                 pixels with clipped highlights and shadows beyond those of the frame with the fewest,
///                 and d is how much darker than the median frame it is, in EV
///
/// Contrast and noise are divided out and taken off first, so that exposure alone makes no frame sharper.
/// Frames whose scores differ by no more than 5 % of the better one are tied: among them, the nearest to the
/// press comes first.
///
/// Without a subject, the tiles near the middle with the strongest edges count, those with half of all edges
/// there are, each weighed by its distance from the middle.
///
/// A burst whose frames are all blurred alike has a sharpest frame all the same: nothing here is absolute. Of
/// exposures so different that most of a frame is clipped, contrasts are compared only roughly.
public struct BurstRanking: Sendable, Hashable, Codable {
  /// One frame's place and the parts of its score.
  public struct Frame: Sendable, Hashable, Codable {
    /// The place in the burst, 0 for the first frame.
    public var index: Int
    /// `sharpness` · `exposure`, 0…1.
    public var score: Double
    /// 0…1; 1 is the sharpest of the burst.
    public var sharpness: Double
    /// 0…1; 1 is as well exposed as the burst can be.
    public var exposure: Double
    /// The direction of motion that blurs it, in degrees from level, counter-clockwise as displayed, 0..<180;
    /// nil if it is not blurred or blurred alike in all directions.
    public var motionAngle: Double?
    /// The fraction of the frame's pixels with a channel at full scale, 0…1.
    public var highlights: Double
    /// The fraction of the frame's pixels with all channels at zero, 0…1.
    public var shadows: Double
    /// How much brighter than the median frame it is, in EV.
    public var relativeExposure: Double
    /// From the press to the frame, in seconds; negative before it.
    public var secondsFromPress: Double
    /// Why it has its place, such as “sharpest”, “blurred by motion along 30°” or “highlights clipped: 4 %”.
    public var reason: String
  }

  /// Best first.
  public let frames: [Frame]

  /// The part of a score that another may be lower and tie with it.
  public static let tieTolerance = 0.05

  /// The variance of Sobel's operators, their weights divided by 8, per variance of the noise.
  private static let noiseGain = 12.0 / 64
  /// The part of the energy in all directions that is taken for granted in each, so that a scene with edges
  /// in one direction is judged by these.
  private static let background = 1e-3
  /// What motion leaves of the energy along itself, at most, compared with the sharpest frame and with the
  /// energy across itself.
  private static let mostAlongMotion = 0.6
  /// The least energy of gradients that counts as edges, in luma per sample: a tenth of an 8-bit code.
  private static let leastEnergy = (0.1 / 255) * (0.1 / 255)

  /// Ranks frames that are all in memory; `BurstMeter` takes them one by one.
  ///
  /// - Parameters:
  ///   - pressedAt: the moment of the press on the clock of the frames' times, for ties.
  ///   - subject: what should be sharp; nil finds it.
  /// - Throws: `SafelightError` if there is no frame, if sizes or orientations differ, if the subject is not
  ///   inside the frame, or if an ICC profile is damaged or is not a matrix with curves.
  public init(_ frames: [FrameCore.Frame], pressedAt: Timestamp, subject: SubjectArea? = nil) throws {
    let meter = try BurstMeter(subject: subject)
    for frame in frames { try meter.add(frame) }
    self = try meter.ranking(pressedAt: pressedAt)
  }

  init(
    _ measurements: [BurstMeter.Measurement], pressedAt: Timestamp, isSubjectKnown: Bool,
    orientation: Orientation
  ) {
    let tensors = Self.tensors(measurements, isSubjectKnown: isSubjectKnown)
    let blur = Self.sharpness(tensors, orientation)
    let leastHighlights = measurements.map(\.clipping.highlights).min() ?? 0
    let leastShadows = measurements.map(\.clipping.shadows).min() ?? 0
    let median = OrderStatistics.median(measurements.map(\.exposure))
    let scored = measurements.indices.map { index -> Frame in
      let frame = measurements[index]
      let (highlights, shadows) = (frame.clipping.highlights, frame.clipping.shadows)
      let relative = frame.exposure - median
      let clipping = exp(-(highlights - leastHighlights) / 0.25 - (shadows - leastShadows) / 0.5)
      let exposure = clipping * exp2(-max(-relative - 0.5, 0) / 2)
      let sharpness = blur[index].sharpness
      return Frame(
        index: index, score: sharpness * exposure, sharpness: sharpness, exposure: exposure,
        motionAngle: blur[index].angle, highlights: highlights, shadows: shadows, relativeExposure: relative,
        secondsFromPress: frame.time.seconds(since: pressedAt), reason: "")
    }
    let hasEdges = tensors.contains { $0.trace > 0 }
    frames = Self.explained(Self.ordered(scored), hasEdges: hasEdges)
  }

  // MARK: Sharpness

  /// The gradients of each frame's subject, without noise and over its contrast.
  private static func tensors(
    _ measurements: [BurstMeter.Measurement], isSubjectKnown: Bool
  ) -> [GradientTensor] {
    // Texture looks like noise, and blur takes it; the noise of one burst is the same.
    let noise = measurements.map(\.noise).min() ?? 0
    let normalized = measurements.map { frame in
      frame.tiles.map { $0 * (1 / max(frame.contrast, leastEnergy)) }
    }
    let weights = isSubjectKnown ? [Double](repeating: 1, count: tileCount) : subjectWeights(normalized)
    return zip(measurements, normalized).map { frame, tiles in
      let part = Double(weights.count { $0 > 0 }) / Double(tileCount)
      let noiseEnergy = part * noiseGain * noise * noise / max(frame.contrast, leastEnergy)
      let floor = leastEnergy / max(frame.contrast, leastEnergy)
      var sum = GradientTensor()
      for (tile, weight) in zip(tiles, weights) { sum = sum + tile * weight }
      let meanWeight = weights.reduce(0, +) / max(Double(weights.count { $0 > 0 }), 1)
      sum.xx = max(sum.xx - noiseEnergy * meanWeight, 0)
      sum.yy = max(sum.yy - noiseEnergy * meanWeight, 0)
      // So that no direction has less than no energy.
      let most = (sum.xx * sum.yy).squareRoot()
      sum.xy = min(max(sum.xy, -most), most)
      return sum.trace > floor * part ? sum : GradientTensor()
    }
  }

  private static let tileCount = BurstMeter.columns * BurstMeter.rows

  /// The weights of the tiles that are taken for the subject; 0 for the others.
  private static func subjectWeights(_ frames: [[GradientTensor]]) -> [Double] {
    func distance(_ index: Int, _ count: Int) -> Double { (Double(index) + 0.5) / Double(count) - 0.5 }
    let central = (0..<tileCount).map { tile -> Double in
      let x = distance(tile % BurstMeter.columns, BurstMeter.columns)
      let y = distance(tile / BurstMeter.columns, BurstMeter.rows)
      return exp(-(x * x + y * y) / (2 * 0.25 * 0.25))
    }
    let edges = (0..<tileCount).map { tile in
      central[tile] * frames.reduce(0) { $0 + $1[tile].trace }
    }
    let half = edges.reduce(0, +) / 2
    var weights = [Double](repeating: 0, count: tileCount)
    var sum = 0.0
    for tile in edges.indices.sorted(by: { (edges[$0], $1) > (edges[$1], $0) }) where sum <= half {
      weights[tile] = central[tile]
      sum += edges[tile]
    }
    return weights
  }

  private static func sharpness(
    _ tensors: [GradientTensor], _ orientation: Orientation
  ) -> [(sharpness: Double, angle: Double?)] {
    let total = tensors.reduce(GradientTensor(), +)
    guard total.trace > 0 else { return tensors.map { _ in (1, nil) } }
    let background = background * total.trace / Double(tensors.count)
    func raised(_ tensor: GradientTensor, by energy: Double) -> GradientTensor {
      GradientTensor(xx: tensor.xx + energy, xy: tensor.xy, yy: tensor.yy + energy)
    }
    let reference = raised(total, by: background * Double(tensors.count))
    let least = tensors.map { raised($0, by: background).ratios(to: reference).least }
    let best = least.indices.max { least[$0] < least[$1] } ?? 0
    guard least[best] > 0 else { return tensors.map { _ in (1, nil) } }
    let sharpest = raised(tensors[best], by: background)
    return tensors.indices.map { index in
      let sharpness = least[index] / least[best]
      let loss = raised(tensors[index], by: background).ratios(to: sharpest)
      let isMotion = loss.least < mostAlongMotion && loss.least < mostAlongMotion * loss.greatest
      return (min(sharpness, 1), isMotion ? angle(loss.direction, orientation) : nil)
    }
  }

  /// A direction in stored samples, from x towards y, in degrees as displayed.
  private static func angle(_ direction: Double, _ orientation: Orientation) -> Double {
    // Rows run downwards.
    let stored = -direction * 180 / .pi
    let upright = orientation.isMirrored ? -stored : stored
    let turned = (upright - 90 * Double(orientation.quarterTurns)).truncatingRemainder(dividingBy: 180)
    let positive = turned < 0 ? turned + 180 : turned
    return positive >= 180 ? 0 : positive
  }

  // MARK: Order

  private static func ordered(_ frames: [Frame]) -> [Frame] {
    var rest = frames.sorted { ($0.score, $1.index) > ($1.score, $0.index) }[...]
    var order: [Frame] = []
    while let best = rest.first {
      let tied = rest.prefix { $0.score >= best.score * (1 - tieTolerance) }
      order += tied.sorted { (abs($0.secondsFromPress), $0.index) < (abs($1.secondsFromPress), $1.index) }
      rest = rest.dropFirst(tied.count)
    }
    return order
  }

  private static func explained(_ frames: [Frame], hasEdges: Bool) -> [Frame] {
    guard let first = frames.first else { return [] }
    let best = frames.map(\.score).max() ?? 0
    return frames.enumerated().map { place, frame in
      var frame = frame
      frame.reason =
        place == 0
        ? praise(frame, among: frames, hasEdges: hasEdges)
        : frame.score >= best * (1 - tieTolerance)
          ? "as good as the best, and further from the press" : fault(frame, beside: first)
      return frame
    }
  }

  private static func praise(_ frame: Frame, among frames: [Frame], hasEdges: Bool) -> String {
    if frames.count == 1 { return "the only frame" }
    if !hasEdges { return "no edges to judge sharpness by" }
    let best = frames.map(\.score).max() ?? 0
    let isTied = frames.contains { $0.index != frame.index && $0.score >= best * (1 - tieTolerance) }
    if isTied { return "as good as the best, and nearest to the press" }
    if frame.sharpness >= 1 - tieTolerance { return "sharpest" }
    return frame.sharpness >= 0.8 ? "well exposed, and nearly the sharpest" : "the best exposed that is sharp"
  }

  /// What costs a frame most, compared with the best.
  private static func fault(_ frame: Frame, beside best: Frame) -> String {
    func percent(_ fraction: Double) -> String {
      fraction < 0.01 ? "under 1 %" : "\(Int((fraction * 100).rounded())) %"
    }
    let darker = max(best.relativeExposure - frame.relativeExposure, 0)
    let costs: [(cost: Double, words: String)] = [
      (
        log(max(best.sharpness, 1e-9) / max(frame.sharpness, 1e-9)),
        frame.motionAngle.map { "blurred by motion along \(Int($0.rounded()) % 180)°" }
          ?? "less sharp: \(percent(frame.sharpness)) of the sharpest"
      ),
      ((frame.highlights - best.highlights) / 0.25, "highlights clipped: \(percent(frame.highlights))"),
      ((frame.shadows - best.shadows) / 0.5, "shadows clipped: \(percent(frame.shadows))"),
      (
        max(darker - 0.5, 0) / 2 * log(2.0),
        "too dark: \((darker * 10).rounded() / 10) EV below the best"
      ),
    ]
    return costs.max { $0.cost < $1.cost }?.words ?? ""
  }
}
