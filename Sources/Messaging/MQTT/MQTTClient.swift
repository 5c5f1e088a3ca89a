import FrameCore
import Libc

/// Publishes messages to an MQTT broker from a thread of its own.
///
/// `publish` never waits. While the broker is away, a connection is tried again after pauses that grow to a minute.
/// The topic `PREFIX/status` says `online`, and `offline` after the end or when the connection breaks.
public final class MQTTClient: Sendable {
  private struct State {
    var session: MQTTSession
    var notes: [String] = []
    var lastNote = ""
    /// The moment of the end; nil before it is asked for.
    var end: Timestamp?
    var hasEnded = false
  }
  private let state: Monitor<State>
  private let address: MQTTAddress
  private let statusTopic: String

  /// Seconds for a connection to be made, and the pauses between attempts.
  private static let patience = 5.0
  private static let (shortestPause, longestPause) = (1.0, 60.0)
  /// Bytes that wait for a slow broker; nothing more is sent meanwhile.
  private static let mostPending = 65_536

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - user: nil connects without a name.
  /// - Throws: `SafelightError` if the system grants no thread.
  public init(_ address: MQTTAddress, user: String? = nil, password: String? = nil) throws {
    self.address = address
    statusTopic = "\(address.prefix)/status"
    state = Monitor(
      State(
        session: MQTTSession(
          MQTTSession.Identity(
            client: Self.newIdentifier(), statusTopic: statusTopic, user: user,
            password: user == nil ? nil : password))))
    try WorkerThread(name: "sl-mqtt") { [self] in run() }.detach()
  }

  /// A broker lets go of a client when another one of the same identifier comes, and needs to take no more than 23 letters
  /// and digits (MQTT 3.1.1, 3.1.3.1).
  private static func newIdentifier() -> String {
    "safelight" + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  public func publish(_ message: MQTTMessage) {
    state.update { if $0.end == nil { $0.session.publish(message) } }
  }

  /// Returns what is to be told of the connection, each change once.
  public func takeNotes() -> [String] {
    state.update { state in
      defer { state.notes = [] }
      return state.notes
    }
  }

  /// Messages that were lost because too many waited.
  public var lost: Int { state.read { $0.session.lost } }

  /// Delivers what waits, says that it is offline, and returns after at most so many seconds.
  public func finish(patience: Double) {
    let end = Timestamp.now.advanced(bySeconds: patience)
    state.update { state in
      state.session.publish(MQTTMessage(statusTopic, "offline", isRetained: true))
      state.end = end
    }
    _ = state.wait(until: end.advanced(bySeconds: 0.2)) { $0.hasEnded ? true : nil }
  }

  // MARK: The thread

  private func note(_ text: String) {
    state.update { state in
      guard state.lastNote != text else { return }
      state.lastNote = text
      state.notes.append("MQTT: \(text)")
    }
  }

  private func run() {
    // A broker that goes must not end the program: the signal stays with this thread.
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, nil)
    var pause = Self.shortestPause
    while state.read({ $0.end }) == nil {
      do {
        let socket = try TCPSocket(address.host, address.port, seconds: Self.patience)
        defer { state.update { $0.session.closed() } }
        if try talk(over: socket, hasOpened: { pause = Self.shortestPause }) { break }
      } catch {
        note("\(address.host):\(address.port): \(error); it is tried again")
      }
      let deadline = Timestamp.now.advanced(bySeconds: pause)
      _ = state.wait(until: deadline) { $0.end == nil ? nil : true }
      pause = min(pause * 2, Self.longestPause)
    }
    state.update { $0.hasEnded = true }
  }

  /// Keeps a connection until it breaks; returns true at the end of the client.
  private func talk(over socket: TCPSocket, hasOpened: () -> Void) throws -> Bool {
    var pending = state.update { $0.session.opened(at: .now) }
    var wasOpen = false
    while true {
      let received = try socket.receive()
      let (more, isOpen, isDone) = try state.update { state -> ([UInt8], Bool, Bool) in
        if !received.isEmpty { try state.session.received(received, at: .now) }
        let more = try state.session.step(at: .now, isFull: pending.count >= Self.mostPending)
        let isLate = state.end.map { Timestamp.now >= $0 } ?? false
        return (more, state.session.isOpen, isLate || state.end != nil && state.session.isIdle)
      }
      if isOpen, !wasOpen {
        wasOpen = true
        hasOpened()
        note("connected to \(address.host):\(address.port)")
      }
      pending += more
      pending.removeFirst(try socket.send(pending))
      if isDone {
        if pending.isEmpty { _ = try? socket.send(MQTTSession.farewell) }
        return true
      }
      socket.wait(seconds: 0.05, toSend: !pending.isEmpty)
    }
  }
}
