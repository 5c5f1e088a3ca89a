import FrameCore

extension PhotoOutput {
  /// Takes photos with different exposures, which are set through the camera one after another; each photo is of one
  /// frame, captured once the brightness has settled.
  ///
  /// Returns at once. The camera's controls are locked meanwhile and put back in the end, whatever happens; only if
  /// this program is killed they stay. Photos do not show the moment of the press (`ZeroShutterLag.Reason.bracket`).
  /// Other photos should not be taken until the bracket has ended: readiness is `notReadyWaitingForCapture`.
  ///
  /// Each photo goes through the events of `PhotoEvent` on its own, beginning when its exposure has settled, and has
  /// `BurstPosition` for its place. A fused one begins at once, and has all exposures in `CapturedPhoto.exposures`.
  ///
  /// - Parameters:
  ///   - device: the camera that the session's frames come from.
  ///   - isFused: whether one photo is made of all exposures, whose frames all must fit into the output's memory.
  ///   - settings: each photo has a copy of them, with an id of its own; it is of one frame, whatever the quality.
  ///   - pressedAt: on CLOCK_MONOTONIC.
  ///   - onEvent: called for each event of each photo.
  /// - Throws: before anything is set: `SafelightError` if the camera cannot expose so, if another bracket is taken or
  ///   if the session is not running; `CaptureFailure` if the camera is gone or configured by others.
  public func captureBracket(
    _ bracket: ExposureBracket, with device: CaptureDevice, isFused: Bool = false,
    _ settings: PhotoSettings = PhotoSettings(), pressedAt: Timestamp = .now,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)? = nil
  ) throws -> PhotoBracket<Photo> {
    try captureBracket(
      bracket, isFused: isFused, settings, pressedAt: pressedAt, onEvent: onEvent
    ) { try device.makeBracketCamera(for: bracket) }
  }

  /// - Parameter makeCamera: locks the camera, once nothing else hinders the bracket.
  func captureBracket(
    _ bracket: ExposureBracket, isFused: Bool, _ settings: PhotoSettings, pressedAt: Timestamp,
    onEvent: (@Sendable (PhotoEvent<Photo>) -> Void)?, makeCamera: () throws -> BracketCamera
  ) throws -> PhotoBracket<Photo> {
    guard readiness != .sessionNotRunning else {
      throw SafelightError(
        .device, "No bracket can be taken, since the session is not running", remedy: "start it first")
    }
    let isBusy = SafelightError(
      .invalidValue, "Another bracket is being taken", remedy: "wait until it has ended")
    guard !watch.isBusy else { throw isBusy }
    let camera = try makeCamera()
    let plan = camera.plan
    let run = BracketRun(
      BracketStateMachine(
        zip(bracket.stops, plan.steps).map { BracketStateMachine.Exposure(stops: $0, seconds: $1.seconds) },
        limit: bracket.settlingLimit))
    let taken = PhotoBracket<Photo>(bracket, run)
    guard watch.begin(run, isFused: isFused) else {
      try camera.putBack()
      throw isBusy
    }
    stopTracking(settings)
    var settings = settings.again()
    settings.qualityPrioritization = .speed
    let order = BracketOrder(taken, run, settings, pressedAt: pressedAt, onEvent: onEvent)
    desk.beginBracket()
    do {
      if isFused { try desk.beginFused(order, count: bracket.stops.count) }
      try WorkerThread(name: "bracket") { [desk, watch] in
        run.run(camera) { index, time, brightness, values in
          let exposure = BracketedExposure(
            askedStops: bracket.stops[index], stops: plan.steps[index].stops, means: plan.means,
            brightness: brightness, values: values)
          desk.take(exposure, index, at: time, of: order)
        } wasPutBack: { failure, problem in
          taken.end(failure, controls: problem)
          if isFused { desk.endFused(order, taken.failure) }
        }
        watch.end()
        desk.endBracket()
        taken.recovered()
      }.detach()
    } catch {
      watch.end()
      desk.endBracket()
      // Nothing was set yet; this unlocks the camera.
      try? camera.putBack()
      desk.endFused(order, error as? SafelightError)
      throw error
    }
    return taken
  }
}

/// Passes the brightness of frames to the bracket under way.
final class BracketWatch: Sendable {
  private struct State {
    var run: BracketRun?
    var isFused = false
  }
  private let state = Monitor(State())

  /// - Returns: false if another bracket is under way.
  func begin(_ run: BracketRun, isFused: Bool) -> Bool {
    state.update { state in
      guard state.run == nil else { return false }
      state = State(run: run, isFused: isFused)
      return true
    }
  }

  var isBusy: Bool { state.read { $0.run != nil } }

  func end() { state.update { $0.run = nil } }

  /// A frame was kept.
  func frame(_ frame: Frame) {
    guard let run = state.read({ $0.run }) else { return }
    run.frame(meanLuma: LumaProbe.meanLuma(of: frame.buffer), at: frame.time)
  }

  /// A frame could not be kept. The frames of a fused photo stay until it is made.
  func frameNotKept() { state.read { $0.isFused ? $0.run : nil }?.memoryIsShort() }

  func closed() { state.read { $0.run }?.closed() }
}
