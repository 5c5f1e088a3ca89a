/// Turns samples into what one kind of terminal draws them from.
protocol PicturePainter: AnyObject {
  var sampling: PreviewLayout.Sampling { get }
  /// Forgets what is on the screen: it has been cleared.
  func reset()
  /// Appends a picture.
  ///
  /// - Parameter samples: R, G, B, 8 bits each, as many as `layout.samples` says.
  func paint(_ samples: [UInt8], _ layout: PreviewLayout, into output: inout TerminalBytes)
}
