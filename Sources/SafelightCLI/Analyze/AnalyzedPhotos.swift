import Safelight
import Synchronization

/// A photo as `analyze` has measured it.
struct AnalyzedPhoto: Sendable {
  let path: String
  /// Nil where it could not be measured.
  var analysis: PhotoAnalysis?
  /// Why it could not.
  var error: String?
  /// Where its scopes are.
  var scopes: String?
  /// Other photos of the same name, in other folders.
  var namesakes: [String] = []

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

  var report: AnalysisReport {
    guard let analysis else { return AnalysisReport(path, error: error ?? "") }
    return AnalysisReport(path, analysis, scopes: scopes, namesakes: namesakes)
  }
}

/// Photos that were measured, in the order in which they were named.
struct AnalyzedPhotos {
  private var photos: [AnalyzedPhoto]

  var failures: Int { photos.count { $0.analysis == nil } }

  /// Measures photos, as many at a time as there are cores, and says on a terminal how far it is. What cannot be read is
  /// told on standard error and does not stop the others.
  ///
  /// - Parameters:
  ///   - scopes: where those of each photo are drawn to.
  ///   - overwrite: whether they may replace files.
  static func measure(_ paths: [String], scopes: [String]?, overwrite: Bool) -> AnalyzedPhotos {
    let results = Mutex([AnalyzedPhoto?](repeating: nil, count: paths.count))
    let progress = CountedProgress("measured", of: paths.count)
    // One photo takes all cores, several one each.
    let cores = ProcessorCount.usable
    let threads = paths.count == 1 ? cores : 1
    ThreadTeam(name: "analyze", threads: min(cores, paths.count)).run(paths.count) { index in
      let photo = measure(paths[index], scopes: scopes?[index], overwrite: overwrite, threads: threads)
      results.withLock { $0[index] = photo }
      progress.advance(paths[index])
    }
    progress.end()
    var photos = results.withLock { $0.compactMap(\.self) }
    for photo in photos {
      for warning in photo.analysis?.warnings ?? [] { Output.warning("\(photo.path): \(warning)") }
      guard let error = photo.error else { continue }
      Output.note("Error: " + (error.contains(photo.path) ? error : "\(photo.path): \(error)"))
    }
    findNamesakes(&photos)
    return AnalyzedPhotos(photos: photos)
  }

  private static func measure(_ path: String, scopes: String?, overwrite: Bool, threads: Int)
    -> AnalyzedPhoto
  {
    var photo = AnalyzedPhoto(path: path)
    do {
      let sample = try PhotoSample(contentsOf: path)
      let analysis = try PhotoAnalysis(sample, threads: threads)
      if let scopes {
        try ScopesPicture(sample, title: "\(path.fileName) · \(sample.size)").render()
          .write(to: scopes, overwrite: overwrite)
        photo.scopes = scopes
      }
      photo.analysis = analysis
    } catch {
      photo.error = "\(error)"
    }
    return photo
  }

  private static func findNamesakes(_ photos: inout [AnalyzedPhoto]) {
    let groups = Dictionary(grouping: photos.indices) { photos[$0].path.fileName.lowercased() }
    for group in groups.values where group.count > 1 {
      for index in group { photos[index].namesakes = group.filter { $0 != index }.map { photos[$0].path } }
    }
  }

  func sorted(by order: AnalysisOrder?, reversed: Bool) -> [AnalyzedPhoto] {
    let sorted =
      order.map { order in
        photos.enumerated().sorted { a, b in
          order.precedes(a.element, b.element) ?? (a.offset < b.offset)
        }.map(\.element)
      } ?? photos
    guard reversed else { return sorted }
    // What cannot be told stays last.
    let known = sorted.filter { order?.isKnown(of: $0) ?? true }
    return known.reversed() + sorted.filter { !(order?.isKnown(of: $0) ?? true) }
  }

  /// `24 photos · 3 blurred · 2 underexposed · 18 without a flag`
  var summary: String {
    let measured = photos.filter { $0.analysis != nil }
    var parts = ["\(measured.count) photo\(measured.count == 1 ? "" : "s")"]
    for verdict in PhotoVerdict.allCases {
      let count = measured.count { $0.analysis?.verdicts.contains(verdict) ?? false }
      if count > 0 { parts.append("\(count) \(verdict.rawValue)") }
    }
    let duplicates = photos.count { !$0.namesakes.isEmpty }
    if duplicates > 0 { parts.append("\(duplicates) with duplicate names") }
    parts.append("\(measured.count { $0.verdicts.isEmpty }) without a flag")
    if failures > 0 { parts.append("\(failures) unreadable") }
    return parts.joined(separator: " · ")
  }
}
