import Files
import FrameCore
import Libc
import MovieIO

/// How a photo and its movie belong together.
public enum LivePhotoForm: String, Sendable, Hashable, Codable {
  /// One file: the movie is at the end of the JPEG (Motion Photo 1.0).
  case motionPhoto
  /// A JPEG and a .mov with one identifier (Apple's Live Photos).
  case applePair
}

/// What became of the movie of a photo.
public struct LivePhoto: JSONReport {
  /// The path of the photo.
  public var path: String
  /// The path of the movie, if it is a file of its own.
  public var movie: String?
  /// What ties both files together, if there are two.
  public var identifier: String?
  /// The moment of the photo in microseconds from the start of the movie; nil if the movie does not show it.
  @OrNull public var presentationMicroseconds: Int64?
  /// The length of the movie.
  public var seconds: Double
  public var hasSound: Bool
  /// The bytes of the photo's file as it is now.
  public var bytes: Int
  /// The bytes of the movie.
  public var movieBytes: Int
  public var warnings: [String] = []
}

/// Gives a photo that is already a file its movie.
///
/// The photo is replaced whole or not at all, and only if it is still what was written: a crash, or a
/// failure, leaves the photo as it was.
struct LivePhotoFiles {
  let path: String
  /// Of the photo as it was written.
  let fingerprint: FileFingerprint

  /// How many names for a movie may be taken.
  private static let mostAttempts = 10_000

  /// - Throws: `SafelightError`; the photo is then as it was.
  func add(_ cut: LivePhotoCut, _ form: LivePhotoForm) throws -> LivePhoto {
    guard let version = FileVersion(path) else { throw changed }
    let photo = try FileContents.readRegular(path)
    guard try FileFingerprint(of: photo) == fingerprint else { throw changed }
    var report = LivePhoto(
      path: path, presentationMicroseconds: cut.presentation, seconds: cut.seconds,
      hasSound: !cut.sound.isEmpty,
      bytes: 0, movieBytes: 0)
    switch form {
    case .motionPhoto:
      let movie = try cut.movie(in: .mp4)
      report.movieBytes = movie.count
      let whole = try MotionPhoto.append(movie: movie, to: photo, presentation: cut.presentation)
      report.bytes = whole.count
      report.warnings = try replace(version, by: whole)
    case .applePair:
      let identifier = LivePhotoPair.makeIdentifier()
      let movie = try cut.movie(in: .mov, identifier: identifier)
      let tagged = try LivePhotoPair.tagged(jpeg: photo, identifier: identifier)
      let place = try writeBeside(movie)
      do {
        report.warnings = try replace(version, by: tagged)
      } catch {
        // A movie without its photo belongs to nothing.
        unlink(place)
        throw error
      }
      (report.movie, report.identifier) = (place, identifier)
      (report.bytes, report.movieBytes) = (tagged.count, movie.count)
    }
    return report
  }

  private var changed: SafelightError {
    SafelightError(
      .file, "another program has changed or moved the photo in the meantime",
      remedy: "leave photos alone until their movie is there")
  }

  /// - Returns: what could not be kept of the file, one sentence each.
  private func replace(_ version: FileVersion, by bytes: [UInt8]) throws -> [String] {
    let file = try OutputFile(path: path, overwrite: true, followsLinks: false)
    file.replaced = version
    try file.write(bytes)
    try file.commit()
    return file.warnings
  }

  /// Writes the movie as `NAME.mov` beside the photo `NAME.jpg`, with a number if that name is taken.
  private func writeBeside(_ movie: [UInt8]) throws -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let stem = path[..<(path[name...].lastIndex(of: ".") ?? path.endIndex)]
    for attempt in 1...Self.mostAttempts {
      let place = attempt == 1 ? "\(stem).mov" : "\(stem)-\(attempt).mov"
      do {
        let file = try OutputFile(path: place, followsLinks: false)
        try file.write(movie)
        try file.commit()
        return place
      } catch let error as SafelightError where error.code == .exists {
        continue
      }
    }
    throw SafelightError(
      .exists, "all names like \(stem).mov are taken", remedy: "give another folder")
  }
}
