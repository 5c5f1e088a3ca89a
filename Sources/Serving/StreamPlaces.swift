import FrameCore

/// Decides which clients of a stream may stay if there are more clients than places. It knows no sockets: it is
/// told what clients do, and returns who has to leave.
///
/// There are two kinds of places, so that connections without a request take nothing from watchers:
/// - short ones, for incomplete requests and for answers that are sent at once. If all are taken, the client that
///   has had one longest leaves;
/// - long ones, for streams and snapshots. If all are taken, a client leaves that has not received its frame for
///   `patience`; otherwise one from the network with the most places, if it has at least two more than the
///   newcomer's. Otherwise the newcomer is refused.
struct StreamPlaces: Sendable {
  typealias ClientID = UInt64
  enum Kind: CaseIterable { case short, long }

  enum Decision: Equatable {
    case granted
    /// Another client leaves, and the newcomer gets its place.
    case grantedInstead(of: ClientID)
    case refused
  }

  private struct Occupant {
    var network: [UInt8]
    /// The sequence number of the place, in the order in which places were given.
    var order: UInt64
    /// When it was given the frame that it is receiving; nil if it has received it.
    var frameTime: Timestamp?
  }

  /// The number of places of each kind.
  let limits: [Kind: Int]
  /// The seconds within which a frame should be received if somebody else waits for the place.
  let patience: Double
  private var occupants: [Kind: [ClientID: Occupant]] = [.short: [:], .long: [:]]
  private var given: UInt64 = 0

  init(short: Int = 64, long: Int = 64, patience: Double = 2) {
    limits = [.short: short, .long: long]
    self.patience = patience
  }

  func count(_ kind: Kind) -> Int { occupants[kind]?.count ?? 0 }

  /// Gives a client a place; its previous place becomes free unless it is refused.
  ///
  /// - Parameter network: the network of its address.
  mutating func give(_ kind: Kind, to client: ClientID, of network: [UInt8], at now: Timestamp) -> Decision {
    var decision = Decision.granted
    if count(kind) >= limits[kind, default: 0], occupants[kind]?[client] == nil {
      guard let leaving = kind == .short ? oldestShort : leavingLong(for: network, now) else {
        return .refused
      }
      leave(leaving)
      decision = .grantedInstead(of: leaving)
    }
    leave(client)
    given += 1
    occupants[kind, default: [:]][client] = Occupant(network: network, order: given)
    return decision
  }

  mutating func leave(_ client: ClientID) {
    for kind in Kind.allCases { occupants[kind]?[client] = nil }
  }

  /// Records that a client in a long place was given a frame.
  mutating func offered(_ client: ClientID, at now: Timestamp) { occupants[.long]?[client]?.frameTime = now }

  /// Records that a client has received its frame completely.
  mutating func took(_ client: ClientID) { occupants[.long]?[client]?.frameTime = nil }

  /// The client that has had a short place the longest.
  var oldestShort: ClientID? { occupants[.short]?.min { $0.value.order < $1.value.order }?.key }

  private func leavingLong(for network: [UInt8], _ now: Timestamp) -> ClientID? {
    guard let watchers = occupants[.long] else { return nil }
    let slowest = watchers.filter { $0.value.frameTime != nil }
      .min { ($0.value.frameTime ?? now, $0.value.order) < ($1.value.frameTime ?? now, $1.value.order) }
    if let slowest, let time = slowest.value.frameTime, now.seconds(since: time) >= patience {
      return slowest.key
    }
    var counts: [[UInt8]: Int] = [:]
    for watcher in watchers.values { counts[watcher.network, default: 0] += 1 }
    guard let most = counts.values.max(), most >= counts[network, default: 0] + 2 else { return nil }
    // The client that came last has seen the least.
    return watchers.filter { counts[$0.value.network] == most }.max { $0.value.order < $1.value.order }?.key
  }
}
