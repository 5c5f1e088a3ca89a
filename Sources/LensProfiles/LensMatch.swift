import FilterGraph
import FrameCore

/// What a photo says of the lens that took it, as in EXIF.
public struct LensFacts: Sendable, Hashable {
  /// The camera's maker and model.
  public var make, camera: String?
  /// The lens's model.
  public var lens: String?
  /// In mm.
  public var focalLength: Double?
  /// In mm, for the same angle of view on 35 mm film.
  public var focalLengthIn35mmFilm: Double?
  public var fNumber: Double?
  /// The distance in focus, in m; nil counts as far away.
  public var distance: Double?
  /// The size of the picture as stored.
  public var size: PixelSize

  public init(size: PixelSize) { self.size = size }
}

/// A lens that was found in Lensfun's database, and its profile for a photo.
public struct LensMatch: Sendable, Hashable {
  /// The name of the lens, and of the camera if it is known, as in the database.
  public var lens: String
  public var camera: String?
  /// In mm; 0 if it is not known.
  public var focalLength: Double
  /// The f-number; nil if the photo has none, and so no correction of light.
  public var fNumber: Double?
  /// Why it was taken for the photo's lens.
  public var reason: String
  public var profile: LensProfile
  /// Whether there is nothing to correct but what the profile has, as the photo's own file tells it.
  public var isWhole: Bool

  package init(
    lens: String, camera: String?, focalLength: Double, fNumber: Double?, reason: String,
    profile: LensProfile,
    isWhole: Bool = false
  ) {
    (self.lens, self.camera, self.focalLength) = (lens, camera, focalLength)
    (self.fNumber, self.reason, self.profile, self.isWhole) = (fNumber, reason, profile, isWhole)
  }

  /// The lens, focal length and aperture: `Canon EF 24-105mm f/4L IS USM, 24 mm, f/4`.
  public var name: String {
    lens + (focalLength > 0 ? ", \(PlainNumber.text(PlainNumber.rounded(focalLength, 1))) mm" : "")
      + (fNumber.map { ", f/\(PlainNumber.text(PlainNumber.rounded($0, 1)))" } ?? "")
  }

  /// What is corrected and what is not, as the end of a sentence.
  public var extent: String {
    switch (profile.isStraight, profile.vignetting == .zero) {
    case (false, false): return "distortion and vignetting"
    case (false, true) where isWhole: return "distortion"
    case (true, false) where isWhole: return "vignetting"
    case (true, true) where isWhole: return "nothing, since it needs no correction"
    case (false, true):
      return fNumber == nil ? "distortion; the aperture is not known" : "distortion; vignetting is not known"
    case (true, false): return "vignetting; distortion is not known"
    case (true, true): return "nothing: neither distortion nor vignetting is known"
    }
  }
}

/// Whether a photo's lens was found.
public enum LensAnswer: Sendable, Hashable {
  case found(LensMatch)
  /// Why not, as a sentence without its full stop, with names that are near.
  case unknown(String)
}

extension LensDatabase {
  /// Infinity for what depends on distances, as Lensfun's documentation advises.
  private static let farAway = 1000.0
  /// How many near names are told.
  private static let nearCount = 3

  /// Finds the lens of a photo by what it says itself: the camera by its name, and of the lenses that fit it the one of the
  /// name, or the only one if it cannot be changed. Nothing is guessed: without a name, or where several lenses have it,
  /// none is found.
  public func match(_ facts: LensFacts) -> LensAnswer {
    guard let make = facts.make, let model = facts.camera else {
      return .unknown("the photo does not name its camera")
    }
    guard let camera = self.camera(maker: make, model: model) else {
      let near = NearestName.match(model, among: cameras.map(\.model)).map { "; near it is \($0)" } ?? ""
      return .unknown("Lensfun does not know the camera \(make) \(NearestName.shortened(model))\(near)")
    }
    guard let name = facts.lens.flatMap(Self.usable) else {
      guard camera.hasFixedLens else { return .unknown("the photo does not name its lens") }
      let fixed = lenses(nil, on: camera).filter { abs($0.crop / camera.crop - 1) < 0.05 }
      guard fixed.count == 1, let lens = fixed.first else {
        return .unknown("Lensfun does not know the lens of the \(camera.name)")
      }
      return answer(lens, camera, facts, because: "the only lens of the \(camera.name)")
    }
    let candidates = lenses(name, on: camera).filter { facts.focalLength.map($0.reaches) ?? true }
    guard let best = candidates.first else {
      let near = lenses(name, on: camera, isLoose: true).prefix(Self.nearCount).map(\.name)
      return .unknown(
        "Lensfun does not know the lens “\(NearestName.shortened(name))” on a \(camera.name)"
          + (near.isEmpty ? "" : "; near it are \(near.joined(separator: ", "))"))
    }
    guard candidates.count == 1 || Self.namesAperture(name) else {
      let names = candidates.prefix(Self.nearCount).map(\.name).joined(separator: ", ")
      return .unknown("“\(NearestName.shortened(name))” is the name of several lenses: \(names)")
    }
    return answer(best, camera, facts, because: "“\(name)” on a \(camera.name)")
  }

  /// Finds a lens by a name that a person gave, for a photo.
  ///
  /// - Throws: `SafelightError` that names near lenses if there is none of the name, or says which fact the photo lacks.
  public func match(named name: String, _ facts: LensFacts) throws -> LensMatch {
    let known = models
    let exact = known.filter {
      $0.name.lowercased() == name.lowercased() || $0.model.lowercased() == name.lowercased()
    }
    let camera = facts.make.flatMap { make in facts.camera.flatMap { self.camera(maker: make, model: $0) } }
    // The same lens may have been measured on several sensors; the best is not smaller than the photo's.
    func fits(_ lens: Model) -> Bool { camera.map { lens.crop <= $0.crop * 1.05 } ?? true }
    let strict = exact.isEmpty ? lenses(name, on: nil) : exact
    guard let lens = strict.filter(fits).max(by: { $0.crop < $1.crop && $0.name == $1.name }) ?? strict.first,
      !exact.isEmpty || Set(strict.map(\.name)).count == 1
    else {
      throw Self.unknown(name, among: strict.isEmpty ? lenses(name, on: nil, isLoose: true) : strict, known)
    }
    guard let focal = facts.focalLength ?? lens.onlyFocalLength else {
      throw SafelightError(
        .unsupported, "The photo does not say at which focal length the \(lens.name) was",
        remedy: "give --lens-distortion and --lens-vignetting, or --lens off")
    }
    guard lens.reaches(focal) else {
      throw SafelightError(
        .invalidValue,
        "The photo was taken at \(PlainNumber.text(focal)) mm, which the \(lens.name) does not reach",
        remedy: "name another lens, or give --lens auto")
    }
    var reason = "as named"
    var crop = lens.crop
    if let camera {
      crop = camera.crop
      reason += ", on a \(camera.name)"
    } else if let film = facts.focalLengthIn35mmFilm, let own = facts.focalLength, film >= own * 0.5 {
      crop = film / own
      reason += ", on a sensor of crop factor \(PlainNumber.fixed(crop, 2)) as the photo's focal lengths say"
    } else {
      reason += ", on the sensor that it was measured on, as the camera is not known"
    }
    return match(lens, focal, crop: crop, camera?.name, facts, because: reason)
  }

  private static func unknown(_ name: String, among near: [Model], _ all: [Model]) -> SafelightError {
    var names = near.prefix(nearCount).map(\.name)
    if let closest = NearestName.match(name, among: all.map(\.name)), !names.contains(closest) {
      names.insert(closest, at: 0)
    }
    return SafelightError(
      .invalidValue, "Unknown lens “\(NearestName.shortened(name))”",
      remedy: names.isEmpty
        ? "give a name of Lensfun's database, such as “Canon EF 50mm f/1.8 STM”, or --lens off"
        : "name one that it knows, such as \(names.map { "“\($0)”" }.joined(separator: ", "))")
  }

  private func answer(
    _ lens: Model, _ camera: Camera, _ facts: LensFacts, because reason: String
  ) -> LensAnswer {
    guard let focal = facts.focalLength ?? lens.onlyFocalLength else {
      return .unknown("the photo does not say at which focal length the \(lens.name) was")
    }
    guard lens.reaches(focal) else {
      return .unknown(
        "the photo was taken at \(PlainNumber.text(focal)) mm, which the \(lens.name) does not reach")
    }
    return .found(match(lens, focal, crop: camera.crop, camera.name, facts, because: reason))
  }

  private func match(
    _ lens: Model, _ focal: Double, crop: Double, _ camera: String?, _ facts: LensFacts,
    because reason: String
  ) -> LensMatch {
    let calibration = calibration(
      of: lens, focalLength: focal, aperture: facts.fNumber, distance: facts.distance ?? Self.farAway)
    return LensMatch(
      lens: lens.name, camera: camera, focalLength: focal, fNumber: facts.fNumber, reason: reason,
      profile: calibration.profile(for: lens, crop: crop, size: facts.size))
  }

  /// Lenses that tell the camera nothing about themselves are dashes or zeros.
  private static func usable(_ name: String) -> String? {
    let trimmed = String(name.drop { $0 == " " })
    return trimmed.contains { $0.isLetter } || trimmed.contains { $0.isNumber && $0 != "0" } ? trimmed : nil
  }

  /// Whether the name of a lens tells its aperture, as all do but for the shortest ones: `f/4`, `F2.8`, `1:1.8`.
  private static func namesAperture(_ name: String) -> Bool {
    let characters = Array(name.lowercased())
    return characters.indices.dropFirst().contains { index in
      guard characters[index].isNumber else { return false }
      let before = characters[index - 1]
      return before == "f" || before == ":" || (before == "/" && index > 1 && characters[index - 2] == "f")
    }
  }
}

extension LensDatabase.Model {
  /// The focal length, if it is only one.
  fileprivate var onlyFocalLength: Double? {
    focalLengths.lowerBound == focalLengths.upperBound && focalLengths.lowerBound > 0
      ? focalLengths.lowerBound : nil
  }

  /// Whether it has a focal length, or nearly: cameras round.
  fileprivate func reaches(_ focal: Double) -> Bool {
    focalLengths.upperBound <= 0
      || (focalLengths.lowerBound * 0.97...focalLengths.upperBound * 1.03).contains(focal)
  }
}
