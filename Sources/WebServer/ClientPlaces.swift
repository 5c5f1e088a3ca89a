import FrameCore

/// Decides which clients may stay if there are more clients than places, as `WebServerSettings.Places` says. It knows
/// no sockets: it is told what clients do, and returns who has to leave.
struct ClientPlaces {
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
    /// When it was given the part that it is receiving; nil if it has received it.
    var partTime: Timestamp?
  }

  private let settings: WebServerSettings.Places
  private var occupants: [Kind: [ClientID: Occupant]] = [.short: [:], .long: [:]]
  private var given: UInt64 = 0

  init(_ settings: WebServerSettings.Places) { self.settings = settings }

  func count(_ kind: Kind) -> Int { occupants[kind]?.count ?? 0 }

  /// Gives a client a place; its previous place becomes free unless it is refused.
  ///
  /// - Parameter network: the network of its address.
  mutating func give(_ kind: Kind, to client: ClientID, of network: [UInt8], at now: Timestamp) -> Decision {
    var decision = Decision.granted
    if count(kind) >= (kind == .short ? settings.short : settings.long), occupants[kind]?[client] == nil {
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

  /// Records that a client in a long place was given a part.
  mutating func offered(_ client: ClientID, at now: Timestamp) { occupants[.long]?[client]?.partTime = now }

  /// Records that a client has received its part completely.
  mutating func took(_ client: ClientID) { occupants[.long]?[client]?.partTime = nil }

  /// The client that has had a short place the longest.
  var oldestShort: ClientID? { occupants[.short]?.min { $0.value.order < $1.value.order }?.key }

  private func leavingLong(for network: [UInt8], _ now: Timestamp) -> ClientID? {
    guard let watchers = occupants[.long] else { return nil }
    let slowest = watchers.filter { $0.value.partTime != nil }
      .min { ($0.value.partTime ?? now, $0.value.order) < ($1.value.partTime ?? now, $1.value.order) }
    if let slowest, let time = slowest.value.partTime, now.seconds(since: time) >= settings.patience {
      return slowest.key
    }
    var counts: [[UInt8]: Int] = [:]
    for watcher in watchers.values { counts[watcher.network, default: 0] += 1 }
    guard let most = counts.values.max(), most >= counts[network, default: 0] + 2 else { return nil }
    // The client that came last has seen the least.
    return watchers.filter { counts[$0.value.network] == most }.max { $0.value.order < $1.value.order }?.key
  }
}
