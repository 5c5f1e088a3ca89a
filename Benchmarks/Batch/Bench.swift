import BenchmarkSupport
import Glibc
import Safelight

/// Runs contenders and records their costs.
struct Bench {
  /// The costs of all runs of one contender.
  struct Result {
    var photos = 0
    var megapixels = 0.0
    var runs: [ProcessGroup.Cost] = []
    var peakMemory = 0
    /// The mean R, G and B of the first photo's result, 0…255.
    var meanColor: SIMD3<Double>?
    /// Why there are no figures, or nil.
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

  /// Runs the contender once more to sample memory, on a part of the corpus: peaks occur early.
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
    // Any part of the corpus has the sizes of the whole, because they alternate.
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
    func failWithLog(_ reason: String) {
      fail(reason)
      if let text = textFile(log) { progress(String(text.suffix(2000))) }
    }
    do {
      let cost = try ProcessGroup.run(
        contender.commands(photos, output), environment: contender.environment, log: log,
        watchesMemory: watchesMemory)
      guard cost.isSuccess else {
        failWithLog("a process ended with an error")
        return nil
      }
      if let problem = try Self.problem(with: output, photos) {
        failWithLog(problem)
        return nil
      }
      if results[contender.name]?.meanColor == nil {
        results[contender.name, default: Result()].meanColor = try Self.meanColor(of: photos[0], in: output)
      }
      return (cost, photos)
    } catch {
      fail("\(error)")
      return nil
    }
  }

  /// Returns what is wrong with the results, which all programs must make alike; nil if nothing is.
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

  /// Returns the mean colour of a photo's result, which has the photo's name.
  private static func meanColor(of photo: String, in output: String) throws -> SIMD3<Double>? {
    let stem = photo.split(separator: "/").last?.split(separator: ".").first.map { "\($0)." }
    guard let stem, let name = names(in: output).first(where: { $0.hasPrefix(stem) }) else { return nil }
    let buffer = try Photo(contentsOf: "\(output)/\(name)").buffer
    var sums = SIMD3<Int>()
    for y in 0..<buffer.height {
      let row = buffer.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      for x in 0..<buffer.width { sums &+= SIMD3(Int(row[4 * x]), Int(row[4 * x + 1]), Int(row[4 * x + 2])) }
    }
    return withExtendedLifetime(buffer) { SIMD3<Double>(sums) / Double(buffer.size.pixelCount) }
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
