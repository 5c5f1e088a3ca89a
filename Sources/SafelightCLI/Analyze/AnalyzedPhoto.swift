import Safelight

/// A photo measured by `analyze`.
struct AnalyzedPhoto: Sendable {
  let path: String
  /// Nil if it could not be measured.
  var analysis: PhotoAnalysis?
  /// Why it could not be measured.
  var error: String?
  /// The file of its scopes; nil if none were requested or they could not be drawn.
  var scopes: String?
  /// Why they could not be drawn.
  var scopesError: String?
  /// Attributes of a replaced file that could not be kept.
  var scopesNotes: [String] = []
  /// Other photos of the same name, in other folders.
  var namesakes = Namesakes()

  /// What is wrong with it, as words.
  var verdicts: [String] {
    (analysis?.verdicts.map(\.rawValue) ?? [])
      + (namesakes.first.map { first in
        let more = namesakes.count > 1 ? " and \(namesakes.count - 1) more" : ""
        return ["same name as \(first)\(more)"]
      } ?? [])
  }

  /// Whether one of the flags applies; photos that could not be measured always match.
  func matches(_ flags: [AnalysisFlag]?) -> Bool {
    guard let flags, let analysis else { return true }
    let verdicts = analysis.verdicts
    return flags.contains { flag in
      switch flag {
      case .duplicateNames: !namesakes.isEmpty
      case .any: !verdicts.isEmpty || !namesakes.isEmpty
      case .none: verdicts.isEmpty && namesakes.isEmpty
      default: flag.verdicts.contains(where: verdicts.contains)
      }
    }
  }

  var report: PhotoAnalysisReport {
    guard let analysis else { return PhotoAnalysisReport(path, error: error ?? "") }
    var report = PhotoAnalysisReport(
      path, analysis, namesakes: namesakes.listed, namesakeCount: namesakes.count)
    (report.scopes, report.scopesError) = (scopes, scopesError)
    return report
  }
}

/// Other photos with the same name. All photos of one name share one list; with a list each, thousands of photos
/// would need millions of entries.
struct Namesakes: Sendable {
  /// The most that a report lists.
  static let mostListed = 20

  private var group: [String] = []
  /// The index of the photo itself.
  private var own = 0

  /// None.
  init() {}

  /// - Parameters:
  ///   - group: the paths of all photos of the name, including this one.
  ///   - own: the index of this photo.
  init(_ group: [String], without own: Int) { (self.group, self.own) = (group, own) }

  var count: Int { max(group.count - 1, 0) }
  var isEmpty: Bool { count == 0 }
  var first: String? { listed.first }

  /// The first few, in the order of the photos.
  var listed: [String] {
    group.indices.prefix(Self.mostListed + 1).filter { $0 != own }.prefix(Self.mostListed).map { group[$0] }
  }
}
