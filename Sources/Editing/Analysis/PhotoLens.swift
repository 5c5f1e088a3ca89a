import FilterGraph
import Filters
import FrameCore
import LensProfiles
import PhotoIO

/// What a photo says of its lens, and whether a camera's program may have corrected it already.
struct PhotoLensFacts {
  var facts: LensFacts
  var isCameraRaw: Bool
  /// What the file itself says of the lens.
  var embedded: EmbeddedLens?

  init(_ header: PhotoHeader) {
    self.init(header.metadata, size: header.size, isCameraRaw: header.isCameraRaw)
    embedded = header.embeddedLens
  }

  init(_ sample: PhotoSample) {
    self.init(sample.metadata, size: sample.size, isCameraRaw: sample.isCameraRaw)
    embedded = sample.embeddedLens
  }

  private init(_ metadata: PhotoMetadata, size: PixelSize, isCameraRaw: Bool) {
    let found = metadata.captureFacts
    facts = LensFacts(size: size)
    (facts.make, facts.camera, facts.lens) = (found.make, found.camera, found.lens)
    (facts.focalLength, facts.fNumber) = (found.focalLength, found.fNumber)
    // Files say 65535 and the like, too.
    facts.focalLengthIn35mmFilm = found.focalLengthIn35mmFilm.flatMap { $0 < 2000 ? Double($0) : nil }
    if case .metres(let distance)? = found.subjectDistance { facts.distance = distance }
    self.isCameraRaw = isCameraRaw
  }

  /// The lens as the file describes it, which knows more of it than a database: it was made for this very photo. Nil if it
  /// says nothing.
  var own: LensMatch? {
    guard let embedded else { return nil }
    // Of the picture as stored, whose sides only turn.
    let stored = embedded.pictureSize(facts.size)
    let rest = embedded.rest.isEmpty ? "" : ", but for \(embedded.rest.joined(separator: " and "))"
    return LensMatch(
      lens: facts.lens ?? facts.camera.map { "the lens of the \($0)" } ?? "its lens", camera: facts.camera,
      focalLength: facts.focalLength ?? 0, fNumber: facts.fNumber, reason: "as the file says" + rest,
      profile: embedded.profile(of: stored), isWhole: true)
  }
}

/// The lens of a photo as its file or Lensfun knows it, and the filter that undoes what it did.
public struct PhotoLens: Sendable {
  /// Nil if the lens was not found.
  public let match: LensMatch?
  /// Nil if there is nothing to correct.
  public let filter: Lens?
  /// One line for users.
  public let summary: String

  /// - Parameters:
  ///   - choice: nil corrects raws, if their lens is known and Lensfun is there; other photos have mostly been corrected by
  ///     their cameras.
  /// - Returns: nil if nothing is to be corrected.
  /// - Throws: `SafelightError` if a lens that is named is unknown, or if Lensfun is missing and was asked for.
  init?(_ photo: PhotoLensFacts, _ choice: LensChoice?) throws {
    let answer: LensAnswer
    switch choice {
    case .off: return nil
    case .named(let name): answer = .found(try LensDatabase.installed.match(named: name, photo.facts))
    case .automatic: answer = try photo.own.map(LensAnswer.found) ?? LensDatabase.installed.match(photo.facts)
    case nil:
      guard photo.isCameraRaw else { return nil }
      do {
        answer = try photo.own.map(LensAnswer.found) ?? LensDatabase.installed.match(photo.facts)
      } catch let error as SafelightError {
        (match, filter, summary) = (nil, nil, "no lens correction: \(error.description)")
        return
      }
    }
    switch answer {
    case .unknown(let why):
      (match, filter, summary) = (nil, nil, "no lens correction: \(why)")
    case .found(let match):
      self.match = match
      let told = "lens: \(match.name) (\(match.reason)): "
      guard match.profile.fits(photo.facts.size) else {
        (filter, summary) = (nil, told + "not corrected, because its profile folds the picture")
        return
      }
      let corrects = !match.profile.isStraight || match.profile.vignetting != .zero
      (filter, summary) = (corrects ? Lens(match.profile, name: match.name) : nil, told + match.extent)
    }
  }
}
