import CLensfun
import FilterGraph
import FrameCore
import Synchronization

/// Lensfun's profiles of cameras and lenses, of versions 0.3 below 0.3.95, whose library is opened on first use.
///
/// Reading all of them takes some 50 ms, once in a process.
public final class LensDatabase: Sendable {
  private struct Handle: @unchecked Sendable { let database: OpaquePointer }

  /// Finding writes scores into the database.
  private let handle: Mutex<Handle>

  private init(_ handle: Handle) { self.handle = Mutex(handle) }

  private static let opened: Result<LensDatabase, SafelightError> = {
    var database: OpaquePointer?
    var status = CLENSFUN_NO_DATA
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CLENSFUN_MESSAGE_BYTES)) {
      text in
      text.initialize(repeating: 0)
      guard let start = text.baseAddress else { return "" }
      status = clensfun_open(&database, start)
      return String(cString: start)
    }
    if status == CLENSFUN_OPEN, let database { return .success(LensDatabase(Handle(database: database))) }
    switch status {
    case CLENSFUN_NO_LIBRARY:
      return .failure(
        SafelightError(
          .missingLibrary, "Lens corrections need Lensfun, which cannot be loaded: \(reason)",
          remedy: "install liblensfun1 and liblensfun-data-v1 (Debian, Ubuntu), or give --lens off"))
    case CLENSFUN_OTHER_VERSION:
      return .failure(
        SafelightError(
          .missingLibrary,
          "Lens corrections need Lensfun 0.3 below 0.3.95, and the one installed is another version",
          remedy: "install liblensfun1 (Debian, Ubuntu), or give --lens off"))
    default:
      return .failure(
        SafelightError(
          .missingLibrary, "Lens corrections need Lensfun's profiles, and there are none",
          remedy: "install liblensfun-data-v1 (Debian, Ubuntu), or give --lens off"))
    }
  }()

  /// The profiles that are installed.
  ///
  /// - Throws: `SafelightError` that names the package which is missing.
  public static var installed: LensDatabase { get throws { try opened.get() } }

  /// A camera of the database.
  struct Camera: Sendable, Hashable {
    var maker, model: String
    var crop: Double
    /// Whether its lens cannot be changed.
    var hasFixedLens: Bool
    fileprivate let pointer: Int

    fileprivate init(_ camera: clensfun_camera) {
      (maker, model) = (String(cString: camera.maker), String(cString: camera.model))
      crop = Double(camera.crop)
      hasFixedLens = String(cString: camera.mount).first?.isLowercase ?? false
      pointer = Int(bitPattern: camera.handle)
    }

    var name: String { LensDatabase.joined(maker, model) }
  }

  /// A lens of the database.
  struct Model: Sendable, Hashable {
    var maker, model: String
    /// In mm.
    var focalLengths: ClosedRange<Double>
    var crop, aspect: Double
    /// In halves of the short edge.
    var center: SIMD2<Double>
    fileprivate let pointer: Int

    fileprivate init(_ lens: clensfun_lens) {
      (maker, model) = (String(cString: lens.maker), String(cString: lens.model))
      let least = Double(lens.least_focal)
      focalLengths = least...max(least, Double(lens.most_focal))
      (crop, aspect) = (Double(lens.crop), Double(lens.aspect))
      center = SIMD2(Double(lens.center_x), Double(lens.center_y))
      pointer = Int(bitPattern: lens.handle)
    }

    var name: String { LensDatabase.joined(maker, model) }
  }

  /// Models mostly begin with their maker's name.
  private static func joined(_ maker: String, _ model: String) -> String {
    model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(maker) \(model)"
  }

  /// Returns a camera by its names as in EXIF.
  func camera(maker: String, model: String) -> Camera? {
    handle.withLock {
      var camera = clensfun_camera()
      return clensfun_find_camera($0.database, maker, model, &camera) ? Camera(camera) : nil
    }
  }

  /// Returns the lenses of a name, the best first, one of each name.
  ///
  /// - Parameters:
  ///   - camera: nil for any.
  ///   - model: nil for all lenses of the camera's mount.
  ///   - isLoose: whether some of the words are enough.
  func lenses(_ model: String?, on camera: Camera?, isLoose: Bool = false) -> [Model] {
    let mount = camera.flatMap { UnsafeRawPointer(bitPattern: $0.pointer) }
    let found = handle.withLock { handle in
      all(clensfun_lens()) { clensfun_lenses(handle.database, mount, nil, model, isLoose, $0, $1) }.map(
        Model.init)
    }
    var names: Set<String> = []
    return found.filter { names.insert($0.name).inserted }
  }

  /// All lenses.
  var models: [Model] {
    handle.withLock { handle in
      all(clensfun_lens()) { clensfun_all_lenses(handle.database, $0, $1) }.map(Model.init)
    }
  }

  /// All cameras.
  var cameras: [Camera] {
    handle.withLock { handle in
      all(clensfun_camera()) { clensfun_all_cameras(handle.database, $0, $1) }.map(Camera.init)
    }
  }

  private func all<Item>(
    _ empty: Item, _ read: (UnsafeMutablePointer<Item>?, Int32) -> Int32
  ) -> [Item] {
    let count = Int(read(nil, 0))
    var items = [Item](repeating: empty, count: count)
    _ = items.withUnsafeMutableBufferPointer { read($0.baseAddress, Int32(count)) }
    return items
  }

  /// What is known of a lens: Lensfun's own interpolation between what was measured.
  ///
  /// - Parameters:
  ///   - focalLength: in mm.
  ///   - aperture: the f-number; nil asks for no vignetting.
  ///   - distance: in m.
  func calibration(
    of lens: Model, focalLength: Double, aperture: Double?, distance: Double
  ) -> LensCalibration {
    guard let pointer = UnsafeRawPointer(bitPattern: lens.pointer) else { return LensCalibration() }
    let found = handle.withLock {
      clensfun_calibrate(
        $0.database, pointer, Float(focalLength), Float(aperture ?? 0), Float(distance))
    }
    return LensCalibration(found)
  }
}

/// What was measured of a lens, in the units and models of Lensfun.
struct LensCalibration: Sendable, Hashable {
  enum Distortion: Sendable, Hashable {
    case unknown
    case poly3(k1: Double)
    case poly5(k1: Double, k2: Double)
    case ptLens(a: Double, b: Double, c: Double)
  }

  var distortion = Distortion.unknown
  /// Of the model “pa”; nil if it is not known.
  var vignetting: SIMD3<Double>?

  init(_ distortion: Distortion = .unknown, vignetting: SIMD3<Double>? = nil) {
    (self.distortion, self.vignetting) = (distortion, vignetting)
  }

  fileprivate init(_ found: clensfun_calibration) {
    let terms = [
      Double(found.distortion_terms.0), Double(found.distortion_terms.1), Double(found.distortion_terms.2),
    ]
    // As numbered in lensfun.h.
    switch found.distortion {
    case 1: distortion = .poly3(k1: terms[0])
    case 2: distortion = .poly5(k1: terms[0], k2: terms[1])
    case 3: distortion = .ptLens(a: terms[0], b: terms[1], c: terms[2])
    default: distortion = .unknown
    }
    guard found.vignetting == 1 else { return }
    vignetting = SIMD3(
      Double(found.vignetting_terms.0), Double(found.vignetting_terms.1), Double(found.vignetting_terms.2))
  }
}

extension LensCalibration {
  /// The profile for a picture.
  ///
  /// Lensfun counts r of distortions in halves of the short edge of the pictures that were measured, and r of vignetting in
  /// halves of their diagonal; a sensor that is smaller by a crop factor sees less of both. Its edges are the centres of
  /// the outermost pixels. Source: Lensfun 0.3.3, `lfModifier::lfModifier` and `libs/lensfun/mod-coord.cpp`.
  ///
  /// - Parameters:
  ///   - crop: of the camera.
  ///   - size: of the picture as stored.
  func profile(for lens: LensDatabase.Model, crop: Double, size: PixelSize) -> LensProfile {
    let (w, h) = (max(Double(size.width) - 1, 1), max(Double(size.height) - 1, 1))
    // Half a diagonal of the picture, in Lensfun's units of both kinds.
    let light =
      (Double(size.width) * Double(size.width) + Double(size.height) * Double(size.height)).squareRoot()
      / (w * w + h * h).squareRoot() * lens.crop / crop
    let r = light * (lens.aspect * lens.aspect + 1).squareRoot()
    var terms: [Double]
    switch distortion {
    case .unknown: terms = [1]
    case .poly3(let k1): terms = [1 - k1, 0, k1 * r * r]
    case .poly5(let k1, let k2): terms = [1, 0, k1 * r * r, 0, k2 * r * r * r * r]
    case .ptLens(let a, let b, let c): terms = [1 - a - b - c, c * r, b * r * r, a * r * r * r]
    }
    // No more digits than mean something: a billionth of half a diagonal.
    terms = terms.map { PlainNumber.rounded($0, 9) }
    let s = light * light
    let v = vignetting ?? .zero
    let halfShort = min(w, h) / (w * w + h * h).squareRoot()
    return LensProfile(
      distortion: terms,
      center: SIMD2(
        PlainNumber.rounded(lens.center.x * halfShort, 9), PlainNumber.rounded(lens.center.y * halfShort, 9)),
      vignetting: SIMD3(
        PlainNumber.rounded(v.x * s, 9), PlainNumber.rounded(v.y * s * s, 9),
        PlainNumber.rounded(v.z * s * s * s, 9)))
  }
}
