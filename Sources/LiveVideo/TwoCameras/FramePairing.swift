import FrameCore

/// Pairs the pictures of two cameras by their times. A pure state machine.
///
/// Each picture of the first camera leaves with the nearest one of the second. It waits for that only until the second
/// camera has shown a later picture, or for `patience`: a camera that is late or gone does not hold the other up, which
/// goes on with its last picture.
struct FramePairing<Picture> {
  struct Pair {
    var first: Picture
    /// Nil before the second camera's first picture, and once its last one is older than `longestAge`.
    var second: Picture?
    var time: Timestamp
    /// How much later the second picture was taken than the first, in seconds.
    var offset: Double
  }

  private struct Timed {
    var picture: Picture
    var time: Timestamp
  }

  /// Nanoseconds that a picture waits after it has come.
  let patience: Int64
  /// Nanoseconds after which a last picture is no longer shown.
  let longestAge: Int64
  private var waiting: [(picture: Timed, arrival: Timestamp)] = []
  private var others: [Timed] = []

  /// Pictures of the first camera that wait at most; the oldest then leaves at once.
  private static var mostWaiting: Int { 3 }
  private static var mostOthers: Int { 6 }

  init(patience: Double = 0.02, longestAge: Double = 2) {
    self.patience = Int64(patience * 1e9)
    self.longestAge = Int64(longestAge * 1e9)
  }

  mutating func addFirst(_ picture: Picture, at time: Timestamp, now: Timestamp) {
    waiting.append((Timed(picture: picture, time: time), now))
  }

  mutating func addSecond(_ picture: Picture, at time: Timestamp) {
    if others.count == Self.mostOthers { others.removeFirst() }
    others.append(Timed(picture: picture, time: time))
  }

  /// The moment at which the oldest waiting picture leaves at the latest; nil if none waits.
  var due: Timestamp? {
    waiting.first.map { Timestamp(nanoseconds: $0.arrival.nanoseconds + patience) }
  }

  /// Returns the next pair that is to be shown; nil if nothing is due yet.
  ///
  /// - Parameter isEnding: whether no more pictures come that one could wait for.
  mutating func next(now: Timestamp, isEnding: Bool = false) -> Pair? {
    guard let (first, arrival) = waiting.first else { return nil }
    let isDecided = others.last.map { $0.time >= first.time } ?? false
    let isDue = now.nanoseconds - arrival.nanoseconds >= patience
    guard isDecided || isDue || isEnding || waiting.count > Self.mostWaiting else { return nil }
    waiting.removeFirst()
    let nearest = others.min { distance($0, first) < distance($1, first) }
    // Later pictures are never nearer to an earlier one.
    if let nearest { others.removeAll { $0.time < nearest.time } }
    guard let second = nearest, distance(second, first) <= longestAge else {
      return Pair(first: first.picture, second: nil, time: first.time, offset: 0)
    }
    return Pair(
      first: first.picture, second: second.picture, time: first.time,
      offset: second.time.seconds(since: first.time))
  }

  private func distance(_ a: Timed, _ b: Timed) -> Int64 { abs(a.time.nanoseconds - b.time.nanoseconds) }
}
