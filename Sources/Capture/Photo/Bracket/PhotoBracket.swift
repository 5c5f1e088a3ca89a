import FrameCore

/// A bracket that is taken: photos of one scene with different exposures, or one photo of all of them.
public final class PhotoBracket<Photo: Sendable>: Sendable {
  private struct State {
    var captures: [PhotoCapture<Photo>] = []
    var exposures: [BracketedExposure] = []
    var outcome: Result<Void, SafelightError>?
    var problem: SafelightError?
    /// The camera has its former exposure again.
    var hasRecovered = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  public let bracket: ExposureBracket
  /// As `BurstPosition.id`.
  let id: String
  private let state = Monitor(State())
  private let run: BracketRun

  init(_ bracket: ExposureBracket, _ run: BracketRun) {
    (self.bracket, self.run) = (bracket, run)
    id = PhotoBurst<Photo>.makeID()
  }

  /// The photos so far, in the order of the exposures; a fused one is the only one, and there from the beginning.
  public var captures: [PhotoCapture<Photo>] { state.read { $0.captures } }

  /// The exposures that were taken so far, in their order.
  public var exposures: [BracketedExposure] { state.read { $0.exposures } }

  /// Why controls of the camera have other values than before the bracket; nil if they are put back.
  public var controlsProblem: SafelightError? { state.read { $0.problem } }

  /// Takes no further exposures, and puts the controls back; photos that are taken are finished.
  public func cancel() { run.cancel() }

  /// Whether nothing is taken any more, the controls are put back, the brightness has settled and all photos have
  /// ended.
  public var hasEnded: Bool {
    state.read { $0.outcome != nil && $0.hasRecovered && $0.captures.allSatisfy(\.hasEnded) }
  }

  /// Why the bracket has not all of its exposures, and which it has; nil if it has, or before it has ended.
  public var failure: SafelightError? {
    guard case .failure(let error) = state.read({ $0.outcome }) else { return nil }
    return error
  }

  /// Waits for the photos, also if the task is cancelled.
  ///
  /// - Throws: why exposures are missing, `failure`, or why a photo failed.
  public func photos() async throws -> [Photo] {
    await withCheckedContinuation { continuation in
      let isOver = state.update { state in
        if state.outcome == nil { state.waiting.append(continuation) }
        return state.outcome != nil
      }
      if isOver { continuation.resume() }
    }
    var photos: [Photo] = []
    for capture in captures { photos.append(try await capture.photo()) }
    if let failure { throw failure }
    return photos
  }

  func append(_ capture: PhotoCapture<Photo>) { state.update { $0.captures.append(capture) } }

  func append(_ exposure: BracketedExposure) { state.update { $0.exposures.append(exposure) } }

  /// Nothing is taken any more.
  func end(_ failure: SafelightError?, controls problem: SafelightError?) {
    let waiting = state.update { state in
      defer { state.waiting = [] }
      let error = failure.map { Self.error($0, state.exposures, of: bracket) }
      (state.outcome, state.problem) = (error.map { .failure($0) } ?? .success(()), problem)
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func recovered() { state.update { $0.hasRecovered = true } }

  /// What ended the bracket before its time, with what there is of it.
  private static func error(
    _ error: SafelightError, _ taken: [BracketedExposure], of bracket: ExposureBracket
  ) -> SafelightError {
    let list = taken.map { ExposureBracket.text($0.askedStops) }.joined(separator: ", ")
    return SafelightError(
      error.code,
      "The bracket has \(taken.count) of \(bracket.stops.count) exposures\(list.isEmpty ? "" : " (\(list))"): "
        + error.problem, remedy: error.remedy)
  }
}
