import FilterGraph
import FrameCore
import Rendering

/// One plan with its input frames and its output pictures, both used in rotation.
final class ProfileWorkload {
  let plan: Plan
  /// The plan if the CPU renderer prepared it, which probes can measure; nil for other renderers.
  let cpu: CPUPlan?
  let source: ProfileSource
  private let prepared: any PreparedPlan
  private let outputs: [PixelBuffer]
  private var position = 0
  private var flight: PendingFrames<Void>
  /// The time to decode the last frame, in seconds.
  private(set) var decodeSeconds = 0.0

  /// - Parameters:
  ///   - framesInFlight: the renderer's.
  ///   - outputs: the source of the pictures to render into.
  ///   - pictures: the minimum number of pictures; there are at least as many as the renderer has frames in
  ///     flight, so that every workload has the same depth as normal operation.
  convenience init(
    _ prepared: any PreparedPlan, framesInFlight: Int, from source: ProfileSource,
    sharing outputs: ProfileOutputs, pictures: Int = 2
  ) throws {
    self.init(
      prepared, cpu: nil, framesInFlight: framesInFlight, from: source,
      into: try outputs.pictures(for: prepared.plan, count: max(pictures, framesInFlight)))
  }

  /// As above, for the CPU renderer.
  convenience init(
    _ prepared: CPUPlan, from source: ProfileSource, sharing outputs: ProfileOutputs, pictures: Int = 2
  ) throws {
    self.init(
      prepared, cpu: prepared, framesInFlight: 1, from: source,
      into: try outputs.pictures(for: prepared.plan, count: pictures))
  }

  private init(
    _ prepared: any PreparedPlan, cpu: CPUPlan?, framesInFlight: Int, from source: ProfileSource,
    into outputs: [PixelBuffer]
  ) {
    plan = prepared.plan
    self.prepared = prepared
    self.cpu = cpu
    self.source = source
    self.outputs = outputs
    // A decoder has few pictures, which must not be held.
    flight = PendingFrames(limit: source.input == .mjpeg ? 1 : min(framesInFlight, outputs.count))
  }

  deinit { try? flight.finish() }

  /// The number of frames in flight at a time.
  var depth: Int { flight.limit }

  /// Returns a workload with the same frames and pictures for another plan of the same output.
  func with(_ other: CPUPlan) -> ProfileWorkload {
    ProfileWorkload(other, cpu: other, framesInFlight: 1, from: source, into: outputs)
  }

  /// Renders the next frame and returns the seconds it took. If several are in flight, it waits for the oldest, so
  /// that on average each takes as long as the slowest part of the pipeline.
  func renderFrame(probe: RenderProbe? = nil) throws -> Double {
    position += 1
    let output = outputs[position % outputs.count]
    let began = Timestamp.now
    let frame = try source.next()
    if source.input == .mjpeg { decodeSeconds = Timestamp.now.seconds(since: began) }
    if let probe, let cpu {
      try cpu.render(frame, into: output, probe: probe)
    } else if depth > 1 {
      try flight.add(try prepared.submit(frame, into: output))
    } else {
      try prepared.render(frame, into: output)
    }
    return Timestamp.now.seconds(since: began)
  }

  /// Waits for the frames in flight.
  func finish() throws { try flight.finish() }

  /// Renders the next frame with no other in flight.
  ///
  /// - Returns: also the times of its steps on a device; nil if no device rendered, or it has no clock.
  func renderFrameAlone() throws -> (seconds: Double, times: FrameTimes?) {
    try finish()
    position += 1
    let frame = try source.next()
    let began = Timestamp.now
    let pending = try prepared.submit(frame, into: outputs[position % outputs.count])
    try pending.wait()
    return (Timestamp.now.seconds(since: began), pending.times)
  }

  /// Returns the time per frame over a number of frames, in seconds: the median, or the mean if several are in
  /// flight.
  func median(of frames: Int) throws -> Double {
    let frames = max(1, frames)
    guard depth > 1 else {
      return OrderStatistics.median(try (0..<frames).map { _ in try renderFrame() })
    }
    try finish()
    let began = Timestamp.now
    for _ in 0..<frames { _ = try renderFrame() }
    try finish()
    return Timestamp.now.seconds(since: began) / Double(frames)
  }
}

/// The pictures to render into, shared by all workloads of one output.
final class ProfileOutputs {
  private struct Kind: Hashable {
    let size: PixelSize
    let format: PixelFormat
    let alpha: AlphaMode
  }
  private var pictures: [Kind: [PixelBuffer]] = [:]

  /// Returns `count` pictures for the output of `plan`, with every page touched: page faults must not count
  /// towards a frame's time.
  func pictures(for plan: Plan, count: Int) throws -> [PixelBuffer] {
    let kind = Kind(size: plan.outputSize, format: plan.output.format, alpha: plan.outputAlpha)
    if let known = pictures[kind], known.count >= count { return known }
    let made = try (0..<count).map { _ in
      let picture = try PixelBuffer(
        size: kind.size, format: kind.format, tags: plan.output.space.tags, alpha: kind.alpha)
      let plane = picture.planes[0]
      plane.base.initializeMemory(as: UInt8.self, repeating: 0, count: plane.rowBytes * plane.rows)
      return picture
    }
    pictures[kind] = made
    return made
  }
}
