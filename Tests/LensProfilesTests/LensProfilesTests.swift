import CLensfunModifier
import FilterGraph
import Filters
import FrameCore
import TestSupport
import Testing

@testable import LensProfiles

@Suite(
  "Lensfun's profiles",
  .enabled(if: clensfun_modifier_is_there(), "liblensfun1 or liblensfun-data-v1 is missing"))
struct LensProfilesTests {
  struct Photo: CustomStringConvertible, Sendable {
    var make, camera, lens: String
    var focalLength: Double
    var size = PixelSize(width: 6000, height: 4000)
    /// As numbered in lensfun.h: poly3, poly5, PTLens.
    var model: Int
    var description: String { "\(lens) on \(camera) at \(focalLength) mm" }

    var facts: LensFacts {
      var facts = LensFacts(size: size)
      (facts.make, facts.camera, facts.lens, facts.focalLength) = (make, camera, lens, focalLength)
      facts.fNumber = 4
      return facts
    }
  }

  static let photos = [
    Photo(
      make: "Canon", camera: "Canon EOS 5D Mark III", lens: "EF24-105mm f/4L IS USM", focalLength: 24,
      model: 3),
    Photo(
      make: "Canon", camera: "Canon EOS 5D Mark III", lens: "EF24-105mm f/4L IS USM", focalLength: 41,
      model: 3),
    // A lens for film on a smaller sensor, and another shape of picture than it was measured on.
    Photo(
      make: "Canon", camera: "Canon EOS 7D", lens: "EF24-105mm f/4L IS USM", focalLength: 24,
      size: PixelSize(width: 5184, height: 2912), model: 3),
    Photo(
      make: "Canon", camera: "Canon EOS 5D Mark III", lens: "EF24-105mm f/4L IS USM", focalLength: 105,
      size: PixelSize(width: 900, height: 1200), model: 3),
    Photo(
      make: "SONY", camera: "ILCE-7M3", lens: "FE 24-70mm F2.8 GM", focalLength: 24, model: 3),
    Photo(
      make: "Olympus Imaging Corp.", camera: "E-M5", lens: "OLYMPUS M.12-40mm F2.8", focalLength: 12,
      size: PixelSize(width: 4608, height: 3456), model: 3),
    Photo(
      make: "NIKON CORPORATION", camera: "NIKON D7000", lens: "18-105mm f/3.5-5.6", focalLength: 18, model: 3),
  ]

  private func found(_ photo: Photo) throws -> LensMatch {
    switch try LensDatabase.installed.match(photo.facts) {
    case .found(let match): return match
    case .unknown(let why): throw SafelightError(.unsupported, why)
    }
  }

  private func geometry(_ profile: LensProfile, _ size: PixelSize) throws -> Geometry {
    let plan = try Plan(Recipe(filters: [Lens(profile)]), input: PlanInput(size: size), output: PlanOutput())
    return try #require(plan.geometry)
  }

  /// Returns the largest distance between places as Lensfun's modifier has them and as the plan does.
  private func difference(_ photo: Photo, _ profile: LensProfile) throws -> (largest: Double, moved: Double) {
    let geometry = try geometry(profile, photo.size)
    let (w, h) = (Double(photo.size.width), Double(photo.size.height))
    let zoom = 1 / geometry.map.a
    // Places of the corrected picture as Lensfun scales it: it is not enlarged.
    var asked: [SIMD2<Double>] = []
    for row in 0...10 {
      for column in 0...10 {
        asked.append(SIMD2(Double(column) / 10 * (w - 1), Double(row) / 10 * (h - 1)))
      }
    }
    var places = asked.flatMap { [Float($0.x), Float($0.y)] }
    let isDone = clensfun_modifier_places(
      photo.make, photo.camera, photo.lens, Float(photo.focalLength), Int32(photo.size.width),
      Int32(photo.size.height), &places, Int32(asked.count))
    try #require(isDone)
    var (largest, moved) = (0.0, 0.0)
    for (index, place) in asked.enumerated() {
      let read = SIMD2(Double(places[2 * index]), Double(places[2 * index + 1]))
      moved = max(moved, (read - place).squaredLength.squareRoot())
      // Beyond what the corrected picture shows, profiles go on as straight lines.
      let (x, y) = (w / 2 + zoom * (place.x + 0.5 - w / 2), h / 2 + zoom * (place.y + 0.5 - h / 2))
      guard (0...w).contains(x), (0...h).contains(y) else { continue }
      let found = geometry.place(x, y)
      largest = max(largest, (SIMD2(found.x - 0.5, found.y - 0.5) - read).squaredLength.squareRoot())
    }
    return (largest, moved)
  }

  @Test("Places are those of Lensfun's own modifier", arguments: photos)
  func places(photo: Photo) throws {
    var (crop, lensCrop): (Float, Float) = (0, 0)
    let model = clensfun_modifier_model(
      photo.make, photo.camera, photo.lens, Float(photo.focalLength), &crop, &lensCrop)
    try #require(Int(model) == photo.model, "another version of the profiles")
    let (largest, moved) = try difference(photo, found(photo).profile)
    // Lensfun computes in single precision: an ulp at 6000 pixels is 0.0005.
    #expect(largest < 0.01, "\(largest) px of \(moved)")
    #expect(moved > 3, "\(moved)")
  }

  @Test("Places of the model poly3 too, of any lens that has it", arguments: [1])
  func models(model: Int) throws {
    let database = try LensDatabase.installed
    let camera = try #require(database.camera(maker: "Canon", model: "Canon EOS 5D Mark III"))
    var count = 0
    for lens in database.lenses(nil, on: camera) where count < 5 {
      let focal = lens.focalLengths.lowerBound
      var (crop, lensCrop): (Float, Float) = (0, 0)
      let found = clensfun_modifier_model(
        "Canon", "Canon EOS 5D Mark III", lens.model, Float(focal), &crop, &lensCrop)
      let calibration = database.calibration(of: lens, focalLength: focal, aperture: nil, distance: 1000)
      // The modifier takes the first of a name.
      guard Int(found) == model, lens.crop == Double(lensCrop),
        database.lenses(lens.model, on: camera).first == lens, calibration.distortion != .unknown
      else { continue }
      let photo = Photo(
        make: "Canon", camera: "Canon EOS 5D Mark III", lens: lens.model, focalLength: focal, model: model)
      let profile = calibration.profile(for: lens, crop: camera.crop, size: photo.size)
      guard !profile.isStraight, profile.fits(photo.size) else { continue }
      let (largest, _) = try difference(photo, profile)
      #expect(largest < 0.01, "\(photo): \(largest) px")
      count += 1
    }
    #expect(count > 0)
  }

  @Test("Numbers of poly5 are those of its formula, r·(1 + k₁r² + k₂r⁴) in halves of the short edge")
  func poly5() throws {
    let database = try LensDatabase.installed
    let lens = try #require(database.lenses("EF24-105mm f/4L IS USM", on: nil).first)
    let size = PixelSize(width: 6001, height: 4001)
    let profile = LensCalibration(.poly5(k1: -0.03, k2: 0.004)).profile(
      for: lens, crop: lens.crop, size: size)
    // Lensfun's edges are the centres of the outermost pixels: 2000 of them are half the short edge.
    let unit = (6001.0 * 6001 + 4001.0 * 4001).squareRoot() / 2
    for r in [0.2, 0.7, 1, 1.5] {
      let own = r * 2000 / unit
      let factor = profile.distortion.reversed().reduce(0) { $0 * own + $1 }
      #expect(abs(factor - (1 - 0.03 * r * r + 0.004 * r * r * r * r)) < 1e-6)
    }
  }

  @Test("Light is brightened as by Lensfun's own modifier", arguments: [photos[0], photos[1], photos[3]])
  func light(photo: Photo) throws {
    let profile = try found(photo).profile
    try #require(profile.vignetting != .zero)
    let (w, h) = (photo.size.width, photo.size.height)
    let unit = (Double(w * w + h * h)).squareRoot() / 2
    for (x, y) in [(w / 2, h / 2), (w / 4, h / 3), (0, 0), (w - 1, 0), (w - 1, h - 1), (10, h / 2)] {
      let expected = Double(
        clensfun_modifier_gain(
          photo.make, photo.camera, photo.lens, Float(photo.focalLength), 4, 1000, Int32(w), Int32(h),
          Int32(x),
          Int32(y)))
      let place = SIMD2(Double(x) + 0.5 - Double(w) / 2, Double(y) + 0.5 - Double(h) / 2) / unit
      let gain = profile.gain(at: place.squaredLength.squareRoot())
      #expect(abs(gain - max(1, expected)) < 1e-3 * expected, "\(x), \(y): \(gain), \(expected)")
    }
    #expect(profile.gain(at: 1) > 1.05)
  }

  @Test("A photo's lens is found by the names in EXIF, with the reason")
  func matches() throws {
    let canon = try found(Self.photos[0])
    #expect(canon.name == "Canon EF 24-105mm f/4L IS USM, 24 mm, f/4")
    #expect(canon.camera == "Canon EOS 5D Mark III")
    #expect(canon.reason == "“EF24-105mm f/4L IS USM” on a Canon EOS 5D Mark III")
    #expect(canon.extent == "distortion and vignetting")
    // A camera whose lens cannot be changed need not name it.
    var compact = LensFacts(size: PixelSize(width: 5472, height: 3648))
    (compact.make, compact.camera, compact.focalLength) = ("Canon", "Canon PowerShot G7 X", 8.8)
    guard case .found(let fixed) = try LensDatabase.installed.match(compact) else {
      Issue.record("not found")
      return
    }
    #expect(fixed.reason.hasPrefix("the only lens of the Canon PowerShot G7 X"))
    #expect(fixed.extent.hasPrefix("distortion; the aperture is not known"))
  }

  @Test("What cannot be known is not guessed, and the reason names what is near")
  func unknown() throws {
    func reason(_ change: (inout LensFacts) -> Void) throws -> String {
      var facts = Self.photos[0].facts
      change(&facts)
      guard case .unknown(let why) = try LensDatabase.installed.match(facts) else { return "found" }
      return why
    }
    #expect(try reason { $0.make = nil } == "the photo does not name its camera")
    #expect(try reason { $0.camera = "Zero" }.hasPrefix("Lensfun does not know the camera Canon Zero"))
    #expect(try reason { $0.lens = nil } == "the photo does not name its lens")
    #expect(try reason { $0.lens = "----" } == "the photo does not name its lens")
    #expect(
      try reason { ($0.lens, $0.focalLength) = ("50mm", 50) }.hasPrefix(
        "“50mm” is the name of several lenses: "))
    let near = try reason { $0.lens = "EF24-105mm f/4L IS USM Mark 9" }
    #expect(
      near.hasPrefix(
        "Lensfun does not know the lens “EF24-105mm f/4L IS USM Mark 9” on a Canon EOS 5D Mark III; near it are Canon EF 24-105mm f/4L IS USM"
      ), "\(near)")
    #expect(
      try reason { $0.focalLength = nil }
        == "the photo does not say at which focal length the Canon EF 24-105mm f/4L IS USM was")
    // No lens of the name was at 300 mm.
    #expect(try reason { $0.focalLength = 300 }.hasPrefix("Lensfun does not know the lens"))
  }

  @Test(
    "A lens is taken by name, in any case and in part if that is enough; unknown ones are told with near ones"
  )
  func names() throws {
    let database = try LensDatabase.installed
    let facts = Self.photos[0].facts
    let exact = try database.match(named: "canon ef 24-105mm f/4l is usm", facts)
    #expect(exact.profile == (try found(Self.photos[0]).profile))
    #expect(exact.reason == "as named, on a Canon EOS 5D Mark III")
    var bare = LensFacts(size: facts.size)
    #expect(throws: SafelightError.self) { try database.match(named: "Canon EF 24-105mm f/4L IS USM", bare) }
    bare.focalLength = 24
    let unknownCamera = try database.match(named: "Canon EF 24-105mm f/4L IS USM", bare)
    #expect(
      unknownCamera.reason.hasSuffix("on the sensor that it was measured on, as the camera is not known"))
    bare.focalLengthIn35mmFilm = 38.4
    #expect(
      try database.match(named: "Canon EF 24-105mm f/4L IS USM", bare).reason.contains("crop factor 1.60"))
    do {
      _ = try database.match(named: "Canon EF 24-105mm f/4L IS USB", facts)
      Issue.record("found")
    } catch {
      #expect("\(error)".contains("Unknown lens “Canon EF 24-105mm f/4L IS USB”"), "\(error)")
      #expect("\(error)".contains("such as “Canon EF 24-105mm f/4L IS USM”"), "\(error)")
    }
    #expect(throws: SafelightError.self) { try database.match(named: "qwertz", facts) }
    var long = facts
    long.focalLength = 300
    #expect(throws: SafelightError.self) { try database.match(named: "Canon EF 24-105mm f/4L IS USM", long) }
  }

  @Test("All profiles of the database can be used, but for a few that fold pictures")
  func all() throws {
    let database = try LensDatabase.installed
    let size = PixelSize(width: 6000, height: 4000)
    var (count, folded): (Int, [String]) = (0, [])
    for lens in database.models {
      for focal in [lens.focalLengths.lowerBound, lens.focalLengths.upperBound] where focal > 0 {
        let calibration = database.calibration(of: lens, focalLength: focal, aperture: 4, distance: 1000)
        count += 1
        if !calibration.profile(for: lens, crop: lens.crop, size: size).fits(size) {
          folded.append("\(lens.name) \(focal)")
        }
      }
    }
    #expect(count > 1000)
    #expect(folded.count < count / 100, "\(folded)")
  }
}

extension SIMD2<Double> {
  fileprivate var squaredLength: Double { (self * self).sum() }
}
