import Capture
import FrameAnalysis
import FrameCore

/// Something that is measured on live frames: on the small picture that all analyses of a frame share, with state that they
/// share too.
public struct PictureAnalysis<State, Value: Sendable>: Sendable {
  /// Unique within an analyzer; for people and for `AnalyzerStatistics`.
  public let name: String
  /// Runs on the analyzer's thread, for one frame at a time. The picture is valid until it returns.
  public let analyze:
    @Sendable (_ state: inout State, _ picture: AnalysisProxy, _ frame: Frame) throws -> Value

  public init(
    _ name: String,
    _ analyze:
      @escaping @Sendable (_ state: inout State, _ picture: AnalysisProxy, _ frame: Frame) throws ->
      Value
  ) {
    (self.name, self.analyze) = (name, analyze)
  }

  /// An analysis that looks at nothing but the small picture.
  public init(
    _ name: String,
    _ analyze: @escaping @Sendable (_ state: inout State, _ picture: AnalysisProxy) throws -> Value
  ) {
    self.init(name) { state, picture, _ in try analyze(&state, picture) }
  }
}

extension FrameAnalyzer {
  /// An analyzer whose analyses share a small picture of each frame, which is made once, and state of their own.
  ///
  /// The state belongs to the analyzer's thread alone and need not be `Sendable`: a detector, a tracker, buffers.
  ///
  ///     let analyzer = try FrameAnalyzer(
  ///       budget: 0.008, makeState: { HorizonDetector() },
  ///       analyses: [PictureAnalysis("tilt") { detector, picture in detector.detect(in: picture).degrees ?? 0 }])
  ///
  /// - Parameters:
  ///   - output: as for `init(output:analyses:budget:)`.
  ///   - budget: as for `init(output:analyses:budget:)`; the first analysis of a frame pays for the picture.
  ///   - makeState: called on the analyzer's thread when it starts.
  /// - Throws: as `init(output:analyses:budget:)`.
  public convenience init<State>(
    output: VideoDataOutput = VideoDataOutput(holdsUnpacedSources: false), budget: Double,
    makeState: @escaping @Sendable () -> State, analyses: [PictureAnalysis<State, Value>]
  ) throws {
    try self.init(output: output, names: analyses.map(\.name), budget: budget) {
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
