import FilterGraph
import FrameCore
import Rendering

/// Measures how large frames may be.
extension Profiler {
  /// The usual rates of cameras and screens.
  static let rates = [30.0, 60, 120, 240]
  /// The largest frames tried; frames that take more than half of the free memory are not tried either.
  private static let mostPixels = 7680 * 4320
  /// The smallest frames tried: below this every frame keeps every rate in question.
  private static let fewestPixels = 160 * 90

  /// The fewest frames whose 99th percentile is not simply the longest.
  private static let framesForP99 = 100

  /// The timing of frames of one size.
  struct Trial {
    let size: PixelSize
    /// In milliseconds; the longest if there are fewer than a hundred frames.
    let p99: Double
    let frames: Int
  }

  /// Finds by trial the largest frames of the subject's aspect ratio that keep each rate.
  func measureCapacities(seconds: Double, frames: ProfileReport.FrameTimes) throws -> [ProfileReport.Capacity]
  {
    if case .reference = chosen {
      notes.append("the largest frames that the reference renderer keeps rates with were not measured")
      return []
    }
    let bakes = BakeCache(capacity: 2)
    let most = Self.mostPixels(settings, free: HostMachine.availableMemory)
    if most < Double(Self.mostPixels) {
      notes.append(
        "little memory is free: no frames larger than \(Self.size(ofPixels: most, settings)) were tried")
    }
    do {
      return try Self.rates.enumerated().map { index, rate in
        try progress("\(Int(rate)) fps", 0.8 + 0.045 * Double(index))
        return try capacity(rate, seconds: seconds, most: most, frames: frames, bakes: bakes)
      }
    } catch let error as SafelightError {
      // Caused by a crop in pixels, for example: earlier measurements are kept.
      notes.append(
        "the largest frames that keep rates were not measured, since the edit does not fit other sizes: "
          + error.problem)
      return []
    }
  }

  /// Finds the size with few frames, then confirms it, or a smaller one, with many.
  private func capacity(
    _ rate: Double, seconds: Double, most: Double, frames: ProfileReport.FrameTimes, bakes: BakeCache
  ) throws -> ProfileReport.Capacity {
    let budget = 1000 / rate
    let count = Self.frameCount(rate: rate, seconds: seconds)
    let found = try search(rate, budget: budget, most: most, from: frames.p50, frames: count / 20, bakes)
    var pixels = found
    var kept: Trial?
    // If the search was too optimistic, the size is reduced a few times.
    for _ in 0..<8 where kept == nil {
      let trial = try trial(pixels, budget: budget, frames: count, bakes)
      if trial.p99 <= budget {
        kept = trial
      } else {
        guard pixels > 1.02 * Double(Self.fewestPixels) else { break }
        pixels = max(Double(Self.fewestPixels), pixels * min(max(budget / trial.p99, 0.7), 0.95))
      }
    }
    // If it was too pessimistic, the size is increased a few times.
    for _ in 0..<3 {
      guard let smaller = kept, smaller.p99 < 0.9 * budget, pixels < 0.98 * most else { break }
      pixels = min(pixels * min(0.97 * budget / smaller.p99, 1.5), most)
      let trial = try trial(pixels, budget: budget, frames: count, bakes)
      guard trial.p99 <= budget else { break }
      kept = trial
    }
    return ProfileReport.Capacity(
      framesPerSecond: rate, width: kept?.size.width, height: kept?.size.height, p99Milliseconds: kept?.p99,
      frames: kept?.frames, usualSize: kept.flatMap { UsualSize.name(within: $0.size) },
      isLowerBound: kept.map { Double($0.size.pixelCount) > 0.96 * most } ?? false)
  }

  /// Returns the number of frames that confirm a size: a hundred if they take no longer than `seconds`, and more
  /// if there is time.
  static func frameCount(rate: Double, seconds: Double) -> Int {
    let affordable = Int(seconds * rate)
    return affordable < framesForP99 ? max(affordable, 5) : min(max(framesForP99, affordable / 4), 300)
  }

  /// Returns the pixels of frames that seem to keep the rate.
  private func search(
    _ rate: Double, budget: Double, most: Double, from frame: Double, frames: Int, _ bakes: BakeCache
  ) throws -> Double {
    var pixels = Double(settings.size.pixelCount) * budget / max(frame, 1e-6)
    var (kept, tooLarge) = (0.0, Double.infinity)
    for _ in 0..<4 {
      pixels = min(max(pixels * 0.97, Double(Self.fewestPixels)), most)
      let trial = try trial(pixels, budget: budget, frames: min(max(frames, 3), 10), bakes)
      if trial.p99 <= budget {
        kept = max(kept, pixels)
        // Close enough to the budget, to the size that was too large, or to the largest size.
        guard trial.p99 < 0.9 * budget, pixels * 1.08 < tooLarge, pixels < 0.98 * most else { break }
      } else {
        tooLarge = min(tooLarge, pixels)
        guard pixels > 1.02 * Double(Self.fewestPixels), pixels > 1.05 * kept else { break }
      }
      // The time of a frame grows with its pixels.
      pixels *= budget / trial.p99
      if pixels >= tooLarge { pixels = (kept + tooLarge) / 2 }
      if pixels <= kept { pixels = (kept + min(tooLarge, most)) / 2 }
    }
    return kept > 0 ? kept : min(max(pixels, Double(Self.fewestPixels)), most)
  }

  /// Returns the largest number of pixels tried with this many free bytes; nil means that memory is not limited.
  static func mostPixels(_ settings: ProfileSettings, free: Int?) -> Double {
    var pixels = Double(mostPixels)
    guard let free else { return pixels }
    func bytes() -> Int {
      var tried = settings
      tried.size = size(ofPixels: pixels, settings)
      let frames = frameCount(tried)
      // The rotating frames, the pictures to render into, and the picture that the frames are made from.
      return frames * ProfileSource.bytes(tried.size, tried.input.format)
        + min(frames, 4) * ProfileSource.bytes(tried.size, tried.input.outputFormat)
        + 4 * tried.size.pixelCount
    }
    while bytes() > free / 2, pixels > Double(fewestPixels) { pixels *= 0.9 }
    return max(pixels, Double(fewestPixels))
  }

  /// Returns a size of the subject's aspect ratio with about this many pixels and even edges.
  private static func size(ofPixels pixels: Double, _ settings: ProfileSettings) -> PixelSize {
    let scale = (pixels / Double(settings.size.pixelCount)).squareRoot()
    func edge(_ length: Int) -> Int {
      min(max(2, Int((Double(length) * scale / 2).rounded()) * 2), PixelBuffer.maximumEdge - 1)
    }
    return PixelSize(width: edge(settings.size.width), height: edge(settings.size.height))
  }

  /// Renders frames as the frame loop does, and stops as soon as the budget is clearly exceeded.
  private func trial(_ pixels: Double, budget: Double, frames: Int, _ bakes: BakeCache) throws -> Trial {
    var tried = settings
    tried.size = Self.size(ofPixels: pixels, settings)
    // As many rotating frames as in the main measurement: frames that fit into caches would be faster than a
    // camera's.
    let turn = Self.frameCount(tried)
    let source = try ProfileSource(scene, input: settings.input, size: tried.size, count: turn)
    let plan = try Self.plan(settings.recipe, source.planInput, settings, renderer, bakes: bakes)
    // Outputs of its own: pictures of this many sizes should not be kept.
    let workload = try Self.workload(
      plan, on: chosen, from: source, sharing: ProfileOutputs(), pictures: min(turn, 4))
    for _ in 0..<2 { _ = try workload.renderFrame() }
    // By the nearest-rank method, this many of them may take longer.
    let allowed = frames - Int((0.99 * Double(frames)).rounded(.up))
    var times: [Double] = []
    var late = 0
    while times.count < frames, late <= allowed {
      let time = 1000 * (try workload.renderFrame())
      times.append(time)
      if time > budget { late += 1 }
    }
    // The shortest of the frames that were too long: the others may have been interrupted.
    let p99 =
      late > allowed
      ? times.filter { $0 > budget }.min() ?? budget
      : OrderStatistics.percentile(0.99, ofSorted: times.sorted())
    return Trial(size: tried.size, p99: p99, frames: times.count)
  }
}
