import Capture
import FrameAnalysis
import FrameCore

/// A measurement on live frames. It runs on the small picture that all analyses of a frame share, with state that
/// they share too.
public struct PictureAnalysis<State, Value: Sendable>: Sendable {
  /// The name, unique within an analyzer; shown to users and in `AnalyzerStatistics`.
  public let name: String
  /// The least seconds between two runs, by the frames' times; 0 runs on every frame.
  public let interval: Double
  /// Called on the analyzer's thread, for one frame at a time. The picture is valid until it returns.
  public let analyze:
    @Sendable (_ state: inout State, _ picture: AnalysisProxy, _ frame: Frame) throws -> Value

  public init(
    _ name: String, interval: Double = 0,
    _ analyze:
      @escaping @Sendable (_ state: inout State, _ picture: AnalysisProxy, _ frame: Frame) throws ->
      Value
  ) {
    (self.name, self.interval, self.analyze) = (name, interval, analyze)
  }

  /// Creates an analysis that uses only the small picture.
  public init(
    _ name: String, interval: Double = 0,
    _ analyze: @escaping @Sendable (_ state: inout State, _ picture: AnalysisProxy) throws -> Value
  ) {
    self.init(name, interval: interval) { state, picture, _ in try analyze(&state, picture) }
  }
}

extension FrameAnalyzer {
  /// Creates an analyzer whose analyses share a small picture of each frame, which is made once, and state of
  /// their own.
  ///
  /// The state is only used on the analyzer's thread and need not be `Sendable`: a detector, a tracker, buffers.
  ///
  ///     let analyzer = try FrameAnalyzer(
  ///       budget: 0.008, makeState: { HorizonDetector() },
  ///       analyses: [PictureAnalysis("tilt") { detector, picture in detector.detect(in: picture).degrees ?? 0 }])
  ///
  /// - Parameters:
  ///   - output: as for `init(output:analyses:budget:)`.
  ///   - budget: as for `init(output:analyses:budget:)`; the time to make the picture counts towards the first
  ///     analysis of a frame.
  ///   - makeState: called on the analyzer's thread when it starts.
  /// - Throws: as `init(output:analyses:budget:)`.
  public convenience init<State>(
    output: VideoDataOutput = VideoDataOutput(holdsUnpacedSources: false), budget: Double,
    makeState: @escaping @Sendable () -> State, analyses: [PictureAnalysis<State, Value>]
  ) throws {
    try self.init(
      output: output, names: analyses.map(\.name), intervals: analyses.map(\.interval), budget: budget
    ) {
      var state = makeState()
      let proxy = AnalysisProxy()
      var proxied: (sequence: UInt64, time: Timestamp)?
      return { index, frame in
        if proxied.map({ $0 != (frame.sequence, frame.time) }) ?? true {
          proxied = nil
          try proxy.update(from: frame)
          proxied = (frame.sequence, frame.time)
        }
        return try analyses[index].analyze(&state, proxy, frame)
      }
    }
  }
}
