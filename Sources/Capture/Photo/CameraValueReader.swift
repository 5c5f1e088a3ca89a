import FrameCore

/// Reads a camera's values for photos as they are taken, on a thread of its own: a driver that takes its time to answer
/// holds up neither frames nor events. Presses in quick succession share a reading that begins after them.
final class CameraValueReader: Sendable {
  /// What is being read for a photo, or for all of a burst.
  final class Reading: Sendable {
    private let result = Monitor<CameraValues??>(nil)

    fileprivate func end(_ values: CameraValues?) { result.update { $0 = .some(values) } }

    /// Blocks until the values are read, but not for long; nil if they cannot be, or if the driver hangs.
    func wait() -> CameraValues? {
      result.wait(until: Timestamp.now.advanced(bySeconds: CameraValueReader.patience)) { $0 } ?? nil
    }
  }

  /// How long a photo waits for values, in seconds.
  private static let patience = 2.0

  private struct State {
    var waiting: [Reading] = []
    var hasThread = false
  }
  private let state = Monitor(State())
  private let read: @Sendable () -> CameraValues?

  init(_ read: @escaping @Sendable () -> CameraValues?) { self.read = read }

  /// Begins to read; returns at once.
  func begin() -> Reading {
    let reading = Reading()
    let needsThread = state.update { state in
      state.waiting.append(reading)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard needsThread else { return reading }
    do {
      try WorkerThread(name: "camera-values") { self.work() }.detach()
    } catch {
      // The photo counts more than its metadata.
      let waiting = state.update { state in
        defer { (state.waiting, state.hasThread) = ([], false) }
        return state.waiting
      }
      for reading in waiting { reading.end(nil) }
    }
    return reading
  }

  private func work() {
    while let readings = take() {
      let values = read()
      for reading in readings { reading.end(values) }
    }
  }

  /// The readings asked for; nil if there are none, and the thread is to end.
  private func take() -> [Reading]? {
    state.update { state in
      guard !state.waiting.isEmpty else {
        state.hasThread = false
        return nil
      }
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
