import FrameCore

/// A frame on its way through a renderer.
///
/// Its source and output stay as they are until it has been waited for.
public struct PendingFrame: Sendable {
  /// What a renderer that works beside its caller waits with.
  package protocol Completion: AnyObject, Sendable {
    /// Returns once the frame is rendered.
    func wait() throws
  }
  private let completion: (any Completion)?

  /// - Parameter completion: nil where the frame is rendered already.
  package init(_ completion: (any Completion)? = nil) { self.completion = completion }

  /// Whether nothing is left to wait for, since the renderer was done when it returned.
  public var isRendered: Bool { completion == nil }

  /// Returns once the output is whole. To be called once.
  ///
  /// - Throws: `SafelightError` where rendering failed; the output is undefined then.
  public func wait() throws { try completion?.wait() }
}
