import Safelight
import Synchronization

/// Photos that were measured, in the order in which they were named.
struct AnalyzedPhotos {
  private var photos: [AnalyzedPhoto]

  /// Photos that could not be measured.
  var unreadable: Int { photos.count { $0.analysis == nil } }
  /// Photos whose scopes could not be drawn, though they were measured.
  var undrawn: Int { photos.count { $0.scopesError != nil } }
  var failures: Int { unreadable + undrawn }
  var isAnyMeasured: Bool { photos.contains { $0.analysis != nil } }
  var isAnyDrawn: Bool { photos.contains { $0.scopes != nil } }

  /// The memory that photos measured at the same time may take together, in bytes; as much as in a batch.
  private static let memory = 2_000_000_000

  /// Measures photos, as many at a time as cores and memory allow, and shows the progress on a terminal. Photos
  /// that cannot be read or drawn are reported on standard error and do not stop the others.
  ///
  /// - Parameters:
  ///   - scopes: the file that each photo's scopes are drawn to.
  ///   - overwrite: whether they may replace files.
  ///   - budget: the memory that the photos share.
  static func measure(
    _ paths: [String], scopes: [String]?, overwrite: Bool,
    within budget: MemoryBudget = MemoryBudget(bytes: Self.memory)
  ) -> AnalyzedPhotos {
    let results = Mutex([AnalyzedPhoto?](repeating: nil, count: paths.count))
    let progress = CountedProgress("measured", of: paths.count)
    // One photo takes all cores, several one each.
    let cores = ProcessorCount.usable
    let threads = paths.count == 1 ? cores : 1
    ThreadTeam(name: "analyze", threads: min(cores, paths.count)).run(paths.count) { index in
      let path = paths[index]
      // Measuring the photo reports why its header cannot be read.
      let bytes = threads > 1 ? 0 : (try? PhotoHeader.read(path)).map(PhotoAnalysis.memory(of:)) ?? 0
      let photo = budget.spend(bytes) {
        measure(path, scopes: scopes?[index], overwrite: overwrite, threads: threads)
      }
      results.withLock { $0[index] = photo }
      progress.advance(path)
    }
    progress.end()
    var photos = results.withLock { $0.compactMap(\.self) }
    for photo in photos {
      for warning in photo.analysis?.warnings ?? [] { Output.warning("\(photo.path): \(warning)") }
      photo.scopesNotes.forEach(Output.warning)
      guard let error = photo.error ?? photo.scopesError else { continue }
      Output.note("Error: " + (error.contains(photo.path) ? error : "\(photo.path): \(error)"))
    }
    findNamesakes(&photos)
    return AnalyzedPhotos(photos: photos)
  }

  private static func measure(_ path: String, scopes: String?, overwrite: Bool, threads: Int)
    -> AnalyzedPhoto
  {
    var photo = AnalyzedPhoto(path: path)
    let sample: PhotoSample
    do {
      sample = try PhotoSample(contentsOf: path)
      photo.analysis = try PhotoAnalysis(sample, threads: threads)
    } catch {
      photo.error = sentence(error)
      return photo
    }
    guard let scopes else { return photo }
    do {
      photo.scopesNotes = try ScopesPicture(sample, title: "\(path.fileName) · \(sample.size)").render()
        .write(to: scopes, overwrite: overwrite)
      photo.scopes = scopes
    } catch {
      // The measurements stay valid.
      photo.scopesError = sentence(error)
    }
    return photo
  }

  private static func sentence(_ error: any Error) -> String {
    guard let error = error as? SafelightError else { return "\(error)" }
    return error.forCommandLine.description
  }

  private static func findNamesakes(_ photos: inout [AnalyzedPhoto]) {
    let groups = Dictionary(grouping: photos.indices) { photos[$0].path.fileName.lowercased() }
    for group in groups.values where group.count > 1 {
      let paths = group.map { photos[$0].path }
      for (place, index) in group.enumerated() { photos[index].namesakes = Namesakes(paths, without: place) }
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
    // Photos without the measurement stay last.
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
    if unreadable > 0 { parts.append("\(unreadable) unreadable") }
    if undrawn > 0 { parts.append("\(undrawn) without scopes") }
    return parts.joined(separator: " · ")
  }
}
