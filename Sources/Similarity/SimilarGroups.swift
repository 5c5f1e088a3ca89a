import Files
import FrameAnalysis
import FrameCore
import Synchronization

/// Photos that are alike, in groups.
public struct SimilarGroups: Sendable {
  public struct Group: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
      /// One picture in several files: copies, other sizes, other formats, edits that leave it recognizable.
      case copies
      /// Pictures taken one right after another of the same scene.
      case burst
    }
    public var kind: Kind
    /// Places among the photos, in their order; two at least.
    public var photos: [Int]
  }

  /// The least correlation of the small pictures of two copies, whose hashes are near already.
  ///
  /// Of 13 photos in 12 versions each, from a strong vignette to black and white, the least alike have 0.56; no two
  /// different photos had hashes nearer than 104 bits.
  static let leastLikeness = 0.5
  /// The most microseconds between neighbours of a burst.
  static let burstGap: Int64 = 1_000_000
  /// Hashes of pictures of one scene differ in fewer bits; those of unrelated pictures in 128 ± 8. Straightening by two
  /// degrees turns up to 80.
  static let sceneDistance = 90

  /// In the order of their first photos.
  public let groups: [Group]

  /// - Parameter threads: the number of comparing threads; nil takes all processors.
  public init(_ photos: [SimilarityScan.Photo], threads: Int? = nil) {
    let signatures = photos.map(\.signature)
    var groups: [Group] = []
    let copies = Self.copies(signatures, photos, threads: threads ?? ProcessorCount.usable)
    groups += copies.map { Group(kind: .copies, photos: $0) }
    groups += Self.bursts(signatures, copies: copies).map { Group(kind: .burst, photos: $0) }
    self.groups = groups.sorted { ($0.photos[0], $0.kind.rawValue) < ($1.photos[0], $1.kind.rawValue) }
  }

  // MARK: Copies

  private static func copies(
    _ signatures: [PhotoSignature], _ photos: [SimilarityScan.Photo], threads: Int
  ) -> [[Int]] {
    // Photos with the same hash are compared with others once.
    let comparable = signatures.indices.filter { signatures[$0].isComparable }
    let sameHash = Dictionary(grouping: comparable) { signatures[$0].hash }
    let first = sameHash.values.map { $0[0] }.sorted()
    let sets = Mutex(DisjointSets(count: signatures.count))
    for places in sameHash.values {
      for (a, b) in zip(places, places.dropFirst()) where isCopy(signatures[a], signatures[b]) {
        sets.withLock { $0.join(a, b) }
      }
    }
    HashSearch(first.compactMap { signatures[$0].hash }).forEachPair(threads: threads) { a, b in
      let (a, b) = (first[a], first[b])
      if isCopy(signatures[a], signatures[b]) { sets.withLock { $0.join(a, b) } }
    }
    // Crops and straightened versions have other hashes, but were taken at the same moment.
    let dated = signatures.indices.filter { signatures[$0].taken != nil && !signatures[$0].camera.isEmpty }
    for places in Dictionary(grouping: dated, by: { Exposure(signatures[$0]) }).values {
      for (a, b) in zip(places, places.dropFirst()) where isSameExposure(signatures[a], signatures[b]) {
        sets.withLock { $0.join(a, b) }
      }
    }
    // Whatever they look like, equal files are copies.
    for places in Dictionary(grouping: photos.indices, by: { photos[$0].bytes }).values where places.count > 1
    {
      let same = Dictionary(grouping: places) { (try? FileFingerprint(contentsOf: photos[$0].path))?.hash }
      for (hash, places) in same where hash != nil {
        for other in places.dropFirst() { sets.withLock { $0.join(places[0], other) } }
      }
    }
    return sets.withLock { $0.sets }.filter { $0.count > 1 }
  }

  /// Whether pictures whose hashes are near are versions of one: those taken at different times are not.
  private static func isCopy(_ a: PhotoSignature, _ b: PhotoSignature) -> Bool {
    if let first = a.taken, let second = b.taken, first != second, a.hasSubSeconds == b.hasSubSeconds {
      return false
    }
    return a.small.likeness(to: b.small) >= leastLikeness
  }

  /// When and with what a picture was taken.
  private struct Exposure: Hashable {
    let taken: Int64?
    let camera: String

    init(_ signature: PhotoSignature) { (taken, camera) = (signature.taken, signature.camera) }
  }

  /// Whether pictures with the same time and camera are versions of one. Where the time is in whole seconds, those of
  /// the same size may as well be of a burst.
  private static func isSameExposure(_ a: PhotoSignature, _ b: PhotoSignature) -> Bool {
    guard let first = a.hash, let second = b.hash else { return false }
    return (a.hasSubSeconds && b.hasSubSeconds || a.size != b.size)
      && first.distance(to: second) <= sceneDistance
      && a.small.likeness(to: b.small) >= leastLikeness
  }

  // MARK: Bursts

  /// Of copies, the first one stands for all.
  private static func bursts(_ signatures: [PhotoSignature], copies: [[Int]]) -> [[Int]] {
    let others = Set(copies.flatMap { $0.dropFirst() })
    let dated = signatures.indices.filter { signatures[$0].taken != nil && !others.contains($0) }
    return Dictionary(grouping: dated) { signatures[$0].camera }.values.flatMap { places -> [[Int]] in
      let places = places.sorted { (signatures[$0].taken ?? 0, $0) < (signatures[$1].taken ?? 0, $1) }
      var bursts: [[Int]] = []
      for place in places {
        if let last = bursts.last?.last, isNext(signatures[place], after: signatures[last]) {
          bursts[bursts.count - 1].append(place)
        } else {
          bursts.append([place])
        }
      }
      return bursts.filter { $0.count > 1 }
    }
  }

  private static func isNext(_ photo: PhotoSignature, after last: PhotoSignature) -> Bool {
    if !photo.burst.isEmpty || !last.burst.isEmpty { return photo.burst == last.burst }
    guard photo.size == last.size, let first = last.taken, let second = photo.taken,
      second - first <= burstGap,
      let a = last.hash, let b = photo.hash
    else { return false }
    return a.distance(to: b) <= sceneDistance
  }
}

/// Sets of numbers that are joined, and never split. Source: Tarjan, “Efficiency of a good but not linear set union
/// algorithm”, 1975.
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  private mutating func root(_ element: Int) -> Int {
    var element = element
    while parents[element] != element {
      parents[element] = parents[parents[element]]
      element = parents[element]
    }
    return element
  }

  /// The lowest number stands for a set.
  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    parents[max(first, second)] = min(first, second)
  }

  /// All sets, each in ascending order, in the order of their first numbers.
  var sets: [[Int]] {
    mutating get {
      var sets: [Int: [Int]] = [:]
      for element in parents.indices { sets[root(element), default: []].append(element) }
      return sets.keys.sorted().compactMap { sets[$0] }
    }
  }
}
