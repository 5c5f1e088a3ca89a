import FrameCore

/// Which clients of a stream may stay where there are more than places. Knows no sockets: what clients do goes in, and
/// who has to leave comes out.
///
/// There are two kinds of places, so that those who only knock take nothing from those who watch:
/// - short ones, for requests that have not come whole and for answers that are out at once. Where all are taken, the
///   client that has had one longest leaves;
/// - long ones, for streams and snapshots. Where all are taken, a client leaves that has not taken its frame for
///   `patience`; else one from the network that has the most places, if it has at least two more than the newcomer's.
///   Else the newcomer is refused.
struct StreamPlaces: Sendable {
  typealias ClientID = UInt64
  enum Kind: CaseIterable { case short, long }

  enum Decision: Equatable {
    case granted
    /// Another client leaves, and the newcomer has its place.
    case grantedInstead(of: ClientID)
    case refused
  }

  private struct Occupant {
    var network: [UInt8]
    /// Counts places as they were given.
    var order: UInt64
    /// Since when it has been taking the frame that it was given last; nil where it has taken it.
    var frameTime: Timestamp?
  }

  /// How many places there are of each kind.
  let limits: [Kind: Int]
  /// Seconds within which a frame should be taken where somebody else waits for the place.
  let patience: Double
  private var occupants: [Kind: [ClientID: Occupant]] = [.short: [:], .long: [:]]
  private var given: UInt64 = 0

  init(short: Int = 64, long: Int = 64, patience: Double = 2) {
    limits = [.short: short, .long: long]
    self.patience = patience
  }

  func count(_ kind: Kind) -> Int { occupants[kind]?.count ?? 0 }

  /// A client needs a place; the one that it has is free again unless it is refused.
  ///
  /// - Parameter network: what its address belongs to.
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

  /// A client in a long place was given a frame.
  mutating func offered(_ client: ClientID, at now: Timestamp) { occupants[.long]?[client]?.frameTime = now }

  /// A client has taken its frame whole.
  mutating func took(_ client: ClientID) { occupants[.long]?[client]?.frameTime = nil }

  /// The client that has had a short place longest.
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
    // Who came last has seen least.
    return watchers.filter { counts[$0.value.network] == most }.max { $0.value.order < $1.value.order }?.key
  }
}
