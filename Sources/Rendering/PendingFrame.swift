import FrameCore

/// A frame that a renderer was handed and may still be at work on.
///
/// Every one is to be waited for, once and by one thread: until then the renderer holds both pictures, the source must
/// not change and the output is not there.
public struct PendingFrame: Sendable {
  /// Who is at work; nil where the frame is done.
  private let work: (any FrameInFlight)?
  /// Which of its frames.
  private let ticket: UInt64
  private let rescue: Rescue?

  /// What is done where the work fails.
  private struct Rescue: Sendable {
    let renderer: any FrameRescuer
    let source: PixelBuffer
    let plan: PreparedPlan
    let output: PixelBuffer
  }

  private init(work: (any FrameInFlight)?, ticket: UInt64, rescue: Rescue?) {
    (self.work, self.ticket, self.rescue) = (work, ticket, rescue)
  }

  /// A frame that is done.
  public static var done: PendingFrame { PendingFrame(work: nil, ticket: 0, rescue: nil) }

  package init(_ work: any FrameInFlight, ticket: UInt64) {
    self.init(work: work, ticket: ticket, rescue: nil)
  }

  /// This frame, which `renderer` renders again where it fails.
  package func rescued(
    by renderer: any FrameRescuer, _ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer
  ) -> PendingFrame {
    guard work != nil else { return self }
    return PendingFrame(
      work: work, ticket: ticket,
      rescue: Rescue(renderer: renderer, source: source, plan: plan, output: output))
  }

  /// Whether there is nothing to wait for, since the renderer was done when it returned.
  public var isDone: Bool { work == nil }

  /// Returns when the output is there.
  ///
  /// - Throws: `SafelightError` with what rendering failed with.
  public func wait() throws {
    guard let work else { return }
    do {
      try work.wait(for: ticket)
    } catch let error as SafelightError {
      guard let rescue else { throw error }
      try rescue.renderer.rescue(rescue.source, through: rescue.plan, into: rescue.output, after: error)
    }
  }

  /// What the frame's steps took on a device, soon after it was waited for: until its memory serves another frame. Nil
  /// where the renderer has no device, or the device no clock.
  public var times: FrameTimes? { work?.times(of: ticket) }
}

/// What the steps of a frame took on a device, in seconds. Steps that there was no need of are 0.
public struct FrameTimes: Sendable, Hashable {
  /// The source was copied into the device's memory.
  public var upload = 0.0
  /// The picture was reduced.
  public var reduction = 0.0
  /// Pixels were sampled, coloured and stored.
  public var kernel = 0.0
  /// The output was copied from the device's memory.
  public var download = 0.0
  /// The processor copied samples: to where the device fetches them, and from where it leaves them.
  public var staging = 0.0
  /// Of `staging`, what came after the device's work: the output was copied from where the device leaves it.
  public var stagingOut = 0.0
  /// From when the frame was handed over to when its output was there.
  public var wall = 0.0

  public init() {}
}

/// A renderer with frames under way.
package protocol FrameInFlight: AnyObject, Sendable {
  /// - Throws: `SafelightError`.
  func wait(for ticket: UInt64) throws
  func times(of ticket: UInt64) -> FrameTimes?
}

/// What renders a frame that another renderer failed on.
package protocol FrameRescuer: AnyObject, Sendable {
  /// - Throws: `error`, where nothing is to be done about it.
  func rescue(
    _ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer, after error: SafelightError
  ) throws
}
