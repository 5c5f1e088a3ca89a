import FrameCore

/// The exposures of a bracket: photos of one scene that differ in brightness only.
public struct ExposureBracket: Sendable, Hashable {
  /// How many exposures there may be: as many as can be fused.
  public static let counts = 2...9
  /// The exposures that can be asked for, in stops.
  public static let range = -5.0...5.0

  /// In stops (EV) relative to the exposure that the camera has when the bracket begins, in the order in which they
  /// are taken.
  public let stops: [Double]
  /// How long, in seconds, the brightness may take to settle after an exposure was set. The frame that is there then
  /// is taken all the same, and `BracketedExposure.brightness` says so.
  public var settlingLimit = 2.0

  /// - Throws: `SafelightError` if there are too few or too many exposures, if one is out of range, or if one is
  ///   there twice.
  public init(_ stops: [Double]) throws {
    guard Self.counts.contains(stops.count) else {
      throw SafelightError(
        .invalidValue, "A bracket of \(stops.count) exposure\(stops.count == 1 ? "" : "s") was asked for",
        remedy: "give \(Self.counts.lowerBound)…\(Self.counts.upperBound) of them, such as -2,0,2")
    }
    for (index, value) in stops.enumerated() {
      guard Self.range.contains(value) else {
        throw SafelightError(
          .invalidValue, "A bracket cannot have an exposure of \(PlainNumber.text(value)) EV",
          remedy:
            "choose \(PlainNumber.text(Self.range.lowerBound))…\(PlainNumber.text(Self.range.upperBound)) EV")
      }
      guard !stops[..<index].contains(value) else {
        throw SafelightError(
          .invalidValue, "The exposure of \(PlainNumber.text(value)) EV is twice in the bracket",
          remedy: "give it once")
      }
    }
    self.stops = stops
  }

  /// Reads exposures as the command line takes them: `-2,0,2`, `-2/3,0,2/3`.
  ///
  /// - Throws: `SafelightError`; also as `init(_:)`.
  public init(parsing text: String) throws {
    try self.init(
      text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        guard let value = Self.number(part) else {
          throw SafelightError(
            .invalidValue, "“\(part)” is not an exposure in EV",
            remedy: "give 2…9 numbers separated by commas, such as -2,0,2")
        }
        return value
      })
  }

  /// A finite number, or a fraction such as `-2/3`.
  private static func number(_ text: Substring) -> Double? {
    let terms = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(terms.count) else { return nil }
    let numbers = terms.compactMap { term -> Double? in
      guard term.allSatisfy({ "+-.0123456789".contains($0) }) else { return nil }
      return Double(term)
    }
    guard numbers.count == terms.count else { return nil }
    let value = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    return value.isFinite ? value : nil
  }

  /// `−2 EV`: an exposure in a sentence.
  static func text(_ stops: Double) -> String {
    let rounded = PlainNumber.rounded(stops, 2)
    let sign = rounded < 0 ? "−" : rounded > 0 ? "+" : ""
    return "\(sign)\(PlainNumber.text(abs(rounded))) EV"
  }
}

/// One exposure of a bracket, as it was taken.
public struct BracketedExposure: Sendable, Hashable, Codable {
  /// The control that made the exposure.
  public enum Means: String, Sendable, Hashable, Codable, CaseIterable {
    case exposureTime
    /// Automatic exposure, made brighter or darker.
    case exposureBias
    /// Gain, taken to be proportional in the driver's unit, which no standard says.
    case gain
  }

  /// What the brightness of the frames did after the exposure was set.
  public enum Brightness: String, Sendable, Hashable, Codable, CaseIterable {
    /// It followed and came to rest.
    case settled
    /// It had not come to rest by the limit.
    case unsettled
    /// It did not follow: the camera ignores the control, or the scene is as dark or as bright as can be.
    case unchanged
    /// It came to rest at 0 EV, but not where it was when the bracket began: the camera does not tell the exposure
    /// time that it has found automatically.
    case unlikeBefore
  }

  /// What was asked for, in stops.
  public let askedStops: Double
  /// The nearest that the camera has, in stops.
  public let stops: Double
  public let means: Means
  public let brightness: Brightness
  /// The camera's controls at the time.
  public let values: CameraValues

  init(
    askedStops: Double, stops: Double, means: Means, brightness: Brightness, values: CameraValues
  ) {
    (self.askedStops, self.stops, self.means) = (askedStops, stops, means)
    (self.brightness, self.values) = (brightness, values)
  }

  /// What the exposure may be wrong in; nil if nothing is known to be.
  public var warning: String? {
    let exposure = ExposureBracket.text(askedStops)
    return switch brightness {
    case .settled: nil
    case .unsettled:
      "The brightness at \(exposure) had not come to rest, so that this exposure may be another one"
    case .unchanged: "The brightness at \(exposure) did not follow the camera’s \(means.name)"
    case .unlikeBefore:
      "The picture at \(exposure) is not as bright as before the bracket, since the camera does not tell which "
        + "exposure time it has found; set one first (safelight devices --set exposure=1/60s)"
    }
  }
}

extension BracketedExposure.Means {
  /// In a sentence.
  var name: String {
    switch self {
    case .exposureTime: "exposure time"
    case .exposureBias: "exposure bias"
    case .gain: "gain"
    }
  }
}
