import Glibc
import Safelight

/// Runs contenders and keeps what they took.
struct Bench {
  /// What all runs of one contender took.
  struct Result {
    var photos = 0
    var megapixels = 0.0
    var runs: [ProcessGroup.Cost] = []
    var peakMemory = 0
    /// Why there are no figures, where there are none.
    var failure: String?

    var seconds: Double { median(runs.map(\.seconds)) }
    var processorSeconds: Double { median(runs.map(\.processorSeconds)) }
    var photosPerSecond: Double { Double(photos) / seconds }
    var megapixelsPerSecond: Double { megapixels / seconds }
    var processorMillisecondsPerMegapixel: Double { 1000 * processorSeconds / megapixels }
  }

  let corpus: Corpus
  let folder: String
  let runs: Int
  private(set) var results: [String: Result] = [:]

  init(corpus: Corpus, folder: String, runs: Int) {
    (self.corpus, self.folder, self.runs) = (corpus, folder, runs)
  }

  mutating func measure(_ contender: Contender, named run: String) {
    guard let (cost, photos) = attempt(contender, watchesMemory: false) else { return }
    var result = results[contender.name] ?? Result()
    result.photos = photos.count
    result.megapixels = photos.reduce(0) { $0 + Self.megapixels($1) }
    result.runs.append(cost)
    results[contender.name] = result
    progress(
      "\(run): \(contender.name): \(photos.count) photos in \(fixed(cost.seconds, 2)) s, "
        + "\(fixed(cost.processorSeconds, 2)) s of processor time")
  }

  /// Another run that memory is sampled in, on a part of the corpus: peaks come early.
  mutating func measureMemory(_ contender: Contender) {
    guard let (cost, _) = attempt(contender, watchesMemory: true) else { return }
    results[contender.name]?.peakMemory = cost.peakMemory
    progress("memory: \(contender.name): \(cost.peakMemory / 1_000_000) MB")
  }

  private mutating func attempt(_ contender: Contender, watchesMemory: Bool) -> (
    ProcessGroup.Cost, [String]
  )? {
    guard results[contender.name]?.failure == nil else { return nil }
    let isOurs = contender.rival == "safelight"
    // A part of the corpus has the sizes that the whole has: they take turns.
    var count = min(contender.photos ?? .max, corpus.photos.count)
    if watchesMemory, !isOurs { count = min(count, 12) }
    let photos = Array(corpus.photos.prefix(count))
    let output = folder + "/output"
    removeFolder(output)
    mkdir(output, 0o777)
    defer { removeFolder(output) }
    let log = "\(folder)/log.txt"
    unlink(log)
    func fail(_ reason: String) {
      progress("\(contender.name) failed: \(reason)")
      results[contender.name, default: Result()].failure = reason
    }
    do {
      let cost = try ProcessGroup.run(
        contender.commands(photos, output), environment: contender.environment, log: log,
        watchesMemory: watchesMemory)
      if let problem = try Self.problem(with: output, photos) {
        fail(problem)
        if let text = textFile(log) { progress(String(text.suffix(2000))) }
        return nil
      }
      return (cost, photos)
    } catch {
      fail("\(error)")
      return nil
    }
  }

  /// What is wrong with results, which all programs must make alike; nil where nothing is.
  private static func problem(with output: String, _ photos: [String]) throws -> String? {
    let files = names(in: output).filter { $0.hasSuffix(".jpg") && !$0.hasPrefix(".") }
    guard files.count == photos.count else {
      return "\(files.count) of \(photos.count) results were made"
    }
    for file in files {
      let size = try PhotoHeader.read("\(output)/\(file)").size
      guard (2040...2048).contains(size.longEdge) else { return "\(file) has \(size) pixels" }
    }
    return nil
  }

  private static func megapixels(_ photo: String) -> Double {
    ((try? PhotoHeader.read(photo).size.pixelCount).map(Double.init) ?? 0) / 1e6
  }

  var json: String {
    let rows = results.sorted { $0.key < $1.key }.map { name, result in
      """
        {"name": "\(name)", "photos": \(result.photos), "seconds": [\(list(result.runs.map(\.seconds)))], \
      "processorSeconds": [\(list(result.runs.map(\.processorSeconds)))], "megapixels": \(fixed(result.megapixels, 2)), \
      "peakMemory": \(result.peakMemory)}
      """
    }
    return "{\"corpus\": \"\(corpus.description)\", \"results\": [\n" + rows.joined(separator: ",\n") + "\n]}"
  }

  private func list(_ values: [Double]) -> String { values.map { fixed($0, 3) }.joined(separator: ", ") }
}
