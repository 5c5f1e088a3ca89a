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
    Entry(name: MotionDetector.name, kind: .motion) { try LiveDetector.motion() },
    Entry(name: DocumentDetector.name, kind: .document) {
      try LiveDetector(.document, framesPerSecond: 10, hasOwnThread: true) { DocumentDetector() }
    },
    Entry(name: CodeDetector.name, kind: .code) {
      try LiveDetector(.code, framesPerSecond: 15, hasOwnThread: true) {
        CodeDetector(try worker(.codes), effort: .live)
      }
    },
    Entry(name: FaceDetector.name, kind: .face) {
      try LiveDetector(.face, framesPerSecond: 10, hasOwnThread: true) {
        FaceDetector(try worker(.faces), effort: .live)
      }
    },
  ]

  /// Returns a running worker, so that what is missing for it is told before the first frame.
  private static func worker(_ ability: VisionAbility) throws -> VisionWorker {
    let worker = try VisionWorker(VisionWorker.Options([ability]))
    try worker.start()
    return worker
  }

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
