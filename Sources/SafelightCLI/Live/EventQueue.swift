import Synchronization

/// Passes events, such as presses of keys, from the threads where they happen to the main thread.
final class EventQueue<Event: Sendable>: Sendable {
  private let events = Mutex<[Event]>([])

  func append(_ event: Event) { events.withLock { $0.append(event) } }

  func take() -> [Event] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
