import FrameAnalysis
import FrameCore
import Synchronization

/// Measures the steadied level of each frame before it is shown, for sources that can wait for it.
///
/// Frames that cannot wait are measured by `LiveAnalyzer` in parallel with rendering. The same frames give the
/// same levels.
public final class LevelMeter: Sendable {
  /// The step between levels, in degrees, too small to be seen: each level needs a plan of its own.
  public static let step = 0.05

  private struct State {
    let proxy = AnalysisProxy()
    let detector = HorizonDetector()
    var tracker = HorizonTracker()
  }
  private let state = Mutex(State())

  public init() {}

  /// Returns the rotation that levels `frame`, in degrees as `Straighten` takes it; nil until a horizon is found.
  ///
  /// - Throws: `SafelightError` if the frame's ICC profile is damaged or is not of the matrix/TRC type.
  public func level(of frame: Frame) throws -> Double? {
    try state.withLock { state in
      try state.proxy.update(from: frame)
      let horizon = state.detector.detect(in: state.proxy)
      return state.tracker.update(horizon, at: frame.time).map(Self.stepped)
    }
  }

  /// The nearest multiple of `step`, clamped to ±45°, the range that a look takes.
  public static func stepped(_ level: Double) -> Double {
    min(max((level / step).rounded() * step, -45), 45)
  }
}
