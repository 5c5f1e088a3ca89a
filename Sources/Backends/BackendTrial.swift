import FilterGraph
import FrameCore
import Rendering

/// The time a renderer takes per frame of a plan, found by rendering as in actual use: the median of some frames
/// after a warm-up, in which tables, staging memory and compiled code are made.
package struct BackendTrial: Sendable {
  /// Returns the seconds per frame in a sequence, including transfer of the source and the result.
  ///
  /// - Throws: the renderer's error, and `CancellationError` if `isCancelled` returns true between frames.
  package var seconds:
    @Sendable (
      _ plan: Plan, _ use: PlanShape.Use, _ renderer: any Renderer, _ isCancelled: @Sendable () -> Bool
    ) throws -> Double

  package static let measured = BackendTrial { plan, use, renderer, isCancelled in
    switch use {
    case .live: try liveSeconds(plan, on: renderer, isCancelled)
    case .stored: try storedSeconds(plan, on: renderer, isCancelled)
    }
  }

  /// Frames that are not timed.
  static let warmUpFrames = 4
  /// Frames whose median is returned.
  static let frames = 8
  /// Fewer slow frames suffice, since small deviations do not change the answer then.
  private static let fewestFrames = 3
  private static let mostSeconds = 1.0

  /// Times the interval between the ends of frames, with as many in flight as in a frame loop.
  private static func liveSeconds(
    _ plan: Plan, on renderer: any Renderer, _ isCancelled: @Sendable () -> Bool
  ) throws -> Double {
    let depth = max(1, renderer.framesInFlight)
    let sources = try (0..<depth).map { try picture(plan.input, seed: UInt64($0)) }
    let outputs = try (0..<depth).map { _ in try plan.makeOutput() }
    let prepared = try renderer.prepare(plan)
    var pending: [PendingFrame] = []
    defer { for frame in pending { try? frame.wait() } }
    var count = 0
    func next() throws {
      if isCancelled() { throw CancellationError() }
      let index = count % depth
      count += 1
      pending.append(try prepared.submit(sources[index], into: outputs[index]))
      if pending.count == depth { try pending.removeFirst().wait() }
    }
    return try median(warmUp: warmUpFrames + depth - 1, of: next)
  }

  /// Times a whole photo exported band by band on the caller's thread, without decoding and encoding, which the
  /// processor does in either case.
  private static func storedSeconds(
    _ plan: Plan, on renderer: any Renderer, _ isCancelled: @Sendable () -> Bool
  ) throws -> Double {
    let source = try picture(plan.input, seed: 0)
    let bands = Bands.of(plan.outputSize)
    let output = try PixelBuffer(
      size: PixelSize(width: plan.outputSize.width, height: Bands.rows(of: plan.outputSize)),
      format: plan.output.format, alpha: plan.outputAlpha)
    let prepared = try renderer.prepare(plan)
    return try median(warmUp: 1) {
      let picture = try prepared.picture(of: source)
      for band in bands {
        if isCancelled() { throw CancellationError() }
        try picture.render(rows: band, into: output)
      }
    }
  }

  /// The memory, in bytes, that the trial of a stored photo needs: the photo, its staging copy, the downsampled photo,
  /// and two bands.
  package static func storedMemory(_ plan: Plan) -> Int {
    let input = plan.input.format.bitsPerSample / 2 * plan.input.size.pixelCount
    let row = plan.output.format.bitsPerSample / 2 * plan.outputSize.width
    return 3 * input + 2 * row * Bands.rows(of: plan.outputSize)
  }

  /// Returns the median time of calls of `body`, ignoring the first ones.
  private static func median(warmUp: Int, of body: () throws -> Void) throws -> Double {
    let began = Timestamp.now
    for number in 0..<warmUp where number == 0 || Timestamp.now.seconds(since: began) < mostSeconds {
      try body()
    }
    var seconds: [Double] = []
    var last = Timestamp.now
    let start = last
    while seconds.count < fewestFrames || seconds.count < frames && last.seconds(since: start) < mostSeconds {
      try body()
      let end = Timestamp.now
      seconds.append(end.seconds(since: last))
      last = end
    }
    return OrderStatistics.median(seconds)
  }

  /// Returns a picture whose neighbouring pixels differ slightly, as in photos, so that tables are accessed as
  /// widely.
  static func picture(_ input: PlanInput, seed: UInt64) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: input.size, format: input.format, alpha: input.alpha)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for plane in picture.planes {
      for y in 0..<plane.rows {
        let row = plane.row(y)
        // Repeat a few rows, so that making the picture does not take longer than measuring.
        guard y < 32 else {
          row.copyMemory(from: plane.row(y % 32), byteCount: plane.rowBytes)
          continue
        }
        if input.format == .rgbaF32 {
          let values = row.assumingMemoryBound(to: Float.self)
          for x in 0..<plane.rowBytes / 4 { values[x] = Float((x &* 5 &+ 31 &* y) & 1023) / 1023 }
        } else {
          let bytes = row.assumingMemoryBound(to: UInt8.self)
          for x in 0..<plane.rowBytes {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            bytes[x] = UInt8(truncatingIfNeeded: (x >> 4) &+ 8 &* y &+ Int(truncatingIfNeeded: state & 15))
          }
        }
      }
    }
    return picture
  }
}
