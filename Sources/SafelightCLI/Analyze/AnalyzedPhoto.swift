import Safelight

/// A photo as `analyze` has measured it.
struct AnalyzedPhoto: Sendable {
  let path: String
  /// Nil where it could not be measured.
  var analysis: PhotoAnalysis?
  /// Why it could not.
  var error: String?
  /// Where its scopes are; nil where none were asked for or they could not be drawn.
  var scopes: String?
  /// Why they could not be drawn.
  var scopesError: String?
  /// What of a file that they replaced could not be kept.
  var scopesNotes: [String] = []
  /// Other photos of the same name, in other folders.
  var namesakes = Namesakes()

  /// What is wrong with it, in words.
  var verdicts: [String] {
    (analysis?.verdicts.map(\.rawValue) ?? [])
      + (namesakes.first.map { first in
        let more = namesakes.count > 1 ? " and \(namesakes.count - 1) more" : ""
        return ["same name as \(first)\(more)"]
      } ?? [])
  }

  /// Whether one of the flags is true of it; photos that could not be measured always come along.
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

/// Other photos of a photo's name. All photos of one name share one list: of thousands, each would have its own
/// of thousands.
struct Namesakes: Sendable {
  /// How many a report lists.
  static let mostListed = 20

  private var group: [String] = []
  /// The place of the photo itself.
  private var own = 0

  /// None.
  init() {}

  /// - Parameters:
  ///   - group: the paths of all photos of the name, this one's too.
  ///   - own: its place there.
  init(_ group: [String], without own: Int) { (self.group, self.own) = (group, own) }

  var count: Int { max(group.count - 1, 0) }
  var isEmpty: Bool { count == 0 }
  var first: String? { listed.first }

  /// The first of them, in the order of the photos.
  var listed: [String] {
    group.indices.prefix(Self.mostListed + 1).filter { $0 != own }.prefix(Self.mostListed).map { group[$0] }
  }
}
