/// Turns samples into the control sequences of one kind of terminal.
protocol PicturePainter: AnyObject {
  var sampling: PreviewLayout.Sampling { get }
  /// Forgets what is on the screen, because it was cleared.
  func reset()
  /// Appends a picture.
  ///
  /// - Parameter samples: R, G, B, 8 bits each, as many as `layout.samples` says.
  func paint(_ samples: [UInt8], _ layout: PreviewLayout, into output: inout TerminalBytes)
}
