import FilterGraph
import FrameCore

/// Undoes what a lens did: lines that belong straight become straight, and light that falls off is evened out.
///
/// It holds a profile as numbers, not only as a name: a recipe gives the same picture on machines without the database
/// that the profile came from, and with later ones. `LensProfile` has the formulas, in halves of the picture's diagonal,
/// so that they hold at every size. The result has the picture's size, and no corner is empty. Light is evened out in
/// linear light, where the lens recorded it. Lateral chromatic aberration stays.
public struct Lens: Filter {
  public static let id: FilterID = "lens"
  public static let phase = FilterPhase.lens
  public static let summary = "Undoes a lens's distortion and the light that it loses in the corners"
  public static let parameters = [
    Parameter(
      \Lens.name, "name", title: "Lens", neutral: LensName(""), flag: "lens-name",
      "What the numbers are of, for people: the lens, its focal length and aperture"),
    Parameter(
      \Lens.distortion, "distortion", title: "Distortion", neutral: Distortion.none, flag: "lens-distortion",
      "How far from its centre the lens recorded places: their distance times K0+K1·r+K2·r²+…"),
    Parameter(
      \Lens.center, "center", title: "Centre", neutral: Center(.zero), flag: "lens-center",
      "Centre of the lens beside that of the picture, in halves of its diagonal"),
    Parameter(
      \Lens.vignetting, "vignetting", title: "Vignetting", neutral: Vignetting.none, flag: "lens-vignetting",
      "How much light the lens recorded: 1+V1·r²+V2·r⁴+V3·r⁶ of it"),
  ]

  /// A line of text with letters or numbers; empty for none.
  public struct LensName: ParameterText {
    public static let syntax = "TEXT"
    public var parameterText: String
    public init(_ text: String) { parameterText = text }
    public init(parameterText text: String) throws {
      guard text.isEmpty || text.contains(where: { $0.isLetter || $0.isNumber }) else {
        throw SafelightError(
          .invalidValue, "lens-name is “\(NearestName.shortened(text))”, which names no lens",
          remedy: "write letters or numbers, or leave it out")
      }
      parameterText = text
    }
  }

  /// k₀…k₄ of `LensProfile`; those that are 0 at the end may be left out.
  public enum Distortion: ParameterText {
    case none
    case terms([Double])

    public static let syntax = "none|K0,K1,…,K4"

    public init(parameterText text: String) throws {
      guard text != "none" else {
        self = .none
        return
      }
      let terms = try Lens.numbers(
        text, of: "lens-distortion", count: 1...LensProfile.termCount, example: "1.02,0,-0.03")
      guard terms[0] > 0 else {
        throw SafelightError(
          .invalidValue,
          "lens-distortion begins with \(PlainNumber.text(terms[0])), which is not above 0",
          remedy: "write none, or numbers such as 1.02,0,-0.03")
      }
      self = .terms(terms)
    }

    public var parameterText: String {
      switch self {
      case .none: "none"
      case .terms(let terms): terms.map(PlainNumber.text).joined(separator: ",")
      }
    }
  }

  /// To the right and downwards, in halves of the diagonal of the picture as stored.
  public struct Center: ParameterText {
    public static let syntax = "X,Y"
    static let range = -0.5...0.5
    public var place: SIMD2<Double>

    public init(_ place: SIMD2<Double>) { self.place = place }

    public init(parameterText text: String) throws {
      let numbers = try Lens.numbers(text, of: "lens-center", count: 2...2, example: "0,0.01")
      guard numbers.allSatisfy(Self.range.contains) else {
        throw SafelightError(
          .invalidValue,
          "lens-center is \(NearestName.shortened(text)), further than 0.5 from the picture's centre",
          remedy: "write two numbers in -0.5…0.5, such as 0,0.01")
      }
      place = SIMD2(numbers[0], numbers[1])
    }

    public var parameterText: String { "\(PlainNumber.text(place.x)),\(PlainNumber.text(place.y))" }
  }

  /// v₁…v₃ of `LensProfile`.
  public enum Vignetting: ParameterText {
    case none
    case terms(SIMD3<Double>)

    public static let syntax = "none|V1,V2,V3"

    public init(parameterText text: String) throws {
      guard text != "none" else {
        self = .none
        return
      }
      let terms = try Lens.numbers(text, of: "lens-vignetting", count: 3...3, example: "-0.4,0.1,0")
      self = .terms(SIMD3(terms[0], terms[1], terms[2]))
    }

    public var parameterText: String {
      switch self {
      case .none: "none"
      case .terms(let v): [v.x, v.y, v.z].map(PlainNumber.text).joined(separator: ",")
      }
    }
  }

  public var name: LensName
  public var distortion: Distortion
  public var center: Center
  public var vignetting: Vignetting

  public init() { self.init(LensProfile()) }

  /// - Parameter name: what the profile is of, for people.
  public init(_ profile: LensProfile, name: String = "") {
    self.name = LensName(name)
    var terms = profile.distortion
    while terms.count > 1, terms.last == 0 { terms.removeLast() }
    distortion = profile.isStraight ? .none : .terms(terms)
    center = Center(profile.center)
    vignetting = profile.vignetting == .zero ? .none : .terms(profile.vignetting)
  }

  /// The numbers.
  public var profile: LensProfile {
    var profile = LensProfile(center: center.place)
    if case .terms(let terms) = distortion { profile = LensProfile(distortion: terms, center: center.place) }
    if case .terms(let terms) = vignetting { profile.vignetting = terms }
    return profile
  }

  public func lower(into plan: inout PlanBuilder) throws {
    let profile = profile
    guard !profile.isStraight || profile.vignetting != .zero else { return }
    try plan.lens(profile)
  }

  /// Reads numbers between commas.
  private static func numbers(
    _ text: String, of what: String, count: ClosedRange<Int>, example: String
  ) throws -> [Double] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingPrefix(" ")).flatMap { $0.isFinite && abs($0) <= 1000 ? $0 : nil }
    }
    guard count.contains(numbers.count), !numbers.contains(where: { $0 == nil }) else {
      let amount =
        count.lowerBound == count.upperBound
        ? "\(count.upperBound)" : "\(count.lowerBound)…\(count.upperBound)"
      throw SafelightError(
        .invalidValue, "\(what) is “\(NearestName.shortened(text))”, which is not \(amount) numbers",
        remedy: "write them like \(example)")
    }
    return numbers.compactMap { $0 }
  }
}
