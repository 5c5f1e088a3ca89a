import FilterGraph
import FrameAnalysis
import FrameCore

/// The values that an edit found in a photo, for people and for scripts.
public struct FoundValues: JSONReport {
  /// The horizon found, and the turn that levels it.
  public struct Straightening: Codable, Sendable {
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

  /// The values found, by the flags that give the same: `exposure`, `temperature` …; without those that the edit
  /// sets itself.
  public var values: [String: Double]
  /// The reasons, by the names of `AutoValues.Kind`.
  public var reasons: [String: String]
  /// Nil if the edit does not straighten automatically.
  public var straighten: Straightening?
  /// What was found as lines to read; empty if decoded from JSON.
  public private(set) var lines: [String] = []

  private enum CodingKeys: CodingKey {
    case values, reasons, straighten
  }

  /// - Parameters:
  ///   - kinds: what was looked for.
  ///   - isOpen: whether the edit leaves a parameter's value open, so that the found one applies.
  init(
    straightening: AutoStraightening?, kinds: [AutoValues.Kind], values: AutoValues?,
    where isOpen: (Parameter) -> Bool
  ) {
    var numbers: [String: Double] = [:]
    var reasons: [String: String] = [:]
    var lines: [String] = []
    straighten = straightening.map { found in
      Straightening(
        degrees: found.angle.map { PlainNumber.rounded(Double($0), 1) },
        horizonDegrees: found.horizon.degrees.map { PlainNumber.rounded($0, 2) },
        confidence: PlainNumber.rounded(found.horizon.confidence),
        evidence: found.horizon.evidence.kindNames,
        summary: found.summary)
    }
    if let straightening { lines.append(straightening.summary) }
    for kind in kinds {
      var flags: [String] = []
      for filter in values?.filters ?? [] {
        for parameter in AutoValues.parameters(of: kind) where isOpen(parameter) {
          guard type(of: filter).parameters.contains(where: { $0.flag == parameter.flag }),
            !parameter.isNeutral(in: filter), let flag = parameter.flag,
            case .number(let number) = parameter.value(in: filter)
          else { continue }
          numbers[flag] = number
          flags.append("--\(flag) \(PlainNumber.text(number))")
        }
      }
      let reason = values?.reasons[kind] ?? ""
      reasons[kind.rawValue] = reason
      lines.append(
        "auto \(kind.rawValue): "
          + (flags.isEmpty ? "left as it is" : flags.joined(separator: " "))
          + (reason.isEmpty ? "" : " (\(reason))"))
    }
    self.values = numbers
    self.reasons = reasons
    self.lines = lines
  }
}
