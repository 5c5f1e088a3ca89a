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

  /// No set holds pictures that say they were taken at different times, whatever joins them: who removes copies must not
  /// lose a picture of a burst. The likest are joined first.
  private static func copies(
    _ signatures: [PhotoSignature], _ photos: [SimilarityScan.Photo], threads: Int
  ) -> [[Int]] {
    var sets = DisjointSets(moments: signatures.map(\.moment))
    // Equal files look alike, so that few others have to be read.
    for places in Dictionary(grouping: photos.indices, by: { FileKey(photos[$0]) }).values
    where places.count > 1 {
      let same = Dictionary(grouping: places) { (try? FileFingerprint(contentsOf: photos[$0].path))?.hash }
      for (hash, places) in same where hash != nil {
        for other in places.dropFirst() { sets.join(places[0], other) }
      }
    }
    for pair in pairs(signatures, threads: threads) { sets.join(pair.first, pair.second) }
    // Crops and straightened versions have other hashes, but were taken at the same moment.
    let dated = signatures.indices.filter { signatures[$0].taken != nil && !signatures[$0].camera.isEmpty }
    for places in Dictionary(grouping: dated, by: { Exposure(signatures[$0]) }).values {
      for (index, place) in places.enumerated() {
        for other in places.dropFirst(index + 1).prefix(mostOfAMoment)
        where isSameExposure(signatures[place], signatures[other]) { sets.join(place, other) }
      }
    }
    return sets.sets.filter { $0.count > 1 }
  }

  /// What equal files have in common.
  private struct FileKey: Hashable {
    let bytes: Int
    let signature: PhotoSignature

    init(_ photo: SimilarityScan.Photo) { (bytes, signature) = (photo.bytes, photo.signature) }
  }

  private struct Pair: Sendable {
    let distance, first, second: Int
  }

  /// Versions of one picture by their looks, the likest first.
  private static func pairs(_ signatures: [PhotoSignature], threads: Int) -> [Pair] {
    // Of those that differ in nothing that counts, one is compared with the others.
    let comparable = signatures.indices.filter { signatures[$0].isComparable }
    let same = Dictionary(grouping: comparable) { place in
      Look(hash: signatures[place].hash, moment: signatures[place].moment)
    }
    let first = same.values.map { $0[0] }.sorted()
    var found: [Pair] = []
    for places in same.values {
      for other in places.dropFirst() where isCopy(signatures[places[0]], signatures[other]) {
        found.append(Pair(distance: 0, first: places[0], second: other))
      }
    }
    let near = Mutex<[Pair]>([])
    let hashes = first.compactMap { signatures[$0].hash }
    HashSearch(hashes).forEachPair(threads: threads) { a, b in
      guard isCopy(signatures[first[a]], signatures[first[b]]) else { return }
      let pair = Pair(distance: hashes[a].distance(to: hashes[b]), first: first[a], second: first[b])
      near.withLock { $0.append(pair) }
    }
    found += near.withLock { $0 }
    return found.sorted { ($0.distance, $0.first, $0.second) < ($1.distance, $1.first, $1.second) }
  }

  private struct Look: Hashable {
    let hash: PerceptualHash?
    let moment: Moment?
  }

  /// Whether pictures whose hashes are near are versions of one.
  private static func isCopy(_ a: PhotoSignature, _ b: PhotoSignature) -> Bool {
    Moment.canBeOne(a.moment, b.moment) && a.small.likeness(to: b.small) >= leastLikeness
  }

  /// When and with what a picture was taken.
  private struct Exposure: Hashable {
    let taken: Int64?
    let camera: String

    init(_ signature: PhotoSignature) { (taken, camera) = (signature.taken, signature.camera) }
  }

  /// A camera whose clock is not set gives all photos one time: each is compared with so many others of its moment.
  private static let mostOfAMoment = 32

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
