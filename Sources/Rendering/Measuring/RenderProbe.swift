import FilterGraph
import FrameCore
import PixelKernels

/// Measures where the time of a CPU renderer's frames goes: the time of each step, and which thread had which tile
/// when.
///
///     let probe = RenderProbe(for: plan, on: renderer)
///     for frame in frames { try prepared.render(frame, into: output, probe: probe) }
///     for step in probe.steps { print(step.step, step.seconds / Double(probe.frames)) }
///
/// Colour stages that otherwise run together are run one by one, so that each has its own time. Reading the clock
/// costs time, too: the known cost is subtracted, but real frame times must be measured without a probe. Serves
/// one frame at a time and is read between frames; after creation it allocates nothing while frames are rendered.
package final class RenderProbe: @unchecked Sendable {
  /// A step of a tile's processing.
  package enum Step: Sendable, Hashable {
    /// Loading samples into the cache and into the form that the next steps read.
    case load
    /// Moving or resampling samples of the source.
    case geometry
    /// Converting luma and chroma to RGB.
    case ycbcr
    /// Linearizing rows and their horizontal pass, before everything else.
    case horizontal
    /// The vertical pass, and encoding its result.
    case vertical
    /// A colour stage, numbered from 0 within the plan. A table's time includes storing.
    case color(Int)
    /// Combining pixels with those around them.
    case neighbours
    case dither
    /// Converting samples to those of the output, if no table stores them.
    case store
  }

  package struct StepTime: Sendable, Hashable {
    package let step: Step
    /// The sum over all threads since the last reset.
    package let seconds: Double
  }

  /// A tile, or a band of a downsampling, on the thread that processed it.
  package struct TileSpan: Sendable, Hashable {
    /// 0 is the thread that rendered the frame, n the worker thread `render n`.
    package let thread: Int
    /// The probe's frames, numbered from 0.
    package let frame: Int
    package let tile: Int
    package let isDownsampling: Bool
    /// On CLOCK_MONOTONIC.
    package let begin: Timestamp
    package let end: Timestamp
  }

  /// Frames since the last reset.
  package private(set) var frames = 0
  /// The number of threads that can take part.
  package let threads: Int

  private let meters: UnsafeMutablePointer<StepMeter>
  private let colors: Int
  /// The cost of reading the clock once, in ticks.
  private let lapTicks: Double
  /// Both clocks, read together when the probe was made.
  private let start: (ticks: UInt64, time: Timestamp)

  /// - Parameter spansPerThread: the number of tiles remembered per thread; newer ones replace older ones.
  package init(for plan: Plan, on renderer: CPURenderer, spansPerThread: Int = 4096) {
    threads = renderer.pool.threads
    colors = plan.stages.count { $0.isColor }
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

  /// Discards all measurements.
  package func reset() {
    frames = 0
    for thread in 0..<threads {
      meters[thread].reset()
      meters[thread].frame = 0
    }
  }

  /// The time of each step that was run, in processing order.
  package var steps: [StepTime] {
    let order: [(StepSlot, Step)] =
      [
        (.horizontal, .horizontal), (.vertical, .vertical), (.load, .load), (.geometry, .geometry),
        (.ycbcr, .ycbcr),
      ]
      + (0..<max(1, colors)).map { (.color($0), .color($0)) }
      + [(.neighbours, .neighbours), (.dither, .dither), (.store, .store)]
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

  /// The seconds that each thread spent on tiles, clock readings included.
  package var busySeconds: [Double] {
    let scale = secondsPerTick
    return (0..<threads).map { Double(meters[$0].busy) * scale }
  }

  /// The remembered tiles, in order within each thread.
  package var spans: [TileSpan] {
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
          thread: thread, frame: span.frame, tile: span.piece, isDownsampling: span.isDownsampling,
          begin: time(span.begin), end: time(span.end))
      }
    }
  }

  // MARK: The renderer's side

  /// Returns nil for threads that did not exist when the probe was made.
  func meter(ofThread thread: Int) -> UnsafeMutablePointer<StepMeter>? {
    thread < threads ? meters + thread : nil
  }

  /// Called by the thread that renders the frame, after all others have finished it.
  func endFrame() {
    frames += 1
    for thread in 0..<threads { meters[thread].frame = frames }
  }

  // MARK: Clocks

  private var secondsPerTick: Double {
    let (ticks, time) = (sl_ticks(), Timestamp.now)
    return time.seconds(since: start.time) / max(1, Double(ticks &- start.ticks))
  }

  /// The minimum of some hundred measurements, since disturbances only lengthen them.
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
