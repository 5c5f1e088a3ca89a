import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// The statistics of one sink so far: `offered == written + skipped + dropped + waiting` at every moment.
public struct SinkStatistics: Sendable, Hashable {
  public var name: String
  /// Pictures that were rendered while the sink was open.
  public var offered = 0
  /// Pictures that were written, not counting repeats.
  public var written = 0
  /// Repeats of a picture, written so that a constant-rate video keeps time with later pictures.
  public var repeated = 0
  /// Pictures that were left out because they came faster than the rate of the video.
  public var skipped = 0
  /// Pictures that a newer one replaced before the sink could take them.
  public var dropped = 0
  /// Whether the sink still takes pictures.
  public var isOpen = true

  /// Pictures that the sink has not taken yet.
  public var waiting: Int { offered - written - skipped - dropped }
}

/// Drives one sink on a thread of its own, so that the frame loop does not wait for it.
final class SinkRunner: Sendable {
  /// What to do with pictures that come faster than the sink takes them.
  enum Policy: Sendable {
    /// The newest picture replaces the waiting one.
    case newest
    /// The producer waits; for files, where every picture counts and nothing is live.
    case every
  }

  private struct State {
    var waiting: RenderedFrame?
    /// The time of the last picture replaced since the sink last took one.
    var lost: Timestamp?
    /// Notes to report, one sentence each.
    var notes: [String] = []
    var isClosing = false
    var statistics: SinkStatistics
    var failure: (any Error)?
  }

  /// The kind of pictures to offer to the sink.
  let pictures: SinkPictures
  /// Whether to offer the frame's own samples while the look changes nothing.
  let takesSamples: Bool
  /// Offered pictures that are held after they were written: of a sink whose planes the runner makes, those are kept.
  let heldPictures: Int
  private let sink: any FrameSink
  private let policy: Policy
  private let monitor: Monitor<State>
  private let thread: Joinable

  /// Opens the sink on its thread and starts to take pictures.
  ///
  /// - Parameters:
  ///   - space: the colour space of the offered pictures, if the sink needs them converted to sRGB; nil passes them on
  ///     unchanged.
  ///   - makesPlanes: whether a sink that wants luma and colour differences is offered others, and the runner makes them.
  init(
    _ sink: any FrameSink, policy: Policy, format: SinkFormat, pictures: SinkPictures = .screen,
    convertingFrom space: ColorSpace? = nil, makesPlanes: Bool = false
  ) throws {
    self.sink = sink
    self.pictures = pictures
    var planes: PixelFormat?
    if makesPlanes, case .planes(let format) = pictures { planes = format }
    heldPictures = planes == nil ? sink.heldPictures : 1
    takesSamples = pictures == .samples || planes.map { SampleCopier.fits(format.source, $0) } ?? false
    self.policy = policy
    let monitor = Monitor(State(statistics: SinkStatistics(name: sink.name)))
    self.monitor = monitor
    thread = Joinable(
      try WorkerThread(name: "sl-\(sink.name.prefix(12))") {
        [planes] in Self.run(sink, format, convertingFrom: space, to: planes, monitor)
      })
  }

  private static func run(
    _ sink: any FrameSink, _ format: SinkFormat, convertingFrom space: ColorSpace?, to planes: PixelFormat?,
    _ monitor: Monitor<State>
  ) {
    do {
      let converter = try space.map {
        try PictureConverter(from: PlanInput(size: format.size, space: $0), to: .sRGB)
      }
      let planes = try planes.map { try PlanesConverter(to: $0, of: format, heldPictures: sink.heldPictures) }
      try sink.open(format)
      func write(_ frame: RenderedFrame) throws {
        var shown = frame
        if let converter { shown.picture = try converter.convert(frame.picture) }
        if let planes { shown.picture = try planes.convert(frame.picture) }
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
      try sink.finish()
      end(monitor, with: nil)
    } catch {
      end(monitor, with: error)
    }
    sink.close()
  }

  /// Writes pictures as a constant-rate video.
  private static func run(
    at rate: ConstantRate, _ monitor: Monitor<State>, _ write: (RenderedFrame) throws -> Void
  ) throws {
    var rate = rate
    let name = monitor.read { $0.statistics.name }
    // The picture that is shown until the next one comes.
    var shown: RenderedFrame?
    var hasToldGap = false
    // Only the first gap is reported: a file with damaged time stamps may have one at each frame.
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
      + "most \(most) s; sound may be out of step from there on"
  }

  /// Returns the waiting picture and the time of the one it replaced; the inner nil means that there will be no
  /// more.
  private static func next(_ state: inout State) -> (RenderedFrame, lost: Timestamp?)?? {
    if let frame = state.waiting.take() { return .some((frame, state.lost.take())) }
    return state.isClosing ? .some(nil) : nil
  }

  private static func end(_ monitor: Monitor<State>, with error: (any Error)?) {
    monitor.update { state in
      state.statistics.isOpen = false
      // A picture that was offered but not written counts as dropped.
      state.waiting = nil
      let taken = state.statistics.written + state.statistics.skipped
      state.statistics.dropped = state.statistics.offered - taken
      if let error, !(error is SinkClosed) { state.failure = error }
    }
  }

  /// Offers a picture to the sink; returns at once unless the policy is `every`.
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

  /// Returns the notes, one sentence each, and each only once.
  func takeNotes() -> [String] {
    // Read first, because an update wakes the sink's thread and this is called often.
    guard monitor.read({ !$0.notes.isEmpty }) else { return [] }
    return monitor.update { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// The error that ended the sink; nil if its reader went or it was closed.
  var failure: (any Error)? { monitor.read { $0.failure } }

  /// Lets the sink write its remaining picture, closes it, and returns once it is closed.
  func close() {
    monitor.update { $0.isClosing = true }
    thread.join()
  }
}
