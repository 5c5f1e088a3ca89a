import Editing
import Files
import FrameAnalysis
import FrameCore
import Synchronization

/// The photos of a group, the one to keep first, with the reasons.
public struct GroupRanking: Sendable, Hashable {
  public struct Place: Sendable, Hashable {
    /// The photo's place among all photos.
    public var photo: Int
    /// Such as “sharpest”, “blurred by motion along 30°” or “6000×4000”.
    public var reason: String
    /// Of a burst: sharpness times exposure, 0…1, compared with the others.
    public var score: Double?
  }

  /// Best first.
  public let places: [Place]
  public var best: Int { places[0].photo }

  /// Of copies, the one with the most pixels is best; of several, the one that was written first, which others were made
  /// of. The photos of a burst are read and ranked as `BurstRanking` does.
  ///
  /// - Throws: `SafelightError` if a photo of a burst cannot be read, or if they have different sizes.
  public init(_ group: SimilarGroups.Group, of photos: [SimilarityScan.Photo]) throws {
    switch group.kind {
    case .copies: places = Self.copies(group.photos, photos)
    case .burst: places = try Self.burst(group.photos, photos)
    }
  }

  /// Ranks groups, several at a time; those of bursts have to be read.
  ///
  /// - Parameter ranked: told when a group is done; called on several threads.
  /// - Returns: a ranking for each group, or why there is none.
  package static func rank(
    _ groups: [SimilarGroups.Group], of photos: [SimilarityScan.Photo],
    ranked: @escaping @Sendable (SimilarGroups.Group) -> Void
  ) -> [Result<GroupRanking, any Error>] {
    let results = Mutex([Result<GroupRanking, any Error>?](repeating: nil, count: groups.count))
    ThreadTeam(name: "similar", threads: ProcessorCount.usable).run(groups.count) { index in
      let result = Result { try GroupRanking(groups[index], of: photos) }
      results.withLock { $0[index] = result }
      ranked(groups[index])
    }
    return results.withLock { $0.compactMap(\.self) }
  }

  private static func copies(_ group: [Int], _ photos: [SimilarityScan.Photo]) -> [Place] {
    func rank(_ place: Int) -> (Int, Int, Int) {
      (-photos[place].signature.size.pixelCount, photos[place].written, place)
    }
    let order = group.sorted { rank($0) < rank($1) }
    let best = photos[order[0]]
    return order.map { place in
      let photo = photos[place]
      let isEqual = place != order[0] && photo.bytes == best.bytes && isSameFile(photo.path, best.path)
      let distance = photo.signature.hash.flatMap { best.signature.hash?.distance(to: $0) } ?? 0
      let reason =
        place == order[0]
        ? "\(photo.signature.size)"
        : isEqual ? "the same file" : "\(photo.signature.size), \(distance) of 256 bits differ"
      return Place(photo: place, reason: reason)
    }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let first = try? FileFingerprint(contentsOf: a) else { return false }
    return first == (try? FileFingerprint(contentsOf: b))
  }

  private static func burst(_ group: [Int], _ photos: [SimilarityScan.Photo]) throws -> [Place] {
    let meter = try BurstMeter()
    let start = group.compactMap { photos[$0].signature.taken }.min() ?? 0
    for (index, place) in group.enumerated() {
      let sample = try PhotoSample(contentsOf: photos[place].path)
      let time = Timestamp(nanoseconds: 1000 * ((photos[place].signature.taken ?? start) - start))
      try meter.add(
        Frame(buffer: sample.buffer, time: time, sequence: UInt64(index), orientation: sample.orientation))
    }
    return try meter.ranking(pressedAt: Timestamp(nanoseconds: 0)).frames.map {
      Place(photo: group[$0.index], reason: $0.reason, score: $0.score)
    }
  }
}
