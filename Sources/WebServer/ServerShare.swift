import NIOCore
import NIOPosix
import Synchronization

/// What all connections of a server share.
final class ServerShare: Sendable {
  let gate: RequestGate
  let pool: WorkPool
  let failedAttempts = Atomic<Int>(0)
  /// The answers that the site works on.
  let answers = Atomic<Int>(0)
  /// Whether the network's thread is about to end.
  let hasStopped = Atomic<Bool>(false)
  private let lastSocket = Atomic<Int>(0)

  var settings: WebServerSettings { gate.settings }
  var site: any WebSite { gate.site }

  init(gate: RequestGate, pool: WorkPool) {
    (self.gate, self.pool) = (gate, pool)
  }

  func note(_ text: String) { settings.note(text) }

  /// Counts an attempt with a wrong token.
  func countAttempt() {
    let count = failedAttempts.wrappingAdd(1, ordering: .relaxed).newValue
    note("A client gave a wrong token; that makes \(count).")
  }

  /// A number that no other socket of this server has.
  func socketNumber() -> Int { lastSocket.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The connections of a server. Belongs to its event loop.
final class Connections {
  /// What a connection is at present.
  final class Entry {
    let channel: any Channel
    /// Nil once the connection carries a WebSocket.
    var http: HTTPConnection?
    var socket: WebSocketConnection?

    init(_ channel: any Channel) { self.channel = channel }
  }

  private let limit: Int
  private var entries: [ObjectIdentifier: Entry] = [:]
  private(set) var isStopping = false

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { entries.isEmpty }

  /// Returns the entry of a new connection; nil if there is no place for it.
  func add(_ channel: any Channel) -> Entry? {
    guard !isStopping, entries.count < limit || closeIdlest() else { return nil }
    let entry = Entry(channel)
    entries[ObjectIdentifier(channel)] = entry
    return entry
  }

  func remove(_ channel: any Channel) {
    guard let entry = entries.removeValue(forKey: ObjectIdentifier(channel)) else { return }
    // They hold the entry in turn.
    (entry.http, entry.socket) = (nil, nil)
  }

  /// Closes the connection that has been without a request for the longest time; else the oldest that has not shown
  /// yet what it wants, or that it has the token, so that no stranger can take all places. Returns false if all are
  /// busy.
  private func closeIdlest() -> Bool {
    let candidates = entries.values.compactMap { entry -> (entry: Entry, rank: Int, since: NIODeadline)? in
      if let unasked = entry.http?.unasked { return (entry, unasked.isIdle ? 0 : 1, unasked.since) }
      return entry.socket?.unknownSince.map { (entry, 2, $0) }
    }
    guard let least = candidates.min(by: { ($0.rank, $0.since) < ($1.rank, $1.since) }) else { return false }
    let channel = least.entry.channel
    remove(channel)
    channel.close(promise: nil)
    return true
  }

  /// Ends all connections at once.
  func closeAll() {
    for entry in entries.values { entry.channel.close(promise: nil) }
  }

  /// Says good-bye to all clients; responses that are on their way are still sent.
  func stop() {
    isStopping = true
    for entry in entries.values {
      if let socket = entry.socket {
        socket.close(code: WebSocketCode.goingAway, reason: "The server stops.")
      } else if entry.http?.unasked != nil {
        entry.channel.close(promise: nil)
      }
    }
  }
}
