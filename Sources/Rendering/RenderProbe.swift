import FilterGraph
import FrameCore
import PixelKernels

/// Learns where the time of a CPU renderer's frames goes: what each step takes, and which thread had which tile when.
///
///     let probe = RenderProbe(for: plan, on: renderer)
///     for frame in frames { try renderer.renderFrame(frame, through: prepared, into: output, probe: probe) }
///     for step in probe.steps { print(step.step, step.seconds / Double(probe.frames)) }
///
/// Stages of colour that otherwise run as one are run one by one, so that each has a time of its own. Reading the clock
/// costs time itself; what it is known to cost is taken off again, but what frames take in earnest is to be measured
/// without a probe. Serves one frame at a time, and is read between frames; after it is made it allocates nothing while
/// frames are rendered.
public final class RenderProbe: @unchecked Sendable {
  /// What a tile goes through.
  public enum Step: Sendable, Hashable {
    /// Samples are brought into the cache and into the form that the next steps take.
    case load
    /// Samples are found in the source: by moving or by resampling.
    case geometry
    /// Luma and colour differences become RGB.
    case ycbcr
    /// Rows are made narrower, ahead of everything else, and made linear for it.
    case narrow
    /// Narrow rows are averaged and encoded again.
    case blend
    /// A stage of colour, counted among those of the plan from 0 on. A table's includes storing.
    case color(Int)
    case dither
    /// Samples become those of the output, where no table stores them.
    case store
  }

  public struct StepTime: Sendable, Hashable {
    public let step: Step
    /// Of all threads added up, since the last reset.
    public let seconds: Double
  }

  /// A tile, or a band of a reduction, on the thread that had it.
  public struct TileSpan: Sendable, Hashable {
    /// 0 is the thread that called `renderFrame`, n the worker thread `render n`.
    public let thread: Int
    /// Frames of the probe counted from 0 on.
    public let frame: Int
    public let tile: Int
    public let isReduction: Bool
    /// On CLOCK_MONOTONIC.
    public let begin: Timestamp
    public let end: Timestamp
  }

  /// Frames since the last reset.
  public private(set) var frames = 0
  /// Threads that can take part.
  public let threads: Int

  private let meters: UnsafeMutablePointer<StepMeter>
  private let colors: Int
  /// What one reading of the clock takes, in ticks.
  private let lapTicks: Double
  /// Both clocks, read together when the probe was made.
  private let start: (ticks: UInt64, time: Timestamp)

  /// - Parameter spansPerThread: tiles that are remembered; newer ones take the place of older ones.
  public init(for plan: Plan, on renderer: CPURenderer, spansPerThread: Int = 4096) {
    threads = renderer.pool.threads
    colors = plan.stages.count { $0.isPointwise }
    let slots = StepSlot.firstColor + max(1, colors)
    meters = .allocate(capacity: threads)
    for thread in 0..<threads {
      (meters + thread).initialize(
        to: StepMeter(slots: slots, spanCapacity: max(0, spansPerThread)))
    }
    start = (sl_ticks(), .now)
    lapTicks = Self.costOfLap(meters)
  }

  deinit {
    for thread in 0..<threads { meters[thread].deallocate() }
    meters.deallocate()
  }

  /// Forgets everything measured.
  public func reset() {
    frames = 0
    for thread in 0..<threads {
      meters[thread].reset()
      meters[thread].frame = 0
    }
  }

  /// What each step took that was run, in the order of the frame's way.
  public var steps: [StepTime] {
    let order: [(StepSlot, Step)] =
      [(.narrow, .narrow), (.blend, .blend), (.load, .load), (.geometry, .geometry), (.ycbcr, .ycbcr)]
      + (0..<max(1, colors)).map { (.color($0), .color($0)) } + [(.dither, .dither), (.store, .store)]
    let scale = secondsPerTick
    return order.compactMap { slot, step in
      var (ticks, laps) = (0.0, 0.0)
      for thread in 0..<threads {
        ticks += Double(meters[thread].ticks[slot.number])
        laps += Double(meters[thread].laps[slot.number])
      }
      return laps == 0 ? nil : StepTime(step: step, seconds: max(0, ticks - laps * lapTicks) * scale)
    }
  }

  /// Seconds that each thread spent on tiles, clock readings included.
  public var busySeconds: [Double] {
    let scale = secondsPerTick
    return (0..<threads).map { Double(meters[$0].busy) * scale }
  }

  /// The tiles remembered, those of each thread in order.
  public var spans: [TileSpan] {
    let nanoseconds = secondsPerTick * 1e9
    func time(_ ticks: UInt64) -> Timestamp {
      Timestamp(
        nanoseconds: start.time.nanoseconds
          + Int64(Double(Int64(bitPattern: ticks &- start.ticks)) * nanoseconds))
    }
    return (0..<threads).flatMap { thread -> [TileSpan] in
      let meter = meters[thread]
      return (max(0, meter.spanCount - meter.spanCapacity)..<meter.spanCount).map { number in
        let span = meter.spans[number % meter.spanCapacity]
        return TileSpan(
          thread: thread, frame: span.frame, tile: span.piece, isReduction: span.isReduction,
          begin: time(span.begin), end: time(span.end))
      }
    }
  }

  // MARK: The renderer's side

  /// Nil for threads that there were none of when the probe was made.
  func meter(ofThread thread: Int) -> UnsafeMutablePointer<StepMeter>? {
    thread < threads ? meters + thread : nil
  }

  /// Called by the thread that renders the frame, when all others are done with it.
  func endFrame() {
    frames += 1
    for thread in 0..<threads { meters[thread].frame = frames }
  }

  // MARK: Clocks

  private var secondsPerTick: Double {
    let (ticks, time) = (sl_ticks(), Timestamp.now)
    return time.seconds(since: start.time) / max(1, Double(ticks &- start.ticks))
  }

  /// The least of some hundred measurements: whatever comes between makes them longer.
  private static func costOfLap(_ meter: UnsafeMutablePointer<StepMeter>) -> Double {
    let laps = 64
    var least = UInt64.max
    for _ in 0..<200 {
      let began = sl_ticks()
      for _ in 0..<laps { meter.pointee.lap(.load) }
      least = min(least, sl_ticks() &- began)
    }
    meter.pointee.reset()
    return Double(least) / Double(laps)
  }
}
