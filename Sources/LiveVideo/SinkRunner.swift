import ColorScience
import FilterGraph
import FrameCore

/// What one sink has done so far: `offered == written + skipped + dropped + waiting` at every moment.
public struct SinkStatistics: Sendable, Hashable {
  public var name: String
  public var offered = 0
  /// Pictures that were written, each once.
  public var written = 0
  /// Times that a picture was written again, so that a video of one rate keeps the time of pictures that came later.
  public var repeated = 0
  /// Pictures that were left out, since they came sooner than the rate of the video has places for.
  public var skipped = 0
  /// Pictures that a newer one replaced before the sink could take them.
  public var dropped = 0
  /// Whether the sink still takes pictures.
  public var isOpen = true

  public var waiting: Int { offered - written - skipped - dropped }
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
    /// The time of the last replaced picture since the sink last took one.
    var lost: Timestamp?
    /// What is to be told, a sentence each.
    var notes: [String] = []
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
  /// - Parameter space: of the pictures that are offered, where the sink is to get them in sRGB; nil hands
  ///   them on as they are.
  init(
    _ sink: any FrameSink, policy: Policy, format: SinkFormat, pictures: SinkPictures = .screen,
    convertingFrom space: ColorSpace? = nil
  ) throws {
    self.sink = sink
    self.pictures = pictures
    self.policy = policy
    let monitor = Monitor(State(statistics: SinkStatistics(name: sink.name)))
    self.monitor = monitor
    thread = Joinable(
      try WorkerThread(name: "sl-\(sink.name.prefix(12))") {
        Self.run(sink, format, convertingFrom: space, monitor)
      })
  }

  private static func run(
    _ sink: any FrameSink, _ format: SinkFormat, convertingFrom space: ColorSpace?,
    _ monitor: Monitor<State>
  ) {
    do {
      let converter = try space.map {
        try PictureConverter(from: PlanInput(size: format.size, space: $0), to: .sRGB)
      }
      try sink.open(format)
      func write(_ frame: RenderedFrame) throws {
        var shown = frame
        if let converter { shown.picture = try converter.convert(frame.picture) }
        try sink.write(shown)
      }
      if sink is any ConstantRateSink, let rate = ConstantRate(FrameRateFraction(format.framesPerSecond)) {
        try run(at: rate, monitor, write)
      } else {
        while let (frame, _) = monitor.wait(for: Self.next) {
          try write(frame)
          monitor.update { $0.statistics.written += 1 }
        }
      }
      end(monitor, with: nil)
    } catch {
      end(monitor, with: error)
    }
    sink.close()
  }

  /// Writes pictures as a video of one rate.
  private static func run(
    at rate: ConstantRate, _ monitor: Monitor<State>, _ write: (RenderedFrame) throws -> Void
  ) throws {
    var rate = rate
    let name = monitor.read { $0.statistics.name }
    // What is seen until the next one comes.
    var shown: RenderedFrame?
    var hasToldGap = false
    // Of many the first is told: a file whose time stamps are damaged may have one at each frame.
    func tellGap() {
      guard let gap = rate.takeGap(), !hasToldGap else { return }
      hasToldGap = true
      let note = Self.note(ofGap: gap, longest: rate.longestGap, in: name)
      monitor.update { $0.notes.append(note) }
    }
    func show(_ frame: RenderedFrame, again count: Int) throws {
      for _ in 0..<count {
        try write(frame)
        monitor.update { $0.statistics.repeated += 1 }
      }
    }
    while let (frame, lost) = monitor.wait(for: Self.next) {
      if let lost { rate.lose(lost) }
      let step = rate.place(frame.time)
      tellGap()
      if let shown { try show(shown, again: step.repeats) }
      shown = frame
      if step.isWritten { try write(frame) }
      monitor.update { state in
        if step.isWritten { state.statistics.written += 1 } else { state.statistics.skipped += 1 }
      }
    }
    if let shown, let duration = shown.duration {
      try show(shown, again: rate.end(shown.time, duration: duration))
      tellGap()
    }
  }

  private static func note(ofGap seconds: Double, longest: Double, in name: String) -> String {
    let most = PlainNumber.fixed(longest, 0)
    let gap = PlainNumber.fixed(seconds, 0)
    return "\(name) leaves out \(gap) s in which no other picture comes, since it repeats a picture for at "
      + "most \(most) s; sound may not fit from there on"
  }

  /// The waiting picture, with the time of the one that it replaced; nil inside where there will be none any more.
  private static func next(_ state: inout State) -> (RenderedFrame, lost: Timestamp?)?? {
    if let frame = state.waiting.take() { return .some((frame, state.lost.take())) }
    return state.isClosing ? .some(nil) : nil
  }

  private static func end(_ monitor: Monitor<State>, with error: (any Error)?) {
    monitor.update { state in
      state.statistics.isOpen = false
      // What was handed over and not written is lost, and counted so.
      state.waiting = nil
      let taken = state.statistics.written + state.statistics.skipped
      state.statistics.dropped = state.statistics.offered - taken
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
      if let replaced = state.waiting {
        state.statistics.dropped += 1
        state.lost = replaced.time
      }
      state.waiting = frame
    }
  }

  var statistics: SinkStatistics { monitor.read { $0.statistics } }

  /// What there is to tell, a sentence each, and each once.
  func takeNotes() -> [String] {
    // Only an update wakes the sink's thread, and this is asked often.
    guard monitor.read({ !$0.notes.isEmpty }) else { return [] }
    return monitor.update { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// What ended the sink, where it was not its reader's going or `close`.
  var failure: (any Error)? { monitor.read { $0.failure } }

  /// Lets the sink write what it was handed, closes it, and returns once it is closed.
  func close() {
    monitor.update { $0.isClosing = true }
    thread.join()
  }
}
