import ArgumentParser
import Safelight

/// The detectors that `live --analyze` knows beside measurements: a line for each.
enum LiveDetectors {
  struct Entry: Sendable {
    var name: String
    var kind: Detection.Kind
    var make: @Sendable () throws -> LiveDetector
  }

  static let all = [
    Entry(name: MotionDetector.name, kind: .motion) { try LiveDetector.motion() }
  ]

  static func entry(_ name: String) -> Entry? { all.first { $0.name == name } }
}

/// One name of `--analyze`.
enum LiveAnalysis: Hashable {
  case measurement(LiveAnalyzer.Kind)
  case detector(String)

  static let names = LiveAnalyzer.Kind.allCases.map(\.rawValue) + LiveDetectors.all.map(\.name)

  /// - Parameter text: names separated by commas.
  static func list(_ text: String) throws -> [LiveAnalysis] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let name = String(part)
      if let kind = LiveAnalyzer.Kind(rawValue: name) { return .measurement(kind) }
      if LiveDetectors.entry(name) != nil { return .detector(name) }
      throw ValidationError(NearestName.error(unknown: "analysis", name, among: names).description)
    }
  }
}
