import FrameAnalysis
import FrameCore

/// Finds faces: upright, frontal ones by a cascade of opencv-data, or what the user's YuNet model finds (OpenCV).
///
/// The cascade misses profiles, faces that lean by more than about 15°, and small ones: of WIDER FACE's easy, medium and
/// hard faces such cascades reach an average precision of 0.37, 0.38 and 0.21. `confidence` is n / (n + m) of the n
/// neighbouring windows that agree, where m is twice as many as must; or the model's own.
public struct FaceDetector: FrameDetector {
  public static let name = VisionAbility.faces.name

  /// How hard a picture is searched.
  public enum Effort: Sendable, Hashable {
    /// For photos: at up to 960 pixels, faces from 24 pixels of them on.
    case thorough
    /// For live frames: at 320 pixels, faces from 20 pixels of them on.
    case live
  }

  static let photoLongEdge = 960

  private let worker: VisionWorker
  private let effort: Effort

  /// - Parameter worker: has the ability `faces`.
  public init(_ worker: VisionWorker, effort: Effort = .thorough) {
    (self.worker, self.effort) = (worker, effort)
  }

  public mutating func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    switch effort {
    case .thorough:
      let limits = FrameLimits(longEdge: Self.photoLongEdge, seconds: 20)
      return try frame.find(.faces, .harder, with: worker, limits: limits).map {
        $0.thing.detection(.face, in: $0.size)
      }
    case .live:
      let size = proxy.size
      guard size.pixelCount > 0 else { return [] }
      let things = try worker.find(.faces, [], seconds: 1, size: size) { target in
        let luma = proxy.luma
        for index in luma.indices { target.base[index] = UInt8(min(max(luma[index], 0), 1) * 255) }
      }
      return things.map { $0.detection(.face, in: size) }
    }
  }
}
