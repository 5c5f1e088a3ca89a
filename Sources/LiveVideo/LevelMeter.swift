import FrameAnalysis
import FrameCore
import Synchronization

/// The level of frame after frame, steadied, for whoever can wait for it: every frame is measured before it is shown.
///
/// Frames that cannot wait are measured beside the picture by `LiveAnalyzer`. The same frames give the same levels.
public final class LevelMeter: Sendable {
  /// Levels come in steps that nobody sees, degrees: each is a plan of its own.
  public static let step = 0.05

  private struct State {
    let proxy = AnalysisProxy()
    let detector = HorizonDetector()
    var tracker = HorizonTracker()
  }
  private let state = Mutex(State())

  public init() {}

  /// The turn that levels `frame`, as `Straighten` takes it; nil until a horizon was found.
  ///
  /// - Throws: `SafelightError` where the frame's ICC profile is damaged or is not a matrix with curves.
  public func level(of frame: Frame) throws -> Double? {
    try state.withLock { state in
      try state.proxy.update(from: frame)
      let horizon = state.detector.detect(in: state.proxy)
      return state.tracker.update(horizon, at: frame.time).map(Self.stepped)
    }
  }

  /// The nearest level that a look takes.
  public static func stepped(_ level: Double) -> Double {
    min(max((level / step).rounded() * step, -45), 45)
  }
}
