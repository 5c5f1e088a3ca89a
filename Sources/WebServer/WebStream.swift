import NIOCore
import Synchronization

/// Bytes that many clients may be sent at a time, in memory that is used again.
public final class WebPart: @unchecked Sendable {
  /// The number of the part, from 1; a higher number is newer.
  public fileprivate(set) var number: UInt64 = 0
  /// Constant while anything but its pool refers to the part.
  private(set) var bytes = ByteBuffer()

  init() {}

  /// The size of its memory.
  var capacity: Int { bytes.capacity }

  /// Replaces the bytes, before anybody else is given the part.
  public func fill(_ pieces: [UnsafeRawBufferPointer]) {
    bytes.clear(minimumCapacity: pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { bytes.writeBytes(piece) }
  }
}

/// Parts that are used again once no client is being sent them. Used by one thread.
///
/// All streams of a server take theirs from one pool: the numbers tell which of two parts is older.
public struct WebPartPool: Sendable {
  private var parts: [WebPart] = []
  private var taken: UInt64 = 0

  /// The number of unreferenced parts that are kept: the next one, and those that clients have just released.
  public static let idleParts = 3

  public init() {}

  /// The number of parts, in use and idle.
  public var count: Int { parts.count }

  /// Returns an unreferenced part with the next number. Idle parts beyond `idleParts` are released.
  public mutating func take() -> WebPart {
    taken += 1
    var (idle, index) = (0, 0)
    var free: Int?
    while index < parts.count {
      if isKnownUniquelyReferenced(&parts[index]) {
        idle += 1
        if idle > Self.idleParts {
          parts.remove(at: index)
          continue
        }
        free = free ?? index
      }
      index += 1
    }
    if let free {
      // The reads of its last reader must be complete before it is written.
      atomicMemoryFence(ordering: .acquiring)
      parts[free].number = taken
      return parts[free]
    }
    let part = WebPart()
    part.number = taken
    parts.append(part)
    return part
  }
}

/// A body without an end, for any number of clients of one server: each is sent the newest part when the one before
/// has left for its socket. A slow client skips parts and delays nobody.
public final class WebStream: Sendable {
  private struct State {
    var newest: WebPart?
    var clients = 0
    /// Tells the network, while there are clients.
    var wake: (@Sendable () -> Void)?
    /// Whether the network has been told of a part that it has not looked at yet.
    var isAnnounced = false
  }

  private let state = Mutex(State())

  public init() {}

  /// The clients that wait for parts or are sent one.
  public var clientCount: Int { state.withLock { $0.clients } }
  public var newest: WebPart? { state.withLock { $0.newest } }

  /// Makes a part the newest one. It may be called on any thread, and never waits for clients.
  public func publish(_ part: WebPart) {
    state.withLock { state in
      state.newest = part
      guard let wake = state.wake, !state.isAnnounced else { return }
      state.isAnnounced = true
      // Within the lock: no client is left, and the network may have ended, once `leave` has it.
      wake()
    }
  }

  /// Adds a client. Returns the number of the newest part, which is too old for it.
  func join(wake: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      state.clients += 1
      state.wake = state.wake ?? wake
      return state.newest?.number ?? 0
    }
  }

  func leave() {
    state.withLock { state in
      state.clients -= 1
      if state.clients == 0 { (state.wake, state.isAnnounced) = (nil, false) }
    }
  }

  /// The network looks now; it has to be told of later parts again.
  func look() -> WebPart? {
    state.withLock { state in
      state.isAnnounced = false
      return state.newest
    }
  }
}

/// Bounds the memory of parts on their way to clients. A slow client keeps its part while newer ones are sent:
/// clients that stop at different parts would keep as many parts as there are clients.
enum PartsOnTheirWay {
  /// A client that is being sent a part.
  struct Taking {
    var client: ClientPlaces.ClientID
    /// The number of the part; the lower it is, the longer the client has been receiving it.
    var number: UInt64
    /// The size of the part; clients share its memory.
    var bytes: Int
  }

  /// Returns the clients to disconnect: those that have been receiving a part longest. Clients of the newest
  /// part always stay.
  static func leaving(_ taking: [Taking], newest: UInt64, atMost limit: Int) -> [ClientPlaces.ClientID] {
    var sizes: [UInt64: Int] = [:]
    for one in taking { sizes[one.number] = one.bytes }
    var total = sizes.values.reduce(0, +)
    guard total > limit else { return [] }
    var leaving: Set<UInt64> = []
    for (number, bytes) in sizes.sorted(by: { $0.key < $1.key }) where total > limit && number != newest {
      leaving.insert(number)
      total -= bytes
    }
    return taking.filter { leaving.contains($0.number) }.map(\.client)
  }
}
