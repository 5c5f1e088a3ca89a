import Safelight

/// The photos that look like one.
struct SimilarPhotos {
  private struct Match: JSONReport {
    var path: String
    var width, height: Int
    /// Bits of 256.
    var distance: Int
  }
  private let matches: [Match]

  /// - Throws: `SafelightError` if the photo has too little detail to be told from others.
  init(_ path: String, _ signature: PhotoSignature, among photos: [SimilarityScan.Photo]) throws {
    guard let hash = signature.hash, signature.detail >= PerceptualHash.leastDetail else {
      throw SafelightError(
        .unsupported, "\(path) has too little detail to be told from others",
        remedy: "compare equal files with --duplicates")
    }
    let known = photos.filter { $0.signature.detail >= PerceptualHash.leastDetail }
    let itself = FileIdentity(path)
    let hashed = known.compactMap { photo in photo.signature.hash.map { (photo, $0) } }
    matches = HashSearch(hashed.map(\.1)).near(hash).compactMap { place in
      let (photo, other) = hashed[place]
      // However it is named.
      guard FileIdentity(photo.path) != itself else { return nil }
      return Match(
        path: photo.path, width: photo.signature.size.width, height: photo.signature.size.height,
        distance: hash.distance(to: other))
    }.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }
  }

  func print(json: Bool) throws {
    guard !json else { return try Output.json(matches) }
    for match in matches {
      Output.entry("\("\(match.distance)".padded(to: 3))  \(match.path)  \(match.width)×\(match.height)")
    }
    if matches.isEmpty { Output.line("No photo looks like it.") }
  }
}
