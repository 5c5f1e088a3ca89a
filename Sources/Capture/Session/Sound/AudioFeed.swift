import FrameCore
import Synchronization

/// Connects an audio thread to a session's outputs: applies their connections, and counts.
///
/// `begin`, `sound`, `lost` and `fill` belong to the audio thread; everything else may be called from any
/// thread.
final class AudioFeed: Sendable {
  /// An output and its connection.
  struct Route: Sendable {
    let output: any AudioCaptureOutput
    let connection: AudioConnection
  }

  fileprivate struct Destination {
    var route: Route
    /// Nil while the format is unknown.
    var mix: ChannelMix?
    /// The factor that the newest sound ended with.
    var gain: Float?
  }

  fileprivate enum Action {
    case open(any AudioCaptureOutput, AudioFormat?)
    case close(any AudioCaptureOutput)
  }

  fileprivate struct State {
    var destinations: [Destination] = []
    var isOpen = false
    var timeline: SoundTimeline?
    var statistics = AudioStatistics()
  }

  private let state = Mutex(State())
  /// Held while outputs are opened and closed, so that they are notified in order.
  private let opening = Mutex(())

  // MARK: The session's side

  /// Sets the outputs from the next sound on. New ones are opened if the feed is open; removed ones are
  /// closed; one whose connection now gives another format is closed and opened.
  func setRoutes(_ routes: [Route]) { change { $0.setRoutes(routes) } }

  /// Announces sound, in `format` if it is known. Outputs that are open for another format are closed first.
  func open(_ format: AudioFormat?) { change { $0.open(format) } }

  /// Announces that no more sound comes.
  func close() { change { $0.close() } }

  private func change(_ event: (inout State) -> [Action]) {
    opening.withLock { _ in
      for action in state.withLock({ event(&$0) }) {
        switch action {
        case .open(let output, let format): output.openSound(format)
        case .close(let output): output.closeSound()
        }
      }
    }
  }

  /// The format of the present run of sound.
  var format: AudioFormat? { state.withLock { $0.timeline?.format } }

  var statistics: AudioStatistics { state.withLock { $0.statistics } }

  // MARK: The audio thread's side

  /// Begins a new stream.
  func begin(_ format: AudioFormat) {
    if state.withLock({ !$0.isOpen || $0.timeline?.format != format }) { open(format) }
    state.withLock { $0.timeline?.beginStream() }
  }

  func countDisconnection() { state.withLock { $0.statistics.disconnections += 1 } }

  /// Delivers captured sound, with the silence before it.
  ///
  /// - Parameter isHeld: for an unpaced source, whether to wait on for outputs that have no room for the next
  ///   piece; nil never waits.
  func sound(_ buffer: AudioBuffer, isHeld: (() -> Bool)? = nil) {
    deliver(isHeld) { $0?.sound(buffer, $1) }
  }

  /// Delivers silence for samples that the source lost.
  func lost(_ count: Int, _ reason: SilenceReason, at time: Timestamp, isHeld: (() -> Bool)? = nil) {
    if reason == .overrun, count > 0 { state.withLock { $0.statistics.overruns += 1 } }
    deliver(isHeld) { $0?.lost(count, reason, at: time, $1) }
  }

  /// Delivers the silence that is due by `now`; returns when more is due, or nil if nothing is owed, since no
  /// sound came yet.
  func fill(until now: Timestamp) -> Timestamp? {
    guard state.withLock({ $0.timeline?.end != nil }) else { return nil }
    return deliver { $0?.fill(until: now, $1) }
  }

  @discardableResult private func deliver<Result>(
    _ isHeld: (() -> Bool)? = nil, _ event: (inout SoundTimeline?, SoundTimeline.Emit) -> Result
  ) -> Result {
    var buffers: [AudioBuffer] = []
    let (result, present) = state.withLock { state in
      let result = event(&state.timeline) { buffers.append($0) }
      for buffer in buffers { state.statistics.count(buffer) }
      let present = state.destinations
      for index in present.indices where !buffers.isEmpty {
        state.destinations[index].gain = present[index].mix?.gain
      }
      return (result, present)
    }
    for (index, buffer) in buffers.enumerated() {
      while index > 0, isHeld?() == true, !waitForRoom(until: Timestamp.now.advanced(bySeconds: 0.1)) {}
      for destination in present {
        guard let mix = destination.mix else { continue }
        let former = index == 0 ? destination.gain ?? mix.gain : mix.gain
        destination.route.output.accept(mix.apply(to: buffer, from: former))
      }
    }
    return result
  }

  /// Blocks until all outputs can accept sound, or until `deadline`; returns whether they can.
  func waitForRoom(until deadline: Timestamp) -> Bool {
    for destination in state.withLock({ $0.destinations })
    where !destination.route.output.waitForSoundRoom(until: deadline) {
      return false
    }
    return true
  }
}

extension AudioFeed.State {
  fileprivate typealias Action = AudioFeed.Action

  fileprivate mutating func setRoutes(_ routes: [AudioFeed.Route]) -> [Action] {
    let former = destinations
    let format = timeline?.format
    var actions: [Action] = []
    destinations = routes.map { route in
      let known = former.first { $0.route.output === route.output }
      let mix = format.flatMap { try? ChannelMix(route.connection, of: $0) }
      // A mix for a new run starts with its gain; only a change within a run fades.
      return AudioFeed.Destination(route: route, mix: mix, gain: known?.gain)
    }
    for old in former {
      let new = destinations.first { $0.route.output === old.route.output }
      if let new, new.mix?.format == old.mix?.format { continue }
      if new == nil || isOpen { actions.append(.close(old.route.output)) }
    }
    guard isOpen else { return actions }
    for new in destinations {
      let old = former.first { $0.route.output === new.route.output }
      if let old, new.mix?.format == old.mix?.format { continue }
      actions.append(.open(new.route.output, new.mix?.format))
    }
    return actions
  }

  fileprivate mutating func open(_ format: AudioFormat?) -> [Action] {
    if isOpen, format == nil || timeline?.format == format { return [] }
    // Outputs that were opened before the format was known learn it from the first sound.
    let isAwaited = isOpen && timeline == nil
    var actions = isOpen && !isAwaited ? destinations.map { Action.close($0.route.output) } : []
    isOpen = true
    timeline = format.map(SoundTimeline.init(format:))
    for index in destinations.indices {
      // The connections were checked against this format before.
      let mix = format.flatMap { try? ChannelMix(destinations[index].route.connection, of: $0) }
      destinations[index].mix = mix
      destinations[index].gain = nil
      if isAwaited { continue }
      actions.append(.open(destinations[index].route.output, mix?.format))
    }
    return actions
  }

  fileprivate mutating func close() -> [Action] {
    isOpen = false
    timeline = nil
    for index in destinations.indices {
      destinations[index].mix = nil
      destinations[index].gain = nil
    }
    return destinations.map { .close($0.route.output) }
  }
}

extension AudioStatistics {
  fileprivate mutating func count(_ buffer: AudioBuffer) {
    if let reason = buffer.silence {
      self[reason] += Int64(buffer.frameCount)
    } else {
      captured += Int64(buffer.frameCount)
    }
  }
}
