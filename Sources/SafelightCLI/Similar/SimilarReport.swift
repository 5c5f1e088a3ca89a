import Safelight

/// Groups of photos that are alike, as people and programs read them.
struct SimilarReport: JSONReport {
  struct Photo: Codable {
    var path: String
    var width, height, bytes: Int
    /// Whether it is the one to keep; nil of a burst that was not ranked.
    var isBest: Bool?
    var reason: String?
    var score: Double?
  }

  struct Group: Codable {
    var kind: SimilarGroups.Group.Kind
    var photos: [Photo]
  }

  /// The number of photos that were compared.
  var photos: Int
  var groups: [Group]

  init(_ photos: [SimilarityScan.Photo], _ groups: [(group: SimilarGroups.Group, ranking: GroupRanking?)]) {
    func photo(_ place: Int) -> Photo {
      let photo = photos[place]
      return Photo(
        path: photo.path, width: photo.signature.size.width, height: photo.signature.size.height,
        bytes: photo.bytes)
    }
    self.photos = photos.count
    self.groups = groups.map { group, ranking in
      guard let ranking else { return Group(kind: group.kind, photos: group.photos.map(photo)) }
      return Group(
        kind: group.kind,
        photos: ranking.places.map { place in
          var photo = photo(place.photo)
          (photo.isBest, photo.reason, photo.score) = (place.photo == ranking.best, place.reason, place.score)
          return photo
        })
    }
  }

  func print() {
    let width = min(groups.flatMap(\.photos).map { VisibleText.width($0.path) }.max() ?? 0, 48)
    for group in groups {
      for (index, photo) in group.photos.enumerated() {
        let kind = index == 0 ? group.kind.rawValue : ""
        let name = VisibleText.end(of: photo.path, width: width)
        let reason = photo.reason ?? "\(photo.width)×\(photo.height)"
        Output.entry("\(kind.padded(to: 6, left: true))  \(name.padded(to: width, left: true))  \(reason)")
      }
    }
    Output.line(summary)
  }

  /// `340 photos · 3 groups of copies, 21 MB in 5 others · 4 bursts of 37 photos`
  private var summary: String {
    var parts = ["\(photos) photo\(photos == 1 ? "" : "s")"]
    let copies = groups.filter { $0.kind == .copies }
    if !copies.isEmpty {
      let others = copies.flatMap { $0.photos.dropFirst() }
      let size = ByteText.text(others.reduce(0) { $0 + $1.bytes })
      parts.append(
        "\(copies.count) group\(copies.count == 1 ? "" : "s") of copies, \(size) in \(others.count) other"
          + (others.count == 1 ? "" : "s"))
    }
    let bursts = groups.filter { $0.kind == .burst }
    if !bursts.isEmpty {
      let count = bursts.reduce(0) { $0 + $1.photos.count }
      parts.append("\(bursts.count) burst\(bursts.count == 1 ? "" : "s") of \(count) photos")
    }
    if groups.isEmpty { parts.append("none alike") }
    return parts.joined(separator: " · ")
  }

  /// Flags the best of each group as picked and the others as rejected, but for photos that have a flag.
  func mark() throws {
    for photo in groups.flatMap(\.photos) {
      guard let isBest = photo.isBest, try PhotoMark.read(forPhoto: photo.path).flag == .none else {
        continue
      }
      _ = try PhotoMark.change(
        forPhoto: photo.path, PhotoMark.Change(flag: isBest ? .pick : .reject), warn: Output.warning)
    }
  }
}
