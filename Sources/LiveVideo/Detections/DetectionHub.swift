import FrameAnalysis
import FrameCore
import Synchronization

/// Where the detections of all detectors meet: they are followed, and told as events.
///
/// A detection belongs to the frame that it was made from, which is an earlier one by the time it is known: it is carried
/// to the newest frame as the picture has moved since, and on with every frame.
final class DetectionHub: Sendable {
  private struct State {
    var tracker: DetectionTracker
    /// The newest frame that was looked at.
    var last: (time: Timestamp, sequence: UInt64, size: PixelSize)?
    var hasEnded = false
    /// The detectors whose failure was told.
    var failed: Set<String> = []
    var notes: [String] = []
  }
  private let state: Mutex<State>
  private let flow = PictureFlow()
  private let occurred: @Sendable (LiveEvent) -> Void

  init(
    _ detectors: [LiveDetector], zones: [Zone], occurred: @escaping @Sendable (LiveEvent) -> Void
  ) {
    let settings = Dictionary(detectors.map { ($0.kind, $0.tracking) }) { first, _ in first }
    state = Mutex(State(tracker: DetectionTracker(zones: zones, settings: settings)))
    self.occurred = occurred
  }

  /// Searches a frame, and tells what is new; on the detector's thread.
  func look(_ detector: LiveDetector, in proxy: AnalysisProxy, of frame: Frame) throws {
    let size = proxy.sourceSize
    do {
      let found = try detector.detector.detections(in: proxy, of: frame)
      let flowed = flowed(detector.kind, to: frame.time)
      tell(size, frame) {
        $0.update(detector.kind, with: found, at: frame.time, sequence: frame.sequence, flowed: flowed)
      }
      carry(detector.kind)
    } catch {
      state.withLock { state in
        // Once; how often it happens is in the statistics.
        guard state.failed.insert(detector.name).inserted else { return }
        state.notes.append("\(detector.name): \(error)")
      }
      tell(size, frame) { $0.missed(detector.kind, at: frame.time, sequence: frame.sequence) }
      throw error
    }
  }

  /// Where the picture has moved things of a kind to, from the frames that they were found in to a later one.
  private func flowed(_ kind: Detection.Kind, to time: Timestamp) -> [UInt64: [NormalizedPoint]] {
    let things = state.withLock { $0.tracker.followed(kind) }
    return things.isEmpty ? [:] : flow.moved(things, to: time)?.outlines ?? [:]
  }

  /// Carries what is followed to the newest frame.
  private func carry(_ kind: Detection.Kind? = nil) {
    // The flow takes its time, and the render thread waits for `state`: not both at once.
    let things = state.withLock { $0.tracker.followed(kind) }
    guard !things.isEmpty, let (outlines, time) = flow.moved(things) else { return }
    state.withLock { $0.tracker.carry(things, to: outlines, at: time) }
  }

  /// Follows what was found into a frame; on a thread of its own, for every frame. Does nothing while nothing is there.
  ///
  /// - Parameter proxy: of that thread; the frame's luma is read into it.
  func follow(_ frame: Frame, _ proxy: AnalysisProxy) throws {
    guard state.withLock({ $0.tracker.followsFlow }) else { return }
    try proxy.updateLuma(from: frame.buffer, orientation: frame.orientation)
    flow.update(from: proxy, at: frame.time)
    carry()
  }

  private func tell(
    _ size: PixelSize, _ frame: Frame, _ change: (inout DetectionTracker) -> [DetectionEvent]
  ) {
    let events = state.withLock { state -> [DetectionEvent] in
      guard !state.hasEnded else { return [] }
      state.last = (frame.time, frame.sequence, size)
      return change(&state.tracker)
    }
    for event in events { occurred(LiveEvent(.detection(event), size: size)) }
  }

  func tell(_ peak: FocusPeak, size: PixelSize) { occurred(LiveEvent(.focusPeak(peak), size: size)) }

  /// Ends all tracks, once; nothing is told afterwards.
  func finish() {
    let (events, size) = state.withLock { state -> ([DetectionEvent], PixelSize) in
      guard !state.hasEnded, let last = state.last else { return ([], PixelSize(width: 0, height: 0)) }
      state.hasEnded = true
      return (state.tracker.finish(at: last.time, sequence: last.sequence), last.size)
    }
    for event in events { occurred(LiveEvent(.detection(event), size: size)) }
  }

  func tracks(at time: Timestamp) -> [DetectionTrack] { state.withLock { $0.tracker.tracks(at: time) } }

  var tracks: [DetectionTrack] { state.withLock { $0.tracker.tracks } }

  func takeNotes() -> [String] {
    state.withLock { state in
      defer { state.notes = [] }
      return state.notes
    }
  }
}
