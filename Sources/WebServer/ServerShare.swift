import FrameCore
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
    let id: ClientPlaces.ClientID
    let channel: any Channel
    /// The network of the client's address.
    let network: [UInt8]
    /// Nil once the connection carries a WebSocket.
    var http: HTTPConnection?
    var socket: WebSocketConnection?
    /// What sends a body that is pulled.
    var sender: BodySender?

    init(_ id: ClientPlaces.ClientID, _ channel: any Channel) {
      (self.id, self.channel) = (id, channel)
      network = channel.remoteAddress?.plainAddress.flatMap { IPAddress($0) }?.network ?? []
    }
  }

  private let limits: WebServerSettings.Limits
  private var places: ClientPlaces?
  private var entries: [ClientPlaces.ClientID: Entry] = [:]
  private var lastID: ClientPlaces.ClientID = 0
  private(set) var isStopping = false

  init(_ settings: WebServerSettings) {
    (limits, places) = (settings.limits, settings.places.map { ClientPlaces($0) })
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Returns the entry of a new connection; nil if there is no place for it.
  func add(_ channel: any Channel) -> Entry? {
    guard !isStopping, places != nil || entries.count < limits.connections || closeIdlest() else {
      return nil
    }
    lastID += 1
    let entry = Entry(lastID, channel)
    entries[lastID] = entry
    place(entry, .short)
    return entry
  }

  func remove(_ entry: Entry) {
    guard entries.removeValue(forKey: entry.id) != nil else { return }
    places?.leave(entry.id)
    entry.sender?.end()
    // They hold the entry in turn.
    (entry.http, entry.socket, entry.sender) = (nil, nil, nil)
  }

  /// Gives a connection a place, for which another one may have to go. Returns false if it is refused, when it keeps
  /// the one it had.
  @discardableResult
  func place(_ entry: Entry, _ kind: ClientPlaces.Kind) -> Bool {
    switch places?.give(kind, to: entry.id, of: entry.network, at: .now) {
    case nil, .granted?: return true
    case .grantedInstead(let other)?:
      close(other)
      return true
    case .refused?: return false
    }
  }

  func offered(_ entry: Entry) { places?.offered(entry.id, at: .now) }
  func took(_ entry: Entry) { places?.took(entry.id) }

  /// Offers the newest part of a stream to its clients. Disconnects the slowest clients if the parts on their way
  /// take too much memory.
  func serve(_ stream: WebStream) {
    guard let newest = stream.look() else { return }
    for entry in entries.values where entry.sender?.stream === stream { entry.sender?.offer(newest) }
    let taking = entries.values.compactMap { entry in
      entry.sender?.taking.map {
        PartsOnTheirWay.Taking(client: entry.id, number: $0.number, bytes: $0.capacity)
      }
    }
    for id in PartsOnTheirWay.leaving(taking, newest: newest.number, atMost: limits.parts) { close(id) }
  }

  /// The system has no descriptors left: closes a connection that has shown no request. Returns false if there is none.
  func makeRoom() -> Bool {
    guard let places else { return closeIdlest() }
    guard let oldest = places.oldestShort else { return false }
    close(oldest)
    return true
  }

  private func close(_ id: ClientPlaces.ClientID) {
    guard let entry = entries[id] else { return }
    remove(entry)
    entry.channel.close(promise: nil)
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
    close(least.entry.id)
    return true
  }

  /// Ends all connections at once.
  func closeAll() {
    for entry in entries.values { entry.channel.close(promise: nil) }
  }

  /// Says good-bye to all clients; responses that are on their way are still sent, except streams, which have no end.
  func stop() {
    isStopping = true
    for entry in entries.values {
      if let socket = entry.socket {
        socket.close(code: WebSocketCode.goingAway, reason: "The server stops.")
      } else if entry.http?.unasked != nil || entry.sender?.stream != nil {
        entry.channel.close(promise: nil)
      }
    }
  }
}
