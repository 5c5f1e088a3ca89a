import FilterGraph
import FoundationEssentials
import FrameCore

extension ProfileReport {
  /// Reads a report that was written as JSON.
  ///
  /// - Parameters:
  ///   - json: the report as UTF-8.
  ///   - file: the file's name, for error messages.
  /// - Throws: `SafelightError(.corruptData)` if this is not JSON, not a profile, or damaged; `.unsupported` for
  ///   the format of another release.
  public init(json: [UInt8], file: String) throws {
    // This parser reports the line and column, which JSONDecoder does not.
    guard case .object(let fields) = try JSONValue(parsing: json, file: file),
      case .number(let version)? = fields["version"], fields["subject"] != nil, fields["frames"] != nil
    else {
      throw SafelightError(
        .corruptData, "\(file) is not a profile",
        remedy: "give a file that safelight profile --json wrote")
    }
    guard version == Double(Self.currentVersion) else {
      throw SafelightError(
        .unsupported,
        "\(file) is a profile of version \(PlainNumber.text(version)), and this release reads version "
          + "\(Self.currentVersion)",
        remedy: "measure again with this release")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
      interruptions?.renameCauses()
    } catch let error as DecodingError {
      throw SafelightError(
        .corruptData, "\(file) is a damaged profile: \(Self.problem(error))", remedy: "measure again")
    }
  }

  /// Returns the problem and its location.
  private static func problem(_ error: DecodingError) -> String {
    func place(_ path: [any CodingKey]) -> String {
      "“" + path.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: ".") + "”"
    }
    return switch error {
    case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context): "\(place(context.codingPath)) has a value of another type"
    case .valueNotFound(_, let context): "\(place(context.codingPath)) has no value"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(place(context.codingPath)) has a value that does not fit"
    // If a fraction is found instead of an integer, the decoder does not report the location.
    case .dataCorrupted: "a number has the wrong type"
    @unknown default: "a value does not fit"
    }
  }
}
