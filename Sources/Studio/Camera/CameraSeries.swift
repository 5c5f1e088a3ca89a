import Safelight

/// Photos that one press takes one after another.
enum CameraSeries: Sendable {
  case burst(PhotoBurst<DeliveredPhoto>)
  case bracket(PhotoBracket<DeliveredPhoto>)

  /// Whether all of its photos are written, or have failed.
  var hasEnded: Bool {
    switch self {
    case .burst(let burst): burst.hasEnded
    case .bracket(let bracket): bracket.hasEnded
    }
  }

  var count: Int {
    switch self {
    case .burst(let burst): burst.captures.count
    case .bracket(let bracket): bracket.captures.count
    }
  }

  /// Why photos are missing, or why the camera has not its former exposure; nil if neither is so.
  var failure: SafelightError? {
    switch self {
    case .burst: nil
    case .bracket(let bracket): bracket.failure ?? bracket.controlsProblem
    }
  }

  /// The press has ended. A bracket goes on.
  func release() {
    switch self {
    case .burst(let burst): burst.stop()
    case .bracket: break
    }
  }

  /// Takes no more photos; those begun are finished.
  func stop() {
    switch self {
    case .burst(let burst): burst.stop()
    case .bracket(let bracket): bracket.cancel()
    }
  }
}
