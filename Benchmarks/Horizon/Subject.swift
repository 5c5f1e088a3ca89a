import BenchmarkSupport
@_spi(HorizonEvaluation) import FrameAnalysis
import FrameCore
import PhotoIO

/// A picture for the detector.
enum Subject: Sendable, Hashable {
  case scene(kind: String, seed: Int)
  /// A photo whose content was rotated counter-clockwise, in degrees.
  case photo(path: String, turn: Double)

  var name: String {
    switch self {
    case .scene(let kind, let seed): "\(kind) \(seed)"
    case .photo(let path, let turn):
      photoName(path) + (turn == 0 ? "" : "\(turn < 0 ? "-" : "+")\(fixed(abs(turn), 0))")
    }
  }
}

/// The name of a photo's file without its folder and extension.
func photoName(_ path: String) -> String {
  let file = path.split(separator: "/").last ?? ""
  return String(file.split(separator: ".").first ?? file)
}

/// The detector's answer for a subject, and the truth.
struct Answer: Sendable {
  var subject: Subject
  /// The kind of scene, or the label of a photo.
  var group: String
  /// The clockwise rotation that levels the picture, in degrees; nil if it has no horizon or the rotation is
  /// unknown.
  var truth: Double?
  var horizon: Horizon
  /// The evidence that the detector weighed (`HorizonDetector.rollTerms`).
  var terms: [Double]

  /// The error in degrees; infinite if there is no truth or no answer.
  var error: Double {
    guard let truth, let degrees = horizon.degrees else { return .infinity }
    return abs(degrees - truth)
  }

  /// Half of the photos serve to choose the detector's constants, the other half to measure its accuracy.
  var isTuning: Bool { Self.isTuning(subject) }

  static func isTuning(_ subject: Subject) -> Bool {
    switch subject {
    case .scene(_, let seed): return seed.isMultiple(of: 2)
    case .photo(let path, _):
      // FNV-1a of the name, so that all rotations of a photo are in the same half.
      let hash = photoName(path).utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      return ((hash >> 7) ^ hash).isMultiple(of: 2)
    }
  }
}

/// A detector with its working memory, for one task at a time.
struct Examiner {
  private let proxy = AnalysisProxy()
  let detector = HorizonDetector()

  func horizon(of picture: PixelBuffer, orientation: Orientation = .up) throws -> Horizon {
    try proxy.update(from: picture, orientation: orientation)
    return detector.detect(in: proxy)
  }

  func answer(
    to subject: Subject, group: String, truth: Double?, picture: PixelBuffer,
    orientation: Orientation = .up
  ) throws -> Answer {
    let horizon = try horizon(of: picture, orientation: orientation)
    return Answer(
      subject: subject, group: group, truth: truth, horizon: horizon, terms: detector.rollTerms)
  }
}
