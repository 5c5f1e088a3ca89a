import FilterGraph
import FrameCore
import Rendering

/// One plan with the frames that go through it and the pictures they are rendered into, in turn.
final class ProfileWorkload {
  let plan: Plan
  let prepared: PreparedPlan
  let source: ProfileSource
  private let renderer: any Renderer
  private let outputs: [PixelBuffer]
  private var position = 0
  private var flight: PendingFrames
  /// Seconds that the last frame took to decode.
  private(set) var decodeSeconds = 0.0

  /// - Parameters:
  ///   - prepared: by a renderer of this kind; threads may differ.
  ///   - outputs: where the pictures that are rendered into are taken from.
  ///   - pictures: the fewest of them; there are as many as the renderer has frames on their way, so that every workload
  ///     runs as deep as frames do in earnest.
  convenience init(
    _ prepared: PreparedPlan, on renderer: any Renderer, from source: ProfileSource,
    sharing outputs: ProfileOutputs, pictures: Int = 2
  ) throws {
    self.init(
      prepared, on: renderer, from: source,
      into: try outputs.pictures(for: prepared.plan, count: max(pictures, renderer.framesInFlight)))
  }

  private init(
    _ prepared: PreparedPlan, on renderer: any Renderer, from source: ProfileSource,
    into outputs: [PixelBuffer]
  ) {
    plan = prepared.plan
    self.prepared = prepared
    self.renderer = renderer
    self.source = source
    self.outputs = outputs
    // A decoder's few pictures are not to be held up.
    flight = PendingFrames(limit: source.input == .mjpeg ? 1 : min(renderer.framesInFlight, outputs.count))
  }

  deinit { try? flight.finish() }

  /// Frames that are worth having on their way at a time.
  var depth: Int { flight.limit }

  /// The same frames and pictures on another renderer.
  func on(_ other: any Renderer) -> ProfileWorkload {
    ProfileWorkload(prepared, on: other, from: source, into: outputs)
  }

  /// Takes the next frame, renders it, and says how many seconds that took. Where several are on their way at a time, it
  /// waits for the oldest, so that in the long run each takes as long as the slowest part of its way.
  func renderFrame(probe: RenderProbe? = nil) throws -> Double {
    position += 1
    let output = outputs[position % outputs.count]
    let began = Timestamp.now
    let frame = try source.next()
    if source.input == .mjpeg { decodeSeconds = Timestamp.now.seconds(since: began) }
    if let probe, let cpu = renderer as? CPURenderer {
      try cpu.renderFrame(frame, through: prepared, into: output, probe: probe)
    } else if depth > 1 {
      try flight.add(try renderer.submitFrame(frame, through: prepared, into: output))
    } else {
      try renderer.renderFrame(frame, through: prepared, into: output)
    }
    return Timestamp.now.seconds(since: began)
  }

  /// Waits for what is on its way.
  func finish() throws { try flight.finish() }

  /// Renders the next frame with no other on its way.
  ///
  /// - Returns: also what its steps took on a device; nil where none rendered, or it has no clock.
  func renderFrameAlone() throws -> (seconds: Double, times: FrameTimes?) {
    try finish()
    position += 1
    let frame = try source.next()
    let began = Timestamp.now
    let pending = try renderer.submitFrame(
      frame, through: prepared, into: outputs[position % outputs.count])
    try pending.wait()
    return (Timestamp.now.seconds(since: began), pending.times)
  }

  /// What one of so many frames takes, in seconds: the median, or the mean where several are on their way at a time.
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

/// Pictures to render into, shared by all workloads of one output.
final class ProfileOutputs {
  private struct Kind: Hashable {
    let size: PixelSize
    let format: PixelFormat
    let alpha: AlphaMode
  }
  private var pictures: [Kind: [PixelBuffer]] = [:]

  /// `count` pictures for the output of `plan`, every page of them touched: what the system takes to bring a page is no
  /// part of a frame's time.
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
