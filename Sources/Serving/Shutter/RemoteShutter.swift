import Capture
import FrameCore
import Synchronization

/// A shutter button on a page: passes presses to whoever takes photos, and photos back to those who wait for them.
package final class RemoteShutter: Sendable {
  package struct Press: Sendable, Hashable {
    /// The press's number in this run, from 1.
    package let number: Int
    /// On CLOCK_MONOTONIC.
    package let moment: Timestamp
  }

  /// A photo that was written.
  package struct Photo: Sendable {
    package let path: String
    /// The report as JSON, on one line.
    package let report: String
    /// A small JPEG of it; nil if it could not be made.
    package let thumbnail: [UInt8]?
    /// The file as it was written: another one of its name is not served.
    let identity: ServedFile.Identity?

    package init(path: String, report: String, thumbnail: [UInt8]?) {
      (self.path, self.report, self.thumbnail) = (path, report, thumbnail)
      identity = ServedFile.Identity(path)
    }
  }

  private struct State {
    var desk = ShutterDesk()
    var readiness: (@Sendable () -> PhotoReadiness)?
    var onPress: (@Sendable (Press) -> Void)?
  }
  private let state = Mutex(State())
  /// Clients that wait for presses to end, by their numbers.
  private let waiters = Waiters<Int, ShutterDesk.Outcome>()

  package init() {}

  // MARK: The photographer's side

  /// Begins to accept presses.
  ///
  /// - Parameters:
  ///   - readiness: whether a photo would be taken at once.
  ///   - onPress: called for each press, on a thread of the server; must not block. Each is to be answered by `finish` or
  ///     `fail`.
  package func begin(
    readiness: @escaping @Sendable () -> PhotoReadiness, onPress: @escaping @Sendable (Press) -> Void
  ) {
    state.withLock { ($0.readiness, $0.onPress) = (readiness, onPress) }
  }

  /// - Parameter photos: what a press has become, in order; at least one.
  package func finish(_ number: Int, _ photos: [Photo]) { end(number, .taken(photos)) }

  /// Replaces the photos of a press that has become some: by the final ones of proxies.
  package func replace(_ number: Int, _ photos: [Photo]) {
    state.withLock { $0.desk.replace(number, photos) }
  }

  /// - Parameter sentence: why there is no photo.
  package func fail(_ number: Int, _ sentence: String) { end(number, .failed(sentence)) }

  /// Accepts no more presses; those without a photo fail.
  package func end() {
    let failed = state.withLock { state in
      (state.readiness, state.onPress) = (nil, nil)
      return state.desk.end()
    }
    for number in failed { tell(number) }
  }

  private func end(_ number: Int, _ outcome: ShutterDesk.Outcome) {
    state.withLock { $0.desk.end(number, outcome) }
    tell(number)
  }

  private func tell(_ number: Int) {
    if let outcome = outcome(of: number), !outcome.isUnderWay { waiters.give(outcome, to: number) }
  }

  // MARK: The network's side

  func outcome(of number: Int) -> ShutterDesk.Outcome? { state.withLock { $0.desk.outcome(of: number) } }

  /// Waits until a press has ended. Returns nil if it has not within `time`, or is not known.
  func end(of number: Int, within time: Duration) async -> ShutterDesk.Outcome? {
    guard outcome(of: number) != nil else { return nil }
    return await waiters.value(for: number, within: time) {
      outcome(of: number).flatMap { $0.isUnderWay ? nil : $0 }
    }
  }

  var newest: Int? { state.withLock { $0.desk.newest } }

  /// Whether a press now would become a photo at once.
  var readiness: PhotoReadiness {
    let (readiness, isFree) = state.withLock { ($0.readiness, $0.desk.isFree) }
    guard let readiness else { return .sessionNotRunning }
    return isFree ? readiness() : .notReadyWaitingForProcessing
  }

  /// Passes a press on.
  func press(at moment: Timestamp, now: Timestamp) -> Result<Int, RefusedPress> {
    let (result, onPress) = state.withLock {
      state -> (Result<Int, RefusedPress>, (@Sendable (Press) -> Void)?) in
      guard let onPress = state.onPress else { return (.failure(RefusedPress(reason: .ended)), nil) }
      return (state.desk.press(now: now), onPress)
    }
    if case .success(let number) = result { onPress?(Press(number: number, moment: moment)) }
    return result
  }
}
