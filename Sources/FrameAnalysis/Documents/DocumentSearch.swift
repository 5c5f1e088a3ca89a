import AnalysisKernels
import FrameCore
import Libc

/// Finds the quads of documents in luma, in memory that it keeps from frame to frame.
struct DocumentSearch: ~Copyable {
  /// A quad in samples of the luma searched, and how certain it is, 0…1.
  struct Found {
    var quad: Quad
    var confidence: Double
    var candidate: QuadCandidate
    var contrast: QuadContrast
  }

  private(set) var found: [Found] = []
  private var half = SampleBuffer<Float>(capacity: 320 * 320)
  /// Without fine detail.
  private var calm = SampleBuffer<Float>(capacity: 320 * 320)
  private var gradients = SampleBuffer<Float>(capacity: 3 * 320 * 320)
  private var states = SampleBuffer<UInt8>(capacity: 320 * 320)
  private var indices = SampleBuffer<UInt32>(capacity: 2 * 320 * 320)
  private var segments = SampleBuffer<sla_segment>(capacity: capacity)
  private var edges = EdgeLines()
  private var search = QuadSearch()

  private static let capacity = 1024
  /// Of the long edge: shorter segments are letters.
  private static let shortest = 0.03

  init() {}

  /// Searches luma of at least 64 × 64 samples; the best first.
  mutating func find(in plane: LumaPlane, most: Int = 1) {
    found.removeAll(keepingCapacity: true)
    guard min(plane.width, plane.height) >= 64 else { return }
    let size = PixelSize(width: plane.width / 2, height: plane.height / 2)
    half.reserve(size.pixelCount)
    calm.reserve(size.pixelCount)
    gradients.reserve(3 * size.pixelCount)
    sla_halve(plane.base, Int32(plane.width), Int32(plane.height), half.base)
    // The finder's memory serves first for blocks and for a row.
    let noise = sla_noise_deviation(half.base, Int32(size.width), Int32(size.height), gradients.base)
    find(LumaPlane(base: half.base, width: size.width, height: size.height), noise: noise)
    if !(found.contains { $0.candidate.score > Self.certain }) {
      sla_remove_detail(half.base, Int32(size.width), Int32(size.height), 3, calm.base, gradients.base)
      find(LumaPlane(base: calm.base, width: size.width, height: size.height), noise: noise)
    }
    choose(most)
    let refinement = QuadRefinement(plane: plane, reach: 4, least: max(3.0 / 255, 3 * noise))
    for index in found.indices {
      found[index].quad = refinement.refined(found[index].quad.map { $0 * 2 }).startingAtTopLeft
    }
  }

  private mutating func find(_ plane: LumaPlane, noise: Float) {
    let count = findSegments(plane)
    edges.find(segments.base, count: count, in: plane, noise: noise)
    search.find(edges, in: plane)
    judge(plane, noise: noise)
  }

  /// Keeps the best that do not overlap and are likely enough.
  private mutating func choose(_ most: Int) {
    found.sort { $0.candidate.score > $1.candidate.score }
    preferPages()
    var kept = 0
    for index in found.indices where kept < most {
      let quad = found[index].quad
      let confidence = 1 / (1 + exp((Self.even - found[index].candidate.score) / Self.softness))
      guard confidence >= DocumentDetector.leastConfidence else { break }
      guard !found[..<kept].contains(where: { $0.quad.mayOverlap(quad) }) else { continue }
      found[kept] = found[index]
      found[kept].confidence = confidence
      kept += 1
    }
    found.removeLast(found.count - kept)
  }

  /// Puts a page before a picture on it: if the best quad is darker than what lies around it, a lighter one that leaves
  /// margins around it may be less clear.
  private mutating func preferPages() {
    guard let best = found.first, !best.contrast.isLighter else { return }
    let page = found.firstIndex { other in
      other.contrast.isLighter && other.candidate.score >= Self.leastOfPage * best.candidate.score
        && other.quad.encloses(best.quad, margin: -3)
    }
    if let page { found.insert(found.remove(at: page), at: 0) }
  }

  private static let leastOfPage = 0.75
  /// Above this score there is no need to search again without detail.
  private static let certain = 0.6
  /// The score of quads that are as often documents as not, and how fast that changes: of made scenes with and
  /// without pages.
  private static let (even, softness) = (0.53, 0.04)

  private mutating func findSegments(_ plane: LumaPlane) -> Int {
    let count = plane.width * plane.height
    states.reserve(count)
    indices.reserve(2 * count)
    var scratch = sla_segment_scratch(
      gradient_x: gradients.base, gradient_y: gradients.base + count, magnitude: gradients.base + 2 * count,
      state: states.base, order: indices.base, region: indices.base + count)
    return sla_find_segments(
      plane.base, Int32(plane.width), Int32(plane.height),
      Float(Self.shortest * Double(max(plane.width, plane.height))), &scratch, segments.base, Self.capacity)
  }

  /// Orders the candidates by contour and contrast, and keeps those that do not lie on better ones.
  private mutating func judge(_ plane: LumaPlane, noise: Float) {
    for candidate in search.candidates {
      let contrast = QuadContrast(candidate.quad, in: plane, noise: noise)
      let plausible = QuadPlausibility.value(candidate.quad, width: plane.width, height: plane.height)
      let share = candidate.quad.area / Double(plane.width * plane.height)
      var judged = candidate
      judged.contrast = contrast.value
      judged.score = candidate.contour * (0.35 + 0.65 * contrast.value) * plausible * pow(share, 0.12)
      found.append(Found(quad: judged.quad, confidence: 0, candidate: judged, contrast: contrast))
    }
  }
}
