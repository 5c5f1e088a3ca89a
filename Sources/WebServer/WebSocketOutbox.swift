import NIOCore
import Synchronization

/// What waits to be sent to the client of a WebSocket. Any thread puts frames in; the network takes them out.
final class WebSocketOutbox: Sendable {
  /// A close that the site asks for.
  struct Farewell: Sendable, Equatable {
    var code: UInt16
    var reason: String
  }

  private struct State {
    var frames = CircularBuffer<ByteBuffer>()
    /// Bytes put in and not yet taken by the kernel.
    var waiting = 0
    var isOpen = true
    /// Whether the network has been told of frames that it has not looked for yet.
    var isAnnounced = false
    var farewell: Farewell?
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the most bytes that may wait.
  init(limit: Int) { self.limit = limit }

  var waiting: Int { state.withLock { $0.waiting } }
  var isOpen: Bool { state.withLock { $0.isOpen && $0.farewell == nil } }

  /// Puts in a frame. Returns whether the network has to be told.
  func put(_ frame: ByteBuffer) -> Bool {
    state.withLock { state in
      guard state.isOpen, state.farewell == nil else { return false }
      guard state.waiting + frame.readableBytes <= limit else {
        Self.drop(&state)
        state.farewell = Farewell(code: WebSocketCode.tryAgainLater, reason: "Too much waits to be read.")
        return Self.announce(&state)
      }
      state.frames.append(frame)
      state.waiting += frame.readableBytes
      return Self.announce(&state)
    }
  }

  /// Asks for a close after the frames that wait. Returns whether the network has to be told.
  func close(_ farewell: Farewell) -> Bool {
    state.withLock { state in
      guard state.isOpen, state.farewell == nil else { return false }
      state.farewell = farewell
      return Self.announce(&state)
    }
  }

  /// The network looks now; it has to be told of later frames again.
  func look() { state.withLock { $0.isAnnounced = false } }

  func next() -> ByteBuffer? { state.withLock { $0.frames.popFirst() } }

  /// The close to be done now that nothing waits for its turn any more.
  var farewell: Farewell? { state.withLock { $0.farewell } }

  /// The kernel has taken bytes, or they are lost.
  func finished(_ count: Int) { state.withLock { $0.waiting -= count } }

  /// Drops what waits, and whatever comes.
  func end() {
    state.withLock { state in
      Self.drop(&state)
      state.isOpen = false
    }
  }

  private static func announce(_ state: inout State) -> Bool {
    defer { state.isAnnounced = true }
    return !state.isAnnounced
  }

  private static func drop(_ state: inout State) {
    state.waiting -= state.frames.reduce(0) { $0 + $1.readableBytes }
    state.frames.removeAll()
  }
}
