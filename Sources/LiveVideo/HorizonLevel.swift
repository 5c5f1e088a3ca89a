import FrameAnalysis
import FrameCore
import Synchronization

/// Measures the steadied level of each frame before it is shown, for sources that can wait for it.
///
/// Frames that cannot wait are measured by `LiveAnalyzer` in parallel with rendering. The same frames give the
/// same levels.
package final class HorizonLevel: Sendable {
  /// The step between levels, in degrees, too small to be seen: each level needs a plan of its own.
  package static let step = 0.05

  private struct State {
    let proxy = AnalysisProxy()
    var horizon = SteadiedHorizon()
  }
  private let state = Mutex(State())

  package init() {}

  /// Returns the rotation that levels `frame`, in degrees as `Straighten` takes it; nil until a horizon is found.
  ///
  /// - Throws: `SafelightError` if the frame's ICC profile is damaged or is not of the matrix/TRC type.
  package func level(of frame: Frame) throws -> Double? {
    try state.withLock { state in
      try state.proxy.update(from: frame)
      return state.horizon.find(in: state.proxy, at: frame.time).level.map(Self.stepped)
    }
  }

  /// The nearest multiple of `step`, clamped to ±45°, the range that a look takes.
  package static func stepped(_ level: Double) -> Double {
    min(max((level / step).rounded() * step, -45), 45)
  }
}

/// Finds the horizon in successive frames and steadies its level.
struct SteadiedHorizon {
  private let detector = HorizonDetector()
  private var tracker = HorizonTracker()

  /// - Parameter time: the time of the frame.
  /// - Returns: the frame's own horizon, and the level to show with it, in degrees as `Straighten` takes it; nil
  ///   until a horizon is found.
  mutating func find(in proxy: AnalysisProxy, at time: Timestamp) -> (horizon: Horizon, level: Double?) {
    let horizon = detector.detect(in: proxy)
    return (horizon, tracker.update(horizon, at: time))
  }
}
