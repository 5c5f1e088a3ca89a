import FrameAnalysis
import FrameCore
import Glibc
import PhotoIO

/// Says how well the horizon is found: on drawn scenes whose tilt is known, on pictures without a horizon, and on
/// photos that are turned by known angles.
///
///     swift run -c release --package-path Benchmarks HorizonEvaluation [--scenes N] [PHOTO …]
///
/// `--scenes` is the number of scenes of each kind (40 unless told).
@main struct Evaluation {
  struct Result {
    var kind: String
    /// Degrees from the truth; infinite where there was no answer.
    var error: Double
    var confidence: Double
    var hasHorizon: Bool
  }

  private let proxy = AnalysisProxy()
  private let detector = HorizonDetector()

  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var count = 40
    if arguments.first == "--scenes", let number = arguments.dropFirst().first.flatMap({ Int($0) }) {
      count = number
      arguments = arguments.dropFirst(2)
    }
    let evaluation = Evaluation()
    try evaluation.scenes(count: count)
    if !arguments.isEmpty { try evaluation.photos(Array(arguments)) }
  }

  private func horizon(_ picture: PixelBuffer, orientation: Orientation = .up) throws -> Horizon {
    try proxy.update(from: picture, orientation: orientation)
    return detector.detect(in: proxy)
  }

  // MARK: Scenes

  private func scenes(count: Int) throws {
    var results: [Result] = []
    var seconds: [Double] = []
    for kind in EvaluationScenes.kindsWithHorizon + EvaluationScenes.kindsWithout {
      for seed in 1...count {
        let scene = try EvaluationScenes.make(kind, seed: seed)
        let start = processorSeconds()
        let found = try horizon(scene.picture)
        seconds.append(processorSeconds() - start)
        let error = scene.degrees.flatMap { truth in found.degrees.map { abs($0 - truth) } } ?? .infinity
        results.append(
          Result(kind: kind, error: error, confidence: found.confidence, hasHorizon: scene.degrees != nil))
      }
    }
    print("\(count) scenes of each kind, roll -20°…20°, pitch -12°…12°")
    print(
      "proxy and horizon: median \(column(percentile(seconds, 0.5) * 1e3, width: 0)) ms of processor time\n")
    accuracyTable(results)
    thresholdTable(results)
  }

  private func accuracyTable(_ results: [Result]) {
    let heads = ["AUC@1°", "AUC@5°", "AUC@10°", "median°", "P90°", "accepted"]
    print(column("scene", width: 10) + heads.map { column($0, width: 10) }.joined())
    func line(_ name: String, _ rows: [Result]) {
      let errors = rows.map(\.error)
      let accepted = rows.filter { $0.confidence >= Horizon.acceptance }.count
      let areas = [1.0, 5, 10].map { column(100 * areaUnderRecall(errors, limit: $0), width: 10) }
      let tails = [0.5, 0.9].map { column(percentile(errors, $0), digits: 2, width: 10) }
      print(
        column(name, width: 10) + (areas + tails).joined()
          + column(100 * Double(accepted) / Double(rows.count), width: 9) + "%")
    }
    for kind in EvaluationScenes.kindsWithHorizon { line(kind, results.filter { $0.kind == kind }) }
    line("all", results.filter(\.hasHorizon))
    print()
    for kind in EvaluationScenes.kindsWithout {
      let rows = results.filter { $0.kind == kind }
      let accepted = rows.filter { $0.confidence >= Horizon.acceptance }.count
      print(column(kind, width: 10) + "  no horizon; falsely accepted: \(accepted) of \(rows.count)")
    }
    print()
  }

  private func thresholdTable(_ results: [Result]) {
    let with = results.filter(\.hasHorizon)
    let without = results.filter { !$0.hasHorizon }
    let heads = ["confidence", "accepted", "within 1°", "within 2°", "falsely"]
    print(heads.map { column($0, width: 12) }.joined())
    for threshold in stride(from: 0.2, through: 0.9, by: 0.1) {
      let accepted = with.filter { $0.confidence >= threshold }
      func part(_ limit: Double) -> Double {
        100 * Double(accepted.filter { $0.error <= limit }.count) / Double(max(accepted.count, 1))
      }
      let falsely = without.filter { $0.confidence >= threshold }.count
      let values = [
        100 * Double(accepted.count) / Double(with.count), part(1), part(2),
        100 * Double(falsely) / Double(without.count),
      ]
      print(
        column(threshold, width: 12)
          + values.map { column($0, width: 11) + "%" }.joined())
    }
  }

  // MARK: Photos

  private func photos(_ paths: [String]) throws {
    print("\nphotos, turned by known angles: how far the change of the answer is from the turn")
    var (pairs, within, accepted, shown) = (0, 0, 0, 0)
    for path in paths {
      let photo = try Photo(contentsOf: path)
      guard photo.buffer.format == .rgba8 else {
        print("  \(path): skipped, samples are not 8-bit RGBA")
        continue
      }
      let original = try horizon(photo.buffer, orientation: photo.orientation)
      shown += 1
      accepted += original.isConfident ? 1 : 0
      var differences: [Double] = []
      for turn in [-12.0, -7, -3, -1, 1, 3, 7, 12] {
        // Stored pictures that are displayed mirrored turn the other way.
        let stored = photo.orientation.isMirrored ? -turn : turn
        let found = try horizon(try photo.buffer.turned(by: stored), orientation: photo.orientation)
        guard found.isConfident, original.isConfident, let a = original.degrees, let b = found.degrees else {
          continue
        }
        differences.append(b - a - turn)
      }
      pairs += differences.count
      within += differences.filter { abs($0) <= 1 }.count
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let kinds = original.evidence.kinds.map(\.rawValue).sorted().joined(separator: ", ")
      print(
        "  \(name)\(String(repeating: " ", count: max(20 - name.count, 1)))"
          + "\(column(original.degrees ?? .nan, digits: 2))°  confidence \(column(original.confidence, digits: 2, width: 4))"
          + "  worst of \(differences.count): \(column(differences.map { abs($0) }.max() ?? .nan, digits: 2, width: 4))°"
          + "  \(kinds)")
    }
    print("  accepted \(accepted) of \(shown); of \(pairs) accepted pairs \(within) within 1°")
  }

  /// Processor time of this thread.
  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
