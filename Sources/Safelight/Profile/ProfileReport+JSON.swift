import FilterGraph
import FoundationEssentials
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ProfileReport {
  /// Reads a report as `safelight profile --json` prints it.
  ///
  /// - Throws: `SafelightError` where the file cannot be read, is damaged (with the line), is no report, or is one of
  ///   another version.
  public init(contentsOf path: String) throws {
    let bytes = try FileContents.read(path)
    let remedy = "give a file that “safelight profile --json” printed"
    guard !bytes.isEmpty else { throw SafelightError(.corruptData, "\(path) is empty", remedy: remedy) }
    // Foundation's decoder does not say where a text is damaged.
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, file: path)
    } catch let error as SafelightError {
      throw SafelightError(
        error.code, error.problem, remedy: error.remedy.isEmpty ? remedy : error.remedy)
    }
    guard case .object(let fields) = value, case .number(let version)? = fields["version"],
      fields["frames"] != nil, fields["stages"] != nil
    else {
      throw SafelightError(.corruptData, "\(path) is no profile", remedy: remedy)
    }
    guard version == Double(Self.currentVersion) else {
      throw SafelightError(
        .unsupported,
        "\(path) is a profile of version \(PlainNumber.text(version)), and this program reads version "
          + "\(Self.currentVersion)", remedy: "measure it again with this program")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw SafelightError(
        .corruptData, "\(path) is no complete profile: \(Self.text(error))", remedy: remedy)
    }
  }

  /// `“frames.p50” is missing`
  private static func text(_ error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String {
      path.reduce("") { text, key in
        key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? "" : text + ".") + key.stringValue
      }
    }
    switch error {
    case .keyNotFound(let key, let context): return "“\(name(context.codingPath + [key]))” is missing"
    case .valueNotFound(_, let context): return "“\(name(context.codingPath))” is missing"
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      return "“\(name(context.codingPath))” is not what it should be"
    @unknown default: return "it cannot be read"
    }
  }

  /// This report with numbers of five significant digits: more were not measured.
  public var rounded: ProfileReport {
    var report = self
    for index in roofline.points.indices {
      Self.round(&report.roofline.points[index].copy)
      Self.round(&report.roofline.points[index].read)
      Self.round(&report.roofline.points[index].write)
      Self.round(&report.roofline.points[index].triad)
    }
    Self.round(&report.roofline.frameCopyMilliseconds)
    for path in FrameTimes.numbers { Self.round(&report.frames[keyPath: path]) }
    report.frames.milliseconds = frames.milliseconds.map(Self.rounded)
    for index in stages.indices {
      for path in StageCost.numbers { Self.round(&report.stages[index][keyPath: path]) }
      report.stages[index].samples = stages[index].samples.map(Self.rounded)
    }
    report.bake?.maximumDeltaE2000 = Self.rounded(bake?.maximumDeltaE2000 ?? 0)
    report.bake?.meanDeltaE2000 = Self.rounded(bake?.meanDeltaE2000 ?? 0)
    report.bake?.milliseconds = Self.rounded(bake?.milliseconds ?? 0)
    for index in filters.indices {
      Self.round(&report.filters[index].aloneMilliseconds)
      Self.round(&report.filters[index].inPlanMilliseconds)
    }
    for index in scaling.indices {
      Self.round(&report.scaling[index].milliseconds)
      Self.round(&report.scaling[index].framesPerSecond)
      Self.round(&report.scaling[index].efficiency)
    }
    for index in capacities.indices {
      report.capacities[index].p99Milliseconds = capacities[index].p99Milliseconds.map(Self.rounded)
    }
    return report
  }

  private static func round(_ value: inout Double) { value = rounded(value) }

  private static func rounded(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value.isFinite ? value : 0 }
    let decimals = 4 - Int(log10(abs(value)).rounded(.down))
    // Powers of ten up to 10²² are exact, and so one division rounds to the decimal number itself.
    guard abs(decimals) <= 22 else { return 0 }
    let scale = pow(10, Double(abs(decimals)))
    return decimals >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
  }
}

extension ProfileReport.FrameTimes {
  fileprivate static var numbers: [WritableKeyPath<Self, Double>] {
    [\.p50, \.p90, \.p99, \.p999, \.minimum, \.maximum, \.mean, \.jitter, \.framesPerSecond]
  }
}

extension ProfileReport.StageCost {
  fileprivate static var numbers: [WritableKeyPath<Self, Double>] {
    [
      \.milliseconds, \.nanosecondsPerPixel, \.megapixelsPerSecond, \.gigabytesPerSecond, \.share,
      \.ofRoofline,
    ]
  }
}
