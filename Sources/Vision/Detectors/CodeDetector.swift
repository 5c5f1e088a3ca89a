import FrameAnalysis
import FrameCore

/// Finds bar codes and two-dimensional codes, and reads them: QR Code, Micro QR Code, Data Matrix, Aztec, PDF417,
/// MaxiCode, EAN, UPC, Code 39, 93 and 128, ITF, Codabar, DataBar (zxing-cpp).
///
/// `text` is what a code says, `confidence` 1 for codes with error correction and 1 − 2^-n for linear codes that n rows
/// agree on. `details` has `symbology`, `content` (`text`, `binary`, `GS1` …), `bytes` in hexadecimal if the content is
/// not all text, `errorCorrection`, `mirrored` and `inverted` with `yes`, and `part` of `parts` in sequences.
public struct CodeDetector: FrameDetector {
  public static let name = VisionAbility.codes.name

  /// How hard a picture is searched.
  public enum Effort: Sendable, Hashable {
    /// For photos: every direction, at several sizes, damaged codes, light on dark, as in a mirror.
    case thorough
    /// For live frames: each frame is searched in one way, and the ways take turns, so that a code of any kind is found
    /// within four frames, and most of them in every frame.
    case live
  }

  private let worker: VisionWorker
  private let effort: Effort
  private var turn = 0

  /// - Parameter worker: has the ability `codes`.
  public init(_ worker: VisionWorker, effort: Effort = .thorough) {
    (self.worker, self.effort) = (worker, effort)
  }

  public mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    let flags = nextFlags()
    return try frame.find(.codes, flags, with: worker, limits: effort == .live ? .live : .photo).map {
      $0.thing.detection(.code, in: $0.size)
    }
  }

  /// Codes that lie flat, dark on light, are by far the most.
  private mutating func nextFlags() -> VisionRequest.Flags {
    guard effort == .live else {
      return [.harder, .turned, .smaller, .plain, .inverted, .mirrored, .stacked]
    }
    defer { turn = (turn + 1) % Self.turns.count }
    return Self.turns[turn]
  }

  static let turns: [VisionRequest.Flags] = [[.plain], [.plain, .turned], [.plain, .stacked], [.inverted]]
}
