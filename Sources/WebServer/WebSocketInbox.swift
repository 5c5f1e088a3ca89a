import NIOCore
import Synchronization

/// The messages of a WebSocket's client on their way to the site: in order, one at a time, on threads of the pool.
final class WebSocketInbox: Sendable {
  enum Message: Sendable {
    case text(String)
    case binary([UInt8])
    case closed

    var byteCount: Int {
      switch self {
      // Empty ones take memory too.
      case .text(let text): text.utf8.count + 64
      case .binary(let bytes): bytes.count + 64
      case .closed: 0
      }
    }
  }

  private enum Receiver {
    /// The first message has not come yet.
    case unknown
    case handler(any WebSocketHandler)
    case none
  }

  private struct State {
    var messages = CircularBuffer<Message>()
    var bytes = 0
    /// Whether a thread of the pool is at it.
    var isRunning = false
    /// Whether the network has stopped reading.
    var isFull = false
    var receiver = Receiver.unknown
  }

  /// The bytes that may wait before the client is no longer read, and the messages that one turn delivers: others
  /// wait for the pool too.
  private static let (limit, turn) = (4 << 20, 16)

  private let share: ServerShare
  private let peer: WebSocketPeer
  /// Tells the connection, on any thread.
  private let tell: @Sendable (WebSocketEvent) -> Void
  private let state = Mutex(State())

  init(_ share: ServerShare, _ peer: WebSocketPeer, tell: @escaping @Sendable (WebSocketEvent) -> Void) {
    (self.share, self.peer, self.tell) = (share, peer, tell)
  }

  /// Puts in a message. Returns false if no more are to be read until `resume` is told.
  func put(_ message: Message) -> Bool {
    let (isIdle, isFull) = state.withLock { state in
      state.messages.append(message)
      state.bytes += message.byteCount
      if state.bytes > Self.limit { state.isFull = true }
      defer { state.isRunning = true }
      return (!state.isRunning, state.isFull)
    }
    if isIdle { share.pool.run { self.deliver() } }
    return !isFull
  }

  private func deliver() {
    for _ in 0..<Self.turn {
      let (message, receiver, isToResume) = state.withLock { state -> (Message?, Receiver, Bool) in
        guard let message = state.messages.popFirst() else {
          state.isRunning = false
          return (nil, state.receiver, false)
        }
        state.bytes -= message.byteCount
        let isToResume = state.isFull && state.bytes < Self.limit / 2
        if isToResume { state.isFull = false }
        return (message, state.receiver, isToResume)
      }
      if isToResume { tell(.resume) }
      guard let message else { return }
      deliver(message, to: receiver)
    }
    share.pool.run { self.deliver() }
  }

  private func deliver(_ message: Message, to receiver: Receiver) {
    switch (receiver, message) {
    case (.handler(let handler), .text(let text)): handler.receive(text: text)
    case (.handler(let handler), .binary(let bytes)): handler.receive(binary: bytes)
    case (.handler(let handler), .closed):
      // The site may keep the peer; the handler is let go.
      state.withLock { $0.receiver = .none }
      handler.closed()
    case (.unknown, .text(let text)): admit(text)
    case (.unknown, .binary):
      state.withLock { $0.receiver = .none }
      tell(.rejected)
    case (.unknown, .closed), (.none, _): break
    }
  }

  /// Lets the client in if its first message has the token.
  private func admit(_ text: String) {
    guard let token = share.site.token(inFirstMessage: text), share.settings.token.matches(token) else {
      state.withLock { $0.receiver = .none }
      return tell(.rejected)
    }
    tell(.admitted)
    let handler = share.site.open(peer)
    state.withLock { $0.receiver = .handler(handler) }
    handler.receive(text: text)
  }
}
