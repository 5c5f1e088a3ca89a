import Safelight

/// What happens to a desk, which belongs to one thread: that thread takes all of it, in the order in which it happened,
/// does one piece of work, and looks again.
final class DeskInbox<Desk>: Sendable {
  typealias Event = @Sendable (Desk) -> Void

  private struct State {
    var events: [Event] = []
    var isClosed = false
  }
  private let state = Monitor(State())

  /// Has an event handled on the desk's thread.
  func post(_ event: @escaping Event) { state.update { $0.events.append(event) } }

  /// Has `serve` return, once what was posted is handled.
  func close() { state.update { $0.isClosed = true } }

  /// Serves a desk until the inbox is closed.
  ///
  /// - Parameter work: does the most urgent piece of work. Returns when there is more to do, unless something happens
  ///   before; nil if something was done.
  func serve(_ desk: Desk, work: (Desk) -> Timestamp?) {
    while true {
      let events = state.update { state in
        defer { state.events = [] }
        return state.events
      }
      for event in events { event(desk) }
      guard let due = work(desk) else { continue }
      let isOpen = state.wait(until: due) { state -> Bool? in
        // What was said before the end is heard.
        state.events.isEmpty ? (state.isClosed ? false : nil) : true
      }
      if isOpen == false { return }
    }
  }
}
