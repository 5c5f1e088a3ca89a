import Safelight

/// What was found in a photo, for people and for scripts.
struct FoundValues: Encodable {
  struct Straightening: Encodable {
    /// The turn that was applied; null where the photo was left as it was.
    let degrees: OrNull<Double>
    /// The horizon's own angle; null where none was found.
    let horizonDegrees: OrNull<Double>
    let confidence: Double
    let evidence: [String]
    let summary: String
  }

  /// By the flags that give the same: `exposure`, `temperature` …; values that flags were given for are not here.
  let values: [String: Double]
  /// By the names that `--auto` takes.
  let reasons: [String: String]
  let straighten: Straightening?

  private let lines: [String]

  private enum CodingKeys: CodingKey {
    case values, reasons, straighten
  }

  /// - Parameter isOpen: whether nobody gave a value for a parameter.
  init(
    straightening: AutoStraightening?, kinds: [AutoValues.Kind], values: AutoValues?,
    where isOpen: (Parameter) -> Bool
  ) {
    var numbers: [String: Double] = [:]
    var reasons: [String: String] = [:]
    var lines: [String] = []
    straighten = straightening.map { found in
      Straightening(
        degrees: OrNull(found.angle.map { Output.rounded(Double($0), 1) }),
        horizonDegrees: OrNull(found.horizon.degrees.map { Output.rounded($0, 2) }),
        confidence: Output.rounded(found.horizon.confidence),
        evidence: Horizon.Kind.allCases.filter(found.horizon.evidence.kinds.contains).map(\.rawValue),
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

  /// Says on standard error what was found.
  ///
  /// - Parameter photo: where there may be more than one.
  func printNotes(in photo: String? = nil) {
    for line in lines { Output.note((photo.map { $0 + ": " } ?? "") + line) }
  }
}
