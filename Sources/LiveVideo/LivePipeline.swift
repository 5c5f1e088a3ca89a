import Capture
import FilterGraph
import FrameCore
import Rendering
import Libc

/// Passes frames from an output of a capture session through a look to any number of sinks.
///
///     session → VideoDataOutput → [render thread: plan] → sinks, each on a thread of its own
///
/// The render thread waits for frames only: a slow sink drops its own pictures, and a changed look is compiled in
/// parallel. Only frames that are not live wait for sinks or looks, as `init` describes. If the renderer works
/// asynchronously, as a GPU does, it is given the next frames while earlier ones are still in progress; pictures
/// reach the sinks in order all the same.
public final class LivePipeline: Sendable {
  struct State {
    var statistics = LiveStatistics()
    var runners: [SinkRunner] = []
    var notes: [String] = []
    var end: End?
    var isStopping = false
    /// Whether rendering has ended and sinks are writing their remaining pictures.
    var isClosing = false
    var firstFrame: Timestamp?
    /// The time of the first frame of the footage.
    var footageStart: Timestamp?
    /// The times of the first frame so far.
    var first: FirstFrame?
  }

  private let source: VideoDataOutput
  private let sinks: [any FrameSink]
  private let selection: SinkSelection
  private let losesNothing: Bool
  private let isLive: Bool
  private let format: @Sendable () -> StreamFormat?
  private let constantRate: Double?
  let limit: Limit
  private let level: (@Sendable (Frame) throws -> Double?)?
  private let renderer: any Renderer
  private let overlay: LiveOverlay?
  private let compiler: LookCompiler
  let monitor = Monitor(State())
  private let thread = Monitor<Joinable?>(nil)

  /// - Parameters:
  ///   - losesNothing: whether the frame loop waits for sinks rather than drop pictures; not for live sources.
  ///   - isLive: whether frame times are capture times, from which latency can be computed. If it is false, or if
  ///     `losesNothing` is true, frames wait for a changed look: equal frames give equal pictures.
  ///   - level: returns the rotation that levels a frame; called on the render thread before the frame is
  ///     rendered, for frames that wait for it. Nil leaves the look's own level.
  ///   - format: the format that the source delivers, once it is known. Tables are baked for it while the source
  ///     makes the first frame, and sinks are told its rate.
  ///   - constantRate: the frames per second of each `ConstantRateSink`; nil takes the source's. Other sinks get
  ///     the pictures at their own times.
  ///   - interpolation: how rotated frames and subsampled colour are sampled.
  ///   - overlay: what is drawn over the pictures of all sinks; nil draws nothing.
  public init(
    from source: VideoDataOutput, through look: LiveLook, to sinks: [any FrameSink],
    losesNothing: Bool = false, isLive: Bool = true, level: (@Sendable (Frame) throws -> Double?)? = nil,
    format: @escaping @Sendable () -> StreamFormat? = { nil }, constantRate: Double? = nil,
    limit: Limit = Limit(), interpolation: Interpolation = .sharp, renderer: any Renderer = CPURenderer(),
    overlay: LiveOverlay? = nil
  ) throws {
    self.source = source
    (self.sinks, selection) = (sinks, SinkSelection(sinks))
    self.losesNothing = losesNothing
    self.isLive = isLive
    self.format = format
    self.constantRate = constantRate
    self.limit = limit
    self.level = level
    self.renderer = renderer
    self.overlay = overlay
    compiler = try LookCompiler(
      look, isLive: isLive && !losesNothing, interpolation: interpolation, renderer: renderer,
      // RGB pictures, including photos, become sRGB, which video without a profile is assumed to be.
      keepsSpace: { format in !format.isRGBA && sinks.contains { $0.pictures(of: format) != .screen } },
      planes: { LiveOutputs.planes(of: sinks, from: $0) })
  }

  deinit { compiler.close() }

  /// The look of the frames; a change takes effect on the next frame after it is compiled. Frames that are not
  /// live wait for that.
  public var look: LiveLook {
    get { compiler.look }
    set { compiler.look = newValue }
  }

  /// Changes the look atomically: levels and key presses come from different threads.
  public func updateLook(_ edit: (inout LiveLook) -> Void) { compiler.update(edit) }

  /// The error of the last change of the look.
  public var lookProblem: (any Error)? { compiler.problem }

  public var statistics: LiveStatistics {
    var (statistics, runners) = monitor.read { ($0.statistics, $0.runners) }
    statistics.frames = source.statistics
    statistics.sinks = runners.map(\.statistics)
    return statistics
  }

  /// Returns properties of the source that are not handled, one sentence each, and each only once.
  public func takeNotes() -> [String] {
    let (notes, runners) = monitor.update { state in
      defer { state.notes = [] }
      return (state.notes, state.runners)
    }
    return notes + runners.flatMap { $0.takeNotes() }
  }

  /// Why the run ended, once it has.
  public var end: End? { monitor.read { $0.end } }

  /// Whether rendering has ended and sinks are only writing their remaining pictures.
  package var isClosing: Bool { monitor.read { $0.isClosing } }

  /// Starts the render thread. Called once.
  ///
  /// - Parameter whenEnded: called on that thread after `end` is set.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) throws {
    let worker = try WorkerThread(name: "sl-render") { [self] in
      run()
      whenEnded()
    }
    thread.update { $0 = Joinable(worker) }
  }

  /// Asks the run to end, and returns at once; `end` is set when it has ended.
  package func requestStop() { monitor.update { $0.isStopping = true } }

  /// Ends the run, lets sinks write their remaining pictures, and returns once all are closed.
  public func stop() {
    requestStop()
    thread.read { $0 }?.join()
  }

  // MARK: The render thread

  private func run() {
    // Without the privilege the thread keeps its priority.
    _ = WorkerThread.raiseCurrentPriority()
    let end: End
    do {
      end = try loop()
    } catch {
      end = .failed(error)
    }
    let runners = monitor.update { state in
      state.isClosing = true
      return state.runners
    }
    for runner in runners { runner.close() }
    compiler.close()
    let failure = runners.lazy.compactMap(\.failure).first
    monitor.update { $0.end = failure.map { .failed($0) } ?? end }
  }

  private func loop() throws -> End {
    var outputs: LiveOutputs?
    var hasNoted = false
    var hasReleased = false
    var flight = PendingFrames(limit: renderer.framesInFlight, with: SubmittedFrame.self)
    do {
      while true {
        if let end = endNow() {
          while try finishOldest(&flight, outputs) {}
          return end
        }
        if !hasReleased, monitor.read({ $0.firstFrame }) != nil {
          hasReleased = true
          compiler.release()
        }
        // Starts no more frames than the limit.
        if isEnough(flight), try finishOldest(&flight, outputs) { continue }
        // A frame that is already waiting is submitted before the oldest in flight is waited for.
        let patience = flight.isEmpty ? prepare(isFirst: outputs == nil) : 0
        guard let frame = source.nextFrame(until: Timestamp.now.advanced(bySeconds: patience)) else {
          if try finishOldest(&flight, outputs) { continue }
          if source.isFinished { return .sourceFinished }
          continue
        }
        // The first frame opens the sinks.
        guard outputs == nil || selection.takes(frame) else {
          monitor.update { $0.statistics.spared += 1 }
          continue
        }
        if let level = try level?(frame), level != compiler.look.level {
          compiler.update { $0.level = level }
        }
        if isBeyondFootage(frame) {
          while try finishOldest(&flight, outputs) {}
          return .limitReached
        }
        let received = outputs == nil ? Timestamp.now : nil
        let plan = try compiler.plan(for: frame)
        if let received {
          let planned = Timestamp.now
          // `rendered` is set again when the frame is rendered.
          monitor.update {
            $0.first = FirstFrame(received: received, planned: planned, rendered: planned)
          }
        }
        let sinks = try outputs ?? open(frame, plan)
        outputs = sinks
        if !hasNoted, let note = frame.buffer.tags.rangeNote, !plan.keepsSamples || sinks.hasScreen {
          hasNoted = true
          monitor.update { $0.notes.append(note) }
        }
        try begin(frame, plan, sinks, &flight)
      }
    } catch {
      // The renderer must have finished with the pictures before they are released.
      try? flight.finish()
      throw error
    }
  }

  /// Bakes the tables for the first frame once the source's format is known. Returns how long to wait for a frame,
  /// in seconds.
  private func prepare(isFirst: Bool) -> Double {
    guard isFirst, !compiler.hasTables else { return 0.05 }
    if let format = format() { compiler.bake(for: format) }
    return 0.01
  }

  /// Opens the sinks and allocates their buffers.
  private func open(_ frame: Frame, _ plan: LookCompiler.Compiled) throws -> LiveOutputs {
    let outputs = try LiveOutputs(
      sinks, policy: losesNothing ? .every : .newest, frame, plan,
      mayTurn: level != nil || look.followsHorizon, framesPerSecond: format()?.framesPerSecond ?? 0,
      constantRate: constantRate, framesInFlight: renderer.framesInFlight
    ) { runner in monitor.update { $0.runners.append(runner) } }
    monitor.update { $0.notes += outputs.notes }
    return outputs
  }

  /// Returns buffers for a frame; nil if sinks hold all of them and the loop must not wait.
  private func takeBuffers(_ frame: Frame, _ plan: LookCompiler.Compiled, from outputs: LiveOutputs)
    -> LiveOutputs.Buffers?
  {
    while true {
      if let buffers = outputs.take(for: frame, plan) { return buffers }
      if !losesNothing || monitor.read({ $0.isStopping }) { return nil }
      usleep(500)
    }
  }

  /// Submits a frame to the renderer, and finishes the completed ones.
  private func begin(
    _ frame: Frame, _ plan: LookCompiler.Compiled, _ outputs: LiveOutputs,
    _ flight: inout PendingFrames<SubmittedFrame>
  ) throws {
    guard let buffers = takeBuffers(frame, plan, from: outputs) else {
      monitor.update { $0.statistics.unrendered += 1 }
      return
    }
    let began = Timestamp.now
    compiler.history.advance(to: frame.time)
    let pending = try buffers.picture.map { try plan.prepared.submit(frame.buffer, into: $0) } ?? .done
    let placement = overlay.map { _ in OverlayPlacement(frame, through: plan.prepared.plan) }
    flight.append(
      pending, with: SubmittedFrame(frame: frame, buffers: buffers, placement: placement, began: began))
    while flight.isFull || pending.isDone, try finishOldest(&flight, outputs) {}
  }

  /// Waits for the oldest frame and offers its picture to the sinks; false if there is none.
  private func finishOldest(_ flight: inout PendingFrames<SubmittedFrame>, _ outputs: LiveOutputs?) throws
    -> Bool
  {
    guard let oldest = try flight.finishOldest() else { return false }
    let ended = Timestamp.now
    let frame = oldest.frame
    monitor.update { state in
      let first = state.firstFrame ?? ended
      if state.firstFrame == nil, var frame = state.first {
        frame.rendered = ended
        state.statistics.first = frame
      }
      state.firstFrame = first
      state.statistics.seconds = ended.seconds(since: first)
      state.statistics.rendered += 1
      state.statistics.rendering.add(seconds: ended.seconds(since: oldest.began))
      if isLive { state.statistics.latency.add(seconds: ended.seconds(since: frame.time)) }
    }
    if let overlay, let placement = oldest.placement {
      try outputs?.draw(overlay.marks(at: frame.time), placement, over: oldest.buffers)
    }
    outputs?.offer(oldest.buffers, of: frame)
    return true
  }
}
