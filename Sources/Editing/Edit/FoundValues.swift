import FilterGraph
import FrameAnalysis
import FrameCore

/// The values that an edit found in a photo, for people and for scripts.
public struct FoundValues: JSONReport, Hashable {
  /// The horizon found, and the turn that levels it.
  public struct Straightening: Codable, Sendable, Hashable {
    /// The clockwise turn that was applied; nil if the photo was not turned.
    @OrNull public var degrees: Double?
    /// The angle of the horizon; nil if none was found.
    @OrNull public var horizonDegrees: Double?
    /// The probability that the angle is right to a degree, 0…1.
    public var confidence: Double
    /// What the horizon was found by.
    public var evidence: [String]
    /// All of it as a sentence.
    public var summary: String
  }

  /// The turn of the camera that was undone.
  public struct UprightTurn: Codable, Sendable, Hashable {
    /// What was asked for.
    public var kind: Upright
    /// In degrees, as `Keystone` and `Straighten` have them; nil if nothing was turned.
    @OrNull public var vertical: Double?
    @OrNull public var horizontal: Double?
    @OrNull public var straighten: Double?
    /// In mm, as `Keystone` has it.
    @OrNull public var focalLength: Double?
    /// All of it as a sentence.
    public var summary: String
  }

  /// The lens that the photo was taken with, and what of it was undone.
  public struct LensFound: Codable, Sendable, Hashable {
    /// The names of the lens and of the camera in Lensfun's database; nil if the lens is unknown.
    @OrNull public var lens: String?
    @OrNull public var camera: String?
    /// In mm.
    @OrNull public var focalLength: Double?
    /// The f-number.
    @OrNull public var aperture: Double?
    /// What was undone.
    public var distortion, vignetting: Bool
    /// All of it as a sentence.
    public var summary: String
  }

  /// The values found, by the flags that give the same: `exposure`, `temperature` …; without those that the edit
  /// sets itself.
  public var values: [String: Double]
  /// The reasons, by the names of `AutoValues.Kind`.
  public var reasons: [String: String]
  /// Nil if no lens was to be found.
  public var lens: LensFound?
  /// Nil if the edit does not straighten automatically.
  public var straighten: Straightening?
  /// Nil if the edit makes nothing upright.
  public var upright: UprightTurn?

  /// - Parameters:
  ///   - kinds: what was looked for.
  ///   - isOpen: whether the edit leaves a parameter's value open, so that the found one applies.
  init(
    lens: PhotoLens? = nil, straightening: AutoStraightening?, upright: AutoUpright? = nil,
    kinds: [AutoValues.Kind],
    values: AutoValues?,
    where isOpen: (Parameter) -> Bool
  ) {
    var numbers: [String: Double] = [:]
    var reasons: [String: String] = [:]
    self.lens = lens.map { found in
      let corrected = found.filter?.profile
      return LensFound(
        lens: found.match?.lens, camera: found.match?.camera,
        focalLength: found.match.map { PlainNumber.rounded($0.focalLength) },
        aperture: found.match?.fNumber.map { PlainNumber.rounded($0) },
        distortion: !(corrected?.isStraight ?? true),
        vignetting: corrected.map { $0.vignetting != .zero } ?? false,
        summary: found.summary)
    }
    straighten = straightening.map { found in
      Straightening(
        degrees: found.angle.map { PlainNumber.rounded(Double($0), 1) },
        horizonDegrees: found.horizon.degrees.map { PlainNumber.rounded($0, 2) },
        confidence: PlainNumber.rounded(found.horizon.confidence),
        evidence: found.horizon.evidence.kindNames,
        summary: found.summary)
    }
    self.upright = upright.map { found in
      UprightTurn(
        kind: found.kind, vertical: found.turn.map { PlainNumber.rounded(Double($0.keystone.vertical), 1) },
        horizontal: found.turn.map { PlainNumber.rounded(Double($0.keystone.horizontal), 1) },
        straighten: found.turn.map { PlainNumber.rounded(Double($0.straighten), 1) },
        focalLength: found.turn.map { PlainNumber.rounded(Double($0.keystone.focalLength), 1) },
        summary: found.summary)
    }
    for kind in kinds {
      for filter in values?.filters ?? [] {
        for parameter in AutoValues.parameters(of: kind) where isOpen(parameter) {
          guard type(of: filter).parameters.contains(where: { $0.flag == parameter.flag }),
            !parameter.isNeutral(in: filter), let flag = parameter.flag,
            case .number(let number) = parameter.value(in: filter)
          else { continue }
          numbers[flag] = number
        }
      }
      reasons[kind.rawValue] = values?.reasons[kind] ?? ""
    }
    self.values = numbers
    self.reasons = reasons
  }

  /// What was found as lines to read.
  public var lines: [String] {
    let automatic = AutoValues.Kind.allCases.compactMap { kind -> String? in
      guard let reason = reasons[kind.rawValue] else { return nil }
      let flags = AutoValues.parameters(of: kind).compactMap { parameter in
        parameter.flag.flatMap { flag in values[flag].map { "--\(flag) \(PlainNumber.text($0))" } }
      }
      return "auto \(kind.rawValue): "
        + (flags.isEmpty ? "left as it is" : flags.joined(separator: " "))
        + (reason.isEmpty ? "" : " (\(reason))")
    }
    return [lens?.summary, straighten?.summary, upright?.summary].compactMap { $0 } + automatic
  }
}
