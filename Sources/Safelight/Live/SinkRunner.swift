import ColorScience
import FilterGraph
import FrameCore

/// What one sink has done so far: `offered == written + dropped + waiting` at every moment.
public struct SinkStatistics: Sendable, Hashable {
  public var name: String
  public var offered = 0
  public var written = 0
  /// Pictures that a newer one replaced before the sink could take them.
  public var dropped = 0
  /// Whether the sink still takes pictures.
  public var isOpen = true

  public var waiting: Int { offered - written - dropped }
}

/// Drives one sink on a thread of its own, so that the frame loop waits for nobody.
final class SinkRunner: Sendable {
  /// What happens to pictures that come faster than the sink takes them.
  enum Policy: Sendable {
    /// The newest picture replaces one that waits.
    case newest
    /// The producer waits: for files, where every picture counts and nothing is live.
    case every
  }

  private struct State {
    var waiting: RenderedFrame?
    var isClosing = false
    var statistics: SinkStatistics
    var failure: (any Error)?
  }

  /// What the sink is to be offered.
  let pictures: SinkPictures
  private let sink: any FrameSink
  private let policy: Policy
  private let monitor: Monitor<State>
  private let thread: Joinable

  /// Opens the sink on its thread and begins to take pictures.
  ///
  /// - Parameter space: of the RGB that is offered; a sink that wants sRGB gets sRGB all the same.
  init(
    _ sink: any FrameSink, policy: Policy, format: SinkFormat, pictures: SinkPictures = .screen,
    space: ColorSpace = .sRGB
  ) throws {
    self.sink = sink
    self.pictures = pictures
    self.policy = policy
    let monitor = Monitor(State(statistics: SinkStatistics(name: sink.name)))
    self.monitor = monitor
    thread = Joinable(
      try WorkerThread(name: "sl-\(sink.name.prefix(12))") {
        Self.run(sink, format, from: pictures == .screen ? space : .sRGB, monitor)
      })
  }

  private static func run(
    _ sink: any FrameSink, _ format: SinkFormat, from space: ColorSpace, _ monitor: Monitor<State>
  ) {
    do {
      let converter =
        space == .sRGB
        ? nil : try PictureConverter(from: PlanInput(size: format.size, space: space), to: .sRGB)
      try sink.open(format)
      while let frame = monitor.wait(for: Self.next) {
        var shown = frame
        if let converter { shown.picture = try converter.convert(frame.picture) }
        try sink.write(shown)
        monitor.update { $0.statistics.written += 1 }
      }
      end(monitor, with: nil)
    } catch {
      end(monitor, with: error)
    }
    sink.close()
  }

  /// The waiting picture; nil inside where there will be none any more.
  private static func next(_ state: inout State) -> RenderedFrame?? {
    if let frame = state.waiting.take() { return .some(frame) }
    return state.isClosing ? .some(nil) : nil
  }

  private static func end(_ monitor: Monitor<State>, with error: (any Error)?) {
    monitor.update { state in
      state.statistics.isOpen = false
      // What was handed over and not written is lost, and counted so.
      state.waiting = nil
      state.statistics.dropped = state.statistics.offered - state.statistics.written
      if let error, !(error is SinkClosed) { state.failure = error }
    }
  }

  /// Hands a picture over; returns at once unless the policy is `every`.
  func offer(_ frame: RenderedFrame) {
    if policy == .every {
      monitor.wait { !$0.statistics.isOpen || $0.waiting == nil ? () : nil }
    }
    monitor.update { state in
      guard state.statistics.isOpen else { return }
      state.statistics.offered += 1
      if state.waiting != nil { state.statistics.dropped += 1 }
      state.waiting = frame
    }
  }

  var statistics: SinkStatistics { monitor.read { $0.statistics } }

  /// What ended the sink, where it was not its reader's going or `close`.
  var failure: (any Error)? { monitor.read { $0.failure } }

  /// Lets the sink write what it was handed, closes it, and returns once it is closed.
  func close() {
    monitor.update { $0.isClosing = true }
    thread.join()
  }
}
