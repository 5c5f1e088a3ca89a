import AnalysisKernels
import FrameCore
import Libc

/// Determines a picture's tilt from the vanishing points of its straight edges and from the boundary between sea,
/// sky and land. If these say nothing, or contradict one another, the confidence is low.
///
/// The same picture always gives the same answer. A detector belongs to one thread at a time and keeps its memory
/// from frame to frame.
public final class HorizonDetector {
  private var finder = SegmentFinder()
  private(set) var lines: [ImageLine] = []
  private var uprightLines: [ImageLine] = []
  private var levelLines: [ImageLine] = []
  private var cues: [RollCue] = []
  private var votes = RollVotes()
  private(set) var terms = RollTerms()
  private var posterior = RollPosterior()
  private var boundaryProfile = SampleBuffer<Float>(capacity: Int(SLA_BOUNDARY_ANGLES))
  /// The cues that agree with the last answer.
  private(set) var agreeing: [RollCue] = []
  private(set) var boundary = sla_boundary()
  private var content = FramedContent()
  /// The sizes, in samples, of the picture within its frame and of the proxy.
  private(set) var (size, whole) = (PixelSize(width: 0, height: 0), PixelSize(width: 0, height: 0))
  private(set) var origin = SIMD2<Int>(0, 0)
  private(set) var gravity: Double?
  private var boundaryScratch = SampleBuffer<Float>(capacity: 1)

  /// Detects rolls up to 45°.
  private static let verticals = PencilSearch(
    axis: .pi / 2, reach: .pi / 4, maximumConvergence: 0.9, convergencePrior: 0.3)
  private static let horizontals = PencilSearch(
    axis: 0, reach: .pi / 4, maximumConvergence: 1.1, convergencePrior: 0.3)
  /// The maximum number of vanishing points of level lines.
  private static let levelPencils = 3

  public init() {
    lines.reserveCapacity(512)
    uprightLines.reserveCapacity(512)
    levelLines.reserveCapacity(512)
    cues.reserveCapacity(16)
    agreeing.reserveCapacity(16)
  }

  /// Determines the tilt of the picture in `proxy`.
  ///
  /// - Parameter gravity: the reading of the camera's own level: the clockwise turn that levels the picture, in
  ///   degrees.
  public func detect(in proxy: AnalysisProxy, gravity: Double? = nil) -> Horizon {
    content.update(from: proxy)
    (size, whole, origin) = (content.size, proxy.size, content.origin)
    // A camera lying on its side is no help: it is unknown how its file was turned.
    self.gravity = gravity.flatMap { abs($0) <= 45 ? $0 : nil }
    finder.find(in: content, showsBlocks: proxy.size == proxy.sourceSize, into: &lines)
    cues.removeAll(keepingCapacity: true)
    votes.count(lines)
    let offset = findVerticals()
    findHorizontals()
    findBoundary()
    for cue in cues { votes.add(cue, offset: offset) }
    terms.update(votes, boundary: boundary)
    posterior.update(terms, gravity: self.gravity)
    return decide(offset: offset)
  }

  // MARK: Cues

  /// Adds the cue of upright lines, and returns where the horizon must be if it is right.
  private func findVerticals() -> HorizonOffset {
    uprightLines.removeAll(keepingCapacity: true)
    for line in lines where Self.verticals.accepts(line) { uprightLines.append(line) }
    guard let pencil = Self.verticals.best(among: uprightLines) else { return .unknown }
    let cue = RollCue(
      kind: .verticals, angle: pencil.angle - .pi / 2, convergence: 0, deviation: pencil.angleDeviation,
      strength: Self.strength(of: pencil, totalLength: Self.totalLength(uprightLines)), pencil: pencil)
    cues.append(cue)
    return cue.strength > 0.4 ? HorizonOffset(verticals: pencil) : .unknown
  }

  /// Adds the cues of level lines: the strongest pencil, then the strongest of the remaining lines.
  private func findHorizontals() {
    levelLines.removeAll(keepingCapacity: true)
    for line in lines where Self.horizontals.accepts(line) { levelLines.append(line) }
    let totalLength = Self.totalLength(levelLines)
    for _ in 0..<Self.levelPencils {
      guard let pencil = Self.horizontals.best(among: levelLines), pencil.support > 0.15 else { return }
      cues.append(
        RollCue(
          kind: .horizontals, angle: pencil.angle, convergence: pencil.convergence,
          deviation: pencil.angleDeviation, convergenceDeviation: pencil.convergenceDeviation,
          strength: Self.strength(of: pencil, totalLength: totalLength), pencil: pencil))
      let along = heading(pencil.angle)
      levelLines.removeAll { abs(pencil.residual(of: $0, along: along)) < Pencil.reach * $0.deviation }
    }
  }

  /// Adds the cue of the boundary between sea, sky and land.
  private func findBoundary() {
    let (width, height) = (Int32(size.width), Int32(size.height))
    boundaryScratch.reserve(sla_boundary_scratch(width, height))
    boundary = sla_boundary()
    let isFound = sla_find_boundary(
      content.luma, width, height, boundaryScratch.base, &boundary, boundaryProfile.base)
    votes.setSteps(
      UnsafeBufferPointer(start: boundaryProfile.base, count: Int(SLA_BOUNDARY_ANGLES)),
      degreesApart: Double(SLA_BOUNDARY_DEGREES))
    guard isFound != 0 else { return }
    let strength =
      ramp(Double(boundary.coverage), from: 0.4, to: 0.8)
      * ramp(Double(boundary.coherence), from: 0.2, to: 0.45)
      * ramp(Double(boundary.rival), from: 0.95, to: 0.6)
    let slope = Double(boundary.slope)
    cues.append(
      RollCue(
        kind: .boundary, angle: -atan(slope), convergence: 0,
        deviation: Double(boundary.slope_error) / (1 + slope * slope), strength: 0.9 * strength))
  }

  /// The weight of a pencil, 0…1: from the length of the lines that agree, their number, and their share of the
  /// lines that could have agreed.
  private static func strength(of pencil: Pencil, totalLength: Double) -> Double {
    guard totalLength > 0, pencil.support > 0 else { return 0 }
    let amount = 1 - exp(-pencil.support / 0.7)
    let number = 0.55 + 0.45 * ramp(pencil.effectiveCount, from: 1, to: 4)
    let purity = ramp(pencil.support / totalLength, from: 0.08, to: 0.4)
    return amount * number * purity
  }

  private static func totalLength(_ lines: [ImageLine]) -> Double { lines.reduce(0) { $0 + $1.length } }

  // MARK: Decision

  /// Returns the likeliest roll, refined by the cues that agree with it.
  private func decide(offset: HorizonOffset) -> Horizon {
    agreeing.removeAll(keepingCapacity: true)
    guard !cues.isEmpty || gravity != nil else { return .none(segmentCount: lines.count) }
    let window = posterior.best()
    guard window.probability >= Self.leastProbability else { return .none(segmentCount: lines.count) }
    var (degrees, deviation) = (window.degrees, max(window.deviation, Self.leastDeviation))
    var kinds = HorizonKinds()
    if let estimate = RollEstimate(near: degrees * .pi / 180, of: cues, offset: offset) {
      let told = estimate.angle * 180 / .pi
      if abs(told - degrees) <= 1.5 * RollPosterior.tolerance { kinds = estimate.kinds }
      if abs(told - degrees) <= deviation {
        deviation = min(deviation, max(estimate.deviation * 180 / .pi, Self.leastDeviation))
      }
      degrees += min(max(told - degrees, -Self.refinement), Self.refinement)
    }
    if let gravity, abs(gravity - degrees) <= 3 * RollPosterior.gravityDeviation {
      if kinds.isEmpty { degrees = gravity }
      kinds.insert(HorizonKinds(.gravity))
    }
    guard abs(degrees) <= 45 else { return .none(segmentCount: lines.count) }
    let roll = degrees * .pi / 180
    for cue in cues where RollEstimate.agrees(cue, with: roll, offset: offset) { agreeing.append(cue) }
    return Horizon(
      degrees: degrees, deviation: deviation, confidence: min(window.probability, 1),
      evidence: Horizon.Evidence(
        kinds: kinds.set, segmentCount: lines.count, agreeingCount: agreeingCount(with: roll)))
  }

  /// An angle that is wrong nineteen times in twenty is not reported.
  private static let leastProbability = 0.05
  /// Cues resolve the roll more finely than steps of half a degree, but in nature they err more than they indicate:
  /// they may move the mean of the likeliest rolls by this much, in degrees.
  private static let refinement = 0.2
  /// Lenses distort and walls are out of plumb, in degrees.
  private static let leastDeviation = 0.15

  /// The number of lines within 2° of level or upright at `roll`, in radians.
  private func agreeingCount(with roll: Double) -> Int {
    let along = heading(roll)
    let limit = sin(2 * Double.pi / 180)
    return lines.reduce(0) { count, line in
      let across = abs(cross(line.direction, along))
      let upright = abs((line.direction * along).sum())
      return count + (min(across, upright) < limit ? 1 : 0)
    }
  }
}

/// 0 at `low` and beyond, 1 at `high` and beyond, linear between; `low` may be above `high`.
func ramp(_ x: Double, from low: Double, to high: Double) -> Double {
  min(max((x - low) / (high - low), 0), 1)
}
