import FrameCore
import Synchronization

/// What happens to one photo, in this order. The last event is either `finished` or `failed`.
public enum PhotoEvent<Photo: Sendable>: Sendable {
  /// The press was accepted, with these settings.
  case willBegin(ResolvedPhotoSettings)
  /// The moment to play a shutter sound or to blink: frames are being chosen.
  case willCapture(ResolvedPhotoSettings)
  /// The frames are there; the scene may change.
  case didCapture(PhotoMoment)
  /// A small picture of the photo, if it is made.
  case thumbnail(PixelBuffer)
  /// A first version of a deferred photo.
  case proxy(Photo)
  case finished(Photo)
  case failed(any Error)
}

/// Tells what there is of a photo while it is processed.
public struct PhotoUpdates<Photo: Sendable>: Sendable {
  private let emit: @Sendable (PhotoEvent<Photo>) -> Void

  init(_ emit: @escaping @Sendable (PhotoEvent<Photo>) -> Void) { self.emit = emit }

  public func thumbnail(_ picture: PixelBuffer) { emit(.thumbnail(picture)) }

  /// - Parameter photo: the first version, which is to be finished later.
  public func proxy(_ photo: Photo) { emit(.proxy(photo)) }
}

/// One photo on its way from the press to its result.
public final class PhotoCapture<Photo: Sendable>: Sendable {
  public typealias Event = PhotoEvent<Photo>

  public let settings: ResolvedPhotoSettings
  /// The photo's events, from the first on; ends after the last.
  public let events: AsyncStream<Event>

  private let continuation: AsyncStream<Event>.Continuation
  private let onEvent: (@Sendable (Event) -> Void)?
  private struct Ending {
    var result: Result<Photo, any Error>?
    var waiting: [CheckedContinuation<Photo, any Error>] = []
  }
  private let ending = Monitor(Ending())

  init(_ settings: ResolvedPhotoSettings, onEvent: (@Sendable (Event) -> Void)?) {
    self.settings = settings
    self.onEvent = onEvent
    (events, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  /// Waits for the finished photo, also if the task is cancelled: the photo is taken all the same.
  ///
  /// - Throws: why there is none.
  public func photo() async throws -> Photo {
    try await withCheckedThrowingContinuation { continuation in
      let result = ending.update { ending in
        if ending.result == nil { ending.waiting.append(continuation) }
        return ending.result
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Blocks until the photo is finished, or until `deadline`; then returns nil.
  ///
  /// - Throws: why there is none.
  package func wait(until deadline: Timestamp) throws -> Photo? {
    try ending.wait(until: deadline) { $0.result }?.get()
  }

  /// The photo has ended, in one way or the other.
  public var hasEnded: Bool { ending.read { $0.result != nil } }

  func emit(_ event: Event) {
    continuation.yield(event)
    onEvent?(event)
  }

  /// Ends the photo.
  func end(_ outcome: Result<Photo, any Error>) {
    // First, so that whoever reacts to the event finds it.
    let waiting = ending.update { ending in
      defer { ending.waiting = [] }
      ending.result = outcome
      return ending.waiting
    }
    for continuation in waiting { continuation.resume(with: outcome) }
    switch outcome {
    case .success(let photo): emit(.finished(photo))
    case .failure(let error): emit(.failed(error))
    }
    continuation.finish()
  }
}

/// Photos of successive frames.
public final class PhotoBurst<Photo: Sendable>: Sendable {
  private struct State {
    var captures: [PhotoCapture<Photo>] = []
    var remaining: Int
    /// Whether the next photo is being prepared.
    var isBeginning = false
  }
  private let state: Monitor<State>
  /// As `BurstPosition.id`.
  let id: String

  init(count: Int) {
    state = Monitor(State(remaining: count))
    id = Self.makeID()
  }

  /// As `BurstPosition.id`.
  static func makeID() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The photos so far; complete once `hasEnded`.
  public var captures: [PhotoCapture<Photo>] { state.read { $0.captures } }

  /// Takes no further photos; those begun are finished.
  public func stop() { state.update { $0.remaining = 0 } }

  /// Whether all photos are begun, and have ended.
  public var hasEnded: Bool {
    state.read { $0.remaining == 0 && !$0.isBeginning && $0.captures.allSatisfy(\.hasEnded) }
  }

  /// Whether further photos are to be taken.
  var goesOn: Bool { state.read { $0.remaining > 0 } }

  /// Begins the next photo, which is to be appended or given up; nil if there is none.
  ///
  /// - Returns: its index.
  func beginNext() -> Int? {
    state.update { state in
      guard state.remaining > 0 else { return nil }
      state.isBeginning = true
      return state.captures.count
    }
  }

  func append(_ capture: PhotoCapture<Photo>) {
    state.update { state in
      state.captures.append(capture)
      state.remaining = max(0, state.remaining - 1)
      state.isBeginning = false
    }
  }

  /// No photo follows those that are there.
  func giveUp() { state.update { ($0.remaining, $0.isBeginning) = (0, false) } }
}
