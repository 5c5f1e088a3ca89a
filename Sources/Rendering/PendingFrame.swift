import FrameCore

/// A frame that was submitted to a renderer, which may still be working on it.
///
/// Every frame must be waited for, once and by one thread. Until then the renderer holds both pictures, the source
/// must not change and the output is undefined.
public struct PendingFrame: Sendable {
  /// The renderer working on the frame; nil if the frame is done.
  private let work: (any FrameInFlight)?
  /// Identifies the frame among the renderer's.
  private let ticket: UInt64
  private let rescue: Rescue?

  /// What to do if the work fails.
  private struct Rescue: Sendable {
    let plan: any FrameRescuer
    let source: PixelBuffer
    let output: PixelBuffer
  }

  private init(work: (any FrameInFlight)?, ticket: UInt64, rescue: Rescue?) {
    (self.work, self.ticket, self.rescue) = (work, ticket, rescue)
  }

  /// A frame that is done.
  public static var done: PendingFrame { PendingFrame(work: nil, ticket: 0, rescue: nil) }

  /// A frame that a device is working on.
  ///
  /// - Parameter ticket: identifies the frame among those of `work`.
  public init(_ work: any FrameInFlight, ticket: UInt64) {
    self.init(work: work, ticket: ticket, rescue: nil)
  }

  /// Returns this frame, which `plan` renders again if it fails.
  package func rescued(by plan: any FrameRescuer, _ source: PixelBuffer, into output: PixelBuffer)
    -> PendingFrame
  {
    guard work != nil else { return self }
    return PendingFrame(
      work: work, ticket: ticket, rescue: Rescue(plan: plan, source: source, output: output))
  }

  /// Whether the renderer was done when it returned, so that there is nothing to wait for.
  public var isDone: Bool { work == nil }

  /// Returns when the output is complete.
  ///
  /// - Throws: the `SafelightError` that rendering failed with.
  public func wait() throws {
    guard let work else { return }
    do {
      try work.wait(for: ticket)
    } catch let error as SafelightError {
      guard let rescue else { throw error }
      try rescue.plan.rescue(rescue.source, into: rescue.output, after: error)
    }
  }

  /// The times of the frame's steps on a device. Available after `wait()` until the frame's memory is reused; nil
  /// if the renderer has no device, if the device has no clock, or if the frame failed there, even if it was rendered
  /// again.
  public var times: FrameTimes? { work?.times(of: ticket) }
}

/// The times of a frame's steps on a device, in seconds. Steps that were not needed are 0.
public struct FrameTimes: Sendable, Hashable {
  /// Copying the source into the device's memory.
  public var upload = 0.0
  /// Removing the picture's noise.
  public var denoising = 0.0
  /// Downsampling the picture.
  public var downsampling = 0.0
  /// Sampling, colouring and storing pixels.
  public var kernel = 0.0
  /// Copying the output from the device's memory.
  public var download = 0.0
  /// Copying samples on the processor, to and from the memory that the device accesses.
  public var staging = 0.0
  /// The part of `staging` after the device's work: copying the output from the memory that the device wrote.
  public var stagingOut = 0.0
  /// From the frame's submission until its output was complete.
  public var wall = 0.0

  public init() {}
}

/// A device with frames in flight, for plans that return from `submit` while it is working.
public protocol FrameInFlight: AnyObject, Sendable {
  /// Returns when the frame's output is complete.
  ///
  /// - Throws: `SafelightError`.
  func wait(for ticket: UInt64) throws
  /// The times of the frame's steps, after `wait`; nil if they are not known.
  func times(of ticket: UInt64) -> FrameTimes?
}

/// A prepared plan that renders a frame again after another renderer failed on it.
package protocol FrameRescuer: AnyObject, Sendable {
  /// - Throws: `error`, if it cannot be remedied.
  func rescue(_ source: PixelBuffer, into output: PixelBuffer, after error: SafelightError) throws
}
