import Safelight

/// Encodes a picture as several JPEGs, one below the other, on as many threads: browsers decode them at once, too.
final class StripeEncoder: Sendable {
  struct Stripe: Sendable {
    let y, height: Int
    let bytes: [UInt8]
  }
  /// How much a picture may lose.
  enum Quality: Sendable {
    /// Seen for a moment.
    case moving
    /// Looked at.
    case still
  }

  /// One for each thread.
  private let moving, still: [Monitor<JPEGFrameEncoder>]
  private let team: ThreadTeam

  /// Smaller pictures are not worth a second thread.
  private static let leastPixels = 200_000

  /// - Throws: `SafelightError` if memory is short.
  init(threads: Int = 2) throws {
    moving = try (0..<threads).map { _ in Monitor(try JPEGFrameEncoder(quality: 84)) }
    still = try (0..<threads).map { _ in Monitor(try JPEGFrameEncoder(quality: 93, hasFullChroma: true)) }
    team = ThreadTeam(name: "encode", threads: threads)
  }

  /// - Parameters:
  ///   - picture: `rgba8`, whose alpha is ignored.
  ///   - profile: of its colour space; nil for sRGB.
  ///   - most: stripes.
  /// - Throws: `SafelightError` if memory is short.
  func encode(
    _ picture: PixelBuffer, _ quality: Quality, profile: ICCProfileData? = nil, most: Int = .max
  ) throws -> [Stripe] {
    let lanes = quality == .moving ? moving : still
    let count = picture.size.pixelCount < Self.leastPixels ? 1 : min(lanes.count, most)
    // Whole blocks of 16 rows.
    let rows = ((picture.height + count - 1) / count + 15) / 16 * 16
    let parts = stride(from: 0, to: picture.height, by: rows).map { $0..<min($0 + rows, picture.height) }
    let results = Monitor([Result<Stripe, any Error>?](repeating: nil, count: parts.count))
    team.run(parts.count) { index in
      let result = Result {
        let band = picture.band(rows: parts[index])
        let bytes = try lanes[index].update { try $0.encode(band, profile: profile) { Array($0) } }
        return Stripe(y: parts[index].lowerBound, height: parts[index].count, bytes: bytes)
      }
      results.update { $0[index] = result }
    }
    return try results.read { $0 }.compactMap { try $0?.get() }
  }
}
