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
  /// Seconds that the last frame took to decode.
  private(set) var decodeSeconds = 0.0

  /// - Parameters:
  ///   - prepared: by a renderer of this kind; threads may differ.
  ///   - outputs: of the plan's output size and format, every page of them touched.
  init(
    _ prepared: PreparedPlan, on renderer: any Renderer, from source: ProfileSource,
    into outputs: [PixelBuffer]
  ) {
    plan = prepared.plan
    self.prepared = prepared
    self.renderer = renderer
    self.source = source
    self.outputs = outputs
  }

  /// The same frames and pictures on another renderer.
  func on(_ other: any Renderer) -> ProfileWorkload {
    ProfileWorkload(prepared, on: other, from: source, into: outputs)
  }

  /// Takes the next frame, renders it, and says how many seconds that took.
  func renderFrame(probe: RenderProbe? = nil) throws -> Double {
    position += 1
    let output = outputs[position % outputs.count]
    let began = Timestamp.now
    let frame = try source.next()
    if source.input == .mjpeg { decodeSeconds = Timestamp.now.seconds(since: began) }
    if let probe, let cpu = renderer as? CPURenderer {
      try cpu.renderFrame(frame, through: prepared, into: output, probe: probe)
    } else {
      try renderer.renderFrame(frame, through: prepared, into: output)
    }
    return Timestamp.now.seconds(since: began)
  }

  /// The median of so many frames, in seconds.
  func median(of frames: Int) throws -> Double {
    ProfileStatistics.median(try (0..<max(1, frames)).map { _ in try renderFrame() })
  }

  /// Bytes of the picture that comes out.
  var outputBytes: Int { ProfileSource.bytes(plan.outputSize, plan.output.format) }
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
