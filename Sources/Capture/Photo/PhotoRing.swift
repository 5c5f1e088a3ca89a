import FrameCore

/// The newest frames of a stream, and which of them show a moment: a value without clock, lock or thread.
///
/// Frames come in the order of their times; one that is not later than the last begins anew.
struct PhotoRing<Picture> {
  struct Entry {
    let picture: Picture
    let time: Timestamp
  }

  /// The entries that make a photo.
  struct Selection: Hashable {
    let range: Range<Int>
    /// The index, in the ring, of the frame nearest to the moment.
    let reference: Int
  }

  /// How long frames are kept, in nanoseconds.
  static var duration: Int64 { 500_000_000 }
  /// The number of frames that are kept however long they take: those of a photo of the best quality and the one
  /// after. More while a photo waits that is made of more.
  static var usualCount: Int { PhotoQualityPrioritization.quality.frameCount + 1 }
  /// The number of frames that are kept at most.
  static var largestCount: Int { 64 }

  private(set) var entries: [Entry] = []
  var leastCount = usualCount
  private var lastTime: Timestamp?
  private var lastInterval: Int64?

  /// The shortest time between two frames in the ring, in nanoseconds; of fewer than two, the time between the last
  /// two that came. Nil before the second frame.
  var interval: Int64? {
    guard entries.count > 1 else { return lastInterval }
    var shortest: Int64?
    for index in entries.indices.dropFirst() {
      let interval = entries[index].time.nanoseconds - entries[index - 1].time.nanoseconds
      shortest = min(shortest ?? interval, interval)
    }
    return shortest
  }

  init() { entries.reserveCapacity(Self.largestCount + 1) }

  /// Adds the newest frame, and drops those that are too old.
  mutating func append(_ picture: Picture, at time: Timestamp) {
    if let lastTime {
      if time <= lastTime { removeAll() } else { lastInterval = time.nanoseconds - lastTime.nanoseconds }
    }
    lastTime = time
    entries.append(Entry(picture: picture, time: time))
    while entries.count > leastCount,
      entries.count > Self.largestCount || entries[0].time.advanced(by: Self.duration) < time
    {
      entries.removeFirst()
    }
  }

  /// Drops the oldest frame; returns false if there is none.
  mutating func removeOldest() -> Bool {
    guard !entries.isEmpty else { return false }
    entries.removeFirst()
    return true
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    (lastTime, lastInterval) = (nil, nil)
  }

  /// The `count` frames nearest to `moment`, or all that there are; nil if there is none.
  ///
  /// Of two equally near, the earlier is nearer: people press late rather than early.
  func nearest(_ count: Int, to moment: Timestamp, notBefore earliest: Timestamp? = nil) -> Selection? {
    let first = earliest.flatMap { earliest in entries.firstIndex { $0.time >= earliest } } ?? 0
    if let earliest, entries.last.map({ $0.time < earliest }) ?? true { return nil }
    guard first < entries.count, count > 0 else { return nil }
    func distance(_ index: Int) -> Int64 {
      let difference = entries[index].time.nanoseconds - moment.nanoseconds
      return difference < 0 ? -difference : difference
    }
    var range = first..<first + 1
    for index in entries.indices.dropFirst(first + 1) {
      if range.count < count {
        range = range.lowerBound..<index + 1
      } else if distance(index) < distance(range.lowerBound) {
        range = range.lowerBound + 1..<index + 1
      } else {
        break
      }
    }
    let reference = range.min { distance($0) < distance($1) } ?? first
    return Selection(range: range, reference: reference)
  }

  /// Whether a frame yet to come could take a place in a selection for `moment`.
  func mayImprove(_ selection: Selection, of count: Int, at moment: Timestamp) -> Bool {
    guard selection.range.count >= count, let newest = entries.last else { return true }
    // Frames after this one are even farther away.
    guard selection.range.upperBound == entries.count else { return false }
    guard let interval = interval ?? (newest.time < moment ? nil : 1) else { return true }
    let next = newest.time.nanoseconds + interval
    let farthest = abs(entries[selection.range.lowerBound].time.nanoseconds - moment.nanoseconds)
    return abs(next - moment.nanoseconds) < farthest
  }
}
