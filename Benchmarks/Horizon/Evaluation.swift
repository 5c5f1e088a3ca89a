import BenchmarkSupport
@_spi(HorizonEvaluation) import FrameAnalysis
import FrameCore
import Glibc
import PhotoIO

/// Measures how well the horizon is found: in drawn scenes with a known tilt, in pictures without a horizon, and
/// in photos rotated by known angles.
///
///     swift run -c release --package-path Benchmarks HorizonEvaluation --help
@main struct Evaluation {
  static func main() async {
    do {
      if CommandLine.arguments.contains("--help") {
        print(Options.usage)
        return
      }
      let evaluation = Evaluation(options: try Options(CommandLine.arguments.dropFirst()))
      try await evaluation.run()
    } catch {
      progress("HorizonEvaluation: \(error)")
      exit(1)
    }
  }

  let options: Options
  private let report = MarkdownReport()

  private func run() async throws {
    var answers: [Answer] = []
    if options.sceneCount > 0 { answers += try await scenes() }
    if !options.photos.isEmpty { answers += try await photos() }
    if let path = options.answers { try write(Self.rows(of: answers), to: path) }
    if options.fits { fit(answers) }
    if let path = options.report { try write(report.text, to: path) }
    if let worst = options.worst { try await drawWorst(worst.count, of: answers, into: worst.folder) }
  }

  // MARK: Scenes

  private func scenes() async throws -> [Answer] {
    let (with, without) = (EvaluationScenes.kindsWithHorizon, EvaluationScenes.kindsWithout)
    var answers: [Answer] = []
    var seconds: [Double] = []
    for kind in with + without {
      let found = try await parallelMap(Array(1...options.sceneCount), named: kind) { seed in
        let scene = try EvaluationScenes.make(kind, seed: seed)
        let examiner = Examiner()
        _ = try examiner.horizon(of: scene.picture)
        let start = processorSeconds()
        let answer = try examiner.answer(
          to: .scene(kind: kind, seed: seed), group: kind, truth: scene.degrees, picture: scene.picture)
        return (answer, processorSeconds() - start)
      }
      answers += found.map(\.0)
      seconds += found.map(\.1)
    }
    report.heading("Scenes")
    report.say(
      "\(options.sceneCount) scenes of each kind, 720×480 or 540×720, roll −20…20°, pitch −12…12°; proxy and horizon take "
        + "\(fixed(percentile(seconds, 0.5) * 1e3, 1)) ms of processor time (median), "
        + "\(fixed(percentile(seconds, 0.99) * 1e3, 1)) ms (99th percentile). "
        + "AUC counts a picture without an answer as an infinite error.")
    let other = answers.filter { !$0.isTuning }
    report.say("The tables are of the scenes of odd seeds; those of even seeds are for fitting.")
    report.accuracy(other, kinds: with)
    report.falseAcceptance(other, kinds: without)
    report.thresholds(other)
    report.reliability(other, limit: 1)
    return answers
  }

  // MARK: Photos

  private func photos() async throws -> [Answer] {
    let labels = try options.labels.map(PhotoAnswers.labels(in:)) ?? [:]
    let paths = try PhotoAnswers.paths(in: options.photos)
    let photos = try await parallelMap(paths, named: "photos") { path -> PhotoAnswers? in
      do {
        return try PhotoAnswers(path: path, label: labels[photoName(path)], examiner: Examiner())
      } catch {
        progress("left out: \(error)")
        return nil
      }
    }.compactMap { $0 }
    report.heading("Photos")
    report.say(
      "Each as it is, and turned by \(PhotoAnswers.turns.map { fixed($0, 0) }.joined(separator: ", "))°, cropped inside."
    )
    let labelled = photos.filter { ["level", "none"].contains($0.label) }
    if !labelled.isEmpty {
      report.labelled(
        labelled.filter(\.original.isTuning), named: "the half that the weights were fitted on")
      let other = labelled.filter { !$0.original.isTuning }
      report.labelled(other, named: "the other half")
      report.thresholds(other.flatMap(\.all))
      report.reliability(other.flatMap(\.all), limit: 2)
    }
    let unlabelled = photos.filter { $0.label.isEmpty }
    if !unlabelled.isEmpty {
      report.unlabelled(unlabelled)
      report.consistency(unlabelled, named: "without a label")
    }
    return photos.filter { $0.label != "unclear" }.flatMap(\.all)
  }

  /// Prints the weights fitted for the detector.
  private func fit(_ answers: [Answer]) {
    let known = answers.filter {
      $0.isTuning
        && ($0.truth != nil || EvaluationScenes.kindsWithout.contains($0.group) || $0.group == "none")
    }
    let (weights, objective) = WeightFit(known).weights()
    report.heading("Weights")
    report.say("Fitted to \(known.count) pictures, objective \(fixed(objective, 4)):")
    let names = HorizonDetector.rollTermNames + ["silence", "clutter"]
    report.table(["term", "weight"], zip(names, weights).map { [$0, fixed($1, 2)] })
    report.say("`[" + weights.map { fixed($0, 2) }.joined(separator: ", ") + "]`")
  }

  // MARK: Files

  /// Confident wrong answers come first, then right ones that are not confident.
  private func drawWorst(_ count: Int, of answers: [Answer], into folder: String) async throws {
    func badness(_ answer: Answer) -> Double {
      // An unlabelled photo is neither right nor wrong.
      if answer.group.isEmpty { return 0 }
      let isRight = answer.error <= (answer.group == "level" ? 2 : 1)
      return isRight ? 1 - answer.horizon.confidence : 1 + answer.horizon.confidence
    }
    // Of the rotations of one photo, the worst is enough.
    var seen: Set<String> = []
    let worst = answers.sorted { badness($0) > badness($1) }.filter { answer in
      guard case .photo(let path, _) = answer.subject else { return true }
      return seen.insert(path).inserted
    }.prefix(count)
    mkdir(folder, 0o755)
    _ = try await parallelMap(Array(worst.enumerated()), named: "drawn") { rank, answer in
      let examiner = Examiner()
      let picture: PixelBuffer
      var orientation = Orientation.up
      switch answer.subject {
      case .scene(let kind, let seed): picture = try EvaluationScenes.make(kind, seed: seed).picture
      case .photo(let path, let turn):
        let photo = try Photo(contentsOf: path)
        picture = try photo.turned(by: turn)
        orientation = photo.orientation
      }
      let horizon = try examiner.horizon(of: picture, orientation: orientation)
      let drawn = try DrawnEvidence(
        picture, orientation: orientation, horizon, examiner.detector.evidence())
      let name = [
        fixed(Double(rank), 0), answer.subject.name.replacing(" ", with: "-"),
        "truth", answer.truth.map { fixed($0, 1) } ?? "none",
        "found", horizon.degrees.map { fixed($0, 1) } ?? "none",
        "confidence", fixed(horizon.confidence, 2),
      ].joined(separator: "_")
      try drawn.write(to: "\(folder)/\(name).jpg")
    }
  }

  private static func rows(of answers: [Answer]) -> String {
    answers.map { answer in
      let values = [
        answer.truth ?? .nan, answer.horizon.degrees ?? .nan, answer.horizon.deviation ?? .nan,
        answer.horizon.confidence,
      ]
      let kinds = answer.horizon.evidence.kinds.map(\.rawValue).sorted().joined(separator: ",")
      return
        ([
          answer.group, answer.subject.name, answer.isTuning ? "tuning" : "test", kinds.isEmpty ? "-" : kinds,
        ]
        + values.map { "\($0)" }).joined(separator: "\t") + "\n"
    }.joined()
  }

  private func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw SafelightError(
        .file, "\"\(path)\" cannot be written.", remedy: "Name a file in a folder that exists.")
    }
    fputs(text, file)
    guard fclose(file) == 0 else {
      throw SafelightError(.file, "\"\(path)\" could not be written to the end.", remedy: "Make room for it.")
    }
  }
}
