import FilterGraph
import FrameCore
import Rendering

/// What a frame of a plan takes on a renderer, found by rendering some.
struct BackendTrial: Sendable {
  /// Seconds of one frame among many, bringing it and taking the picture included.
  ///
  /// - Throws: what rendering fails with, and `CancellationError` where `isCancelled` says so between frames.
  var seconds:
    @Sendable (_ plan: Plan, _ renderer: any Renderer, _ isCancelled: @Sendable () -> Bool) throws -> Double

  static let measured = BackendTrial { plan, renderer, isCancelled in
    try measure(plan, on: renderer, isCancelled: isCancelled)
  }

  private static let rounds = 3
  private static let framesPerRound = 8
  /// Slow frames are measured less often: the answer does not hang on little then.
  private static let mostSeconds = 1.0

  private static func measure(
    _ plan: Plan, on renderer: any Renderer, isCancelled: @Sendable () -> Bool
  ) throws -> Double {
    let depth = max(1, renderer.framesInFlight)
    let sources = try (0..<depth).map { try picture(plan.input, seed: UInt64($0)) }
    let outputs = try (0..<depth).map { _ in
      try PixelBuffer(
        size: plan.outputSize, format: plan.output.format, tags: plan.output.space.tags,
        alpha: plan.outputAlpha)
    }
    let prepared = try renderer.prepare(plan)
    var pending: [PendingFrame] = []
    defer { for frame in pending { try? frame.wait() } }
    func run(_ frames: Int) throws -> Double {
      let began = Timestamp.now
      for index in 0..<frames {
        if isCancelled() { throw CancellationError() }
        if pending.count == depth { try pending.removeFirst().wait() }
        pending.append(
          try renderer.submitFrame(sources[index % depth], through: prepared, into: outputs[index % depth]))
      }
      while !pending.isEmpty { try pending.removeFirst().wait() }
      return Timestamp.now.seconds(since: began) / Double(frames)
    }
    // The first frames make tables, staging memory and compiled code.
    let first = try run(2 * depth)
    var least = first
    let began = Timestamp.now
    for _ in 0..<rounds where Timestamp.now.seconds(since: began) < mostSeconds {
      let frames = min(framesPerRound, max(1, Int(mostSeconds / max(least, 1e-6))))
      least = min(least, try run(frames))
    }
    return least
  }

  /// A picture in which neighbours differ a little, as in photos: tables are read in as many places.
  static func picture(_ input: PlanInput, seed: UInt64) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: input.size, format: input.format, alpha: input.alpha)
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    for plane in picture.planes {
      for y in 0..<plane.rows {
        let row = plane.row(y)
        // A few rows again and again: their making must not take longer than the measurement.
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
