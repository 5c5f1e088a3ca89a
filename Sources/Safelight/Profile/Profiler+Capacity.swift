import FilterGraph
import FrameCore
import Rendering

/// How large frames may be.
extension Profiler {
  /// Rates that cameras and screens have.
  static let rates = [30.0, 60, 120, 240]
  /// No larger frames are tried.
  private static let mostPixels = 7680 * 4320
  /// No smaller ones: below this every frame keeps every rate that is asked for.
  private static let fewestPixels = 160 * 90

  /// One size, tried.
  private struct Trial {
    let size: PixelSize
    /// In milliseconds.
    let p99: Double
  }

  /// The largest frames of the subject's proportions that keep each rate, found by trying.
  func measureCapacities(seconds: Double, frames: ProfileReport.FrameTimes) throws -> [ProfileReport.Capacity]
  {
    guard renderer is CPURenderer else {
      notes.append("the largest frames that the reference renderer keeps rates with were not measured")
      return Self.rates.map { ProfileReport.Capacity(framesPerSecond: $0) }
    }
    let bakes = BakeCache(capacity: 2)
    return try Self.rates.enumerated().map { index, rate in
      try progress("\(Int(rate)) fps", 0.8 + 0.045 * Double(index))
      return try capacity(rate, seconds: seconds / Double(Self.rates.count), frames: frames, bakes: bakes)
    }
  }

  private func capacity(
    _ rate: Double, seconds: Double, frames: ProfileReport.FrameTimes, bakes: BakeCache
  ) throws -> ProfileReport.Capacity {
    let budget = 1000 / rate
    var pixels = Double(settings.size.pixelCount) * budget / max(frames.p99, 1e-6)
    var (kept, tooLarge): (Trial?, Double) = (nil, .infinity)
    for _ in 0..<5 {
      pixels = min(max(pixels * 0.97, Double(Self.fewestPixels)), Double(Self.mostPixels))
      let size = self.size(ofPixels: pixels)
      let trial = Trial(size: size, p99: try p99(size, budget: budget, seconds: seconds, bakes: bakes))
      let count = Double(size.pixelCount)
      if trial.p99 <= budget {
        if count > Double(kept?.size.pixelCount ?? 0) { kept = trial }
        // Near enough to the budget, to what was too much, or to the largest size.
        guard trial.p99 < 0.9 * budget, count * 1.08 < tooLarge, count < 0.98 * Double(Self.mostPixels) else {
          break
        }
      } else {
        tooLarge = min(tooLarge, count)
        guard count > 1.02 * Double(Self.fewestPixels), count > 1.05 * Double(kept?.size.pixelCount ?? 0)
        else {
          break
        }
      }
      // Frames' times grow with their pixels.
      pixels = count * budget / trial.p99
      if pixels >= tooLarge { pixels = (Double(kept?.size.pixelCount ?? 0) + tooLarge) / 2 }
      if let kept, pixels <= Double(kept.size.pixelCount) {
        pixels = (Double(kept.size.pixelCount) + min(tooLarge, Double(Self.mostPixels))) / 2
      }
    }
    return ProfileReport.Capacity(
      framesPerSecond: rate, width: kept?.size.width, height: kept?.size.height, p99Milliseconds: kept?.p99,
      usualSize: kept.flatMap { UsualSize.name(within: $0.size) },
      isLowerBound: kept.map { Double($0.size.pixelCount) > 0.96 * Double(Self.mostPixels) } ?? false)
  }

  /// The subject's proportions with about so many pixels, in even edges.
  private func size(ofPixels pixels: Double) -> PixelSize {
    let scale = (pixels / Double(settings.size.pixelCount)).squareRoot()
    func edge(_ length: Int) -> Int { max(2, Int((Double(length) * scale / 2).rounded()) * 2) }
    return PixelSize(width: edge(settings.size.width), height: edge(settings.size.height))
  }

  /// The 99th percentile of frames of a size; of fewer than a hundred, the longest.
  private func p99(_ size: PixelSize, budget: Double, seconds: Double, bakes: BakeCache) throws -> Double {
    let source = try ProfileSource(scene, input: settings.input, size: size, count: 2)
    let plan = try Self.plan(settings.recipe, source.planInput, settings, renderer, bakes: bakes)
    // Of their own: pictures of so many sizes are not to be kept.
    let workload = ProfileWorkload(
      try renderer.prepare(plan), on: renderer, from: source,
      into: try ProfileOutputs().pictures(for: plan, count: 2))
    for _ in 0..<2 { _ = try workload.renderFrame() }
    let count = min(max(Int(seconds * 1000 / budget / 3), 5), 300)
    let times = try (0..<count).map { _ in 1000 * (try workload.renderFrame()) }
    return ProfileStatistics.percentile(0.99, ofSorted: times.sorted())
  }
}
