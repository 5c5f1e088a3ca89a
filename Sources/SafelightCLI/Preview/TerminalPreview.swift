import Safelight

/// Draws live pictures in the terminal, above a status line.
///
/// Pixels if the terminal has kitty's graphics or sixels, half blocks otherwise. Pictures that come too fast for
/// the terminal, or for the eye, are left out. The owner of the terminal closes it.
final class TerminalPreview: FrameSink, @unchecked Sendable {
  let name = "preview"
  private let terminal: Terminal
  private let painter: any PicturePainter
  private let statusLine: @Sendable () -> String
  private let frameInterval: Double
  private let scaler = AreaScaler()
  private var output = TerminalBytes()
  private var layout: PreviewLayout?
  private var shownStatus = ""
  private var nextTime = Timestamp(nanoseconds: 0)

  /// The way pictures are drawn.
  enum Graphics: String, CaseIterable { case kitty, sixel, blocks }

  /// - Parameters:
  ///   - graphics: nil chooses the best that the terminal reports.
  ///   - framesPerSecond: frames beyond this rate are not drawn.
  ///   - statusLine: called for each frame that is drawn, on the sink's thread.
  init(
    _ terminal: Terminal, graphics: Graphics? = nil, framesPerSecond: Double = 24,
    statusLine: @escaping @Sendable () -> String
  ) {
    self.terminal = terminal
    self.statusLine = statusLine
    frameInterval = 1 / framesPerSecond
    let best: Graphics =
      terminal.capabilities.kittyGraphics ? .kitty : terminal.capabilities.sixel ? .sixel : .blocks
    painter =
      switch graphics ?? best {
      case .kitty: KittyPainter()
      case .sixel: SixelPainter()
      case .blocks: HalfBlockPainter(terminal.capabilities.colors)
      }
  }

  func open(_ format: SinkFormat) { terminal.enterScreen() }

  func write(_ frame: RenderedFrame) throws {
    // A signal has restored the terminal; the program is about to end.
    guard !terminal.isGivenBack else { return }
    let now = Timestamp.now
    guard now >= nextTime, try terminal.isReady() else { return }
    // Jitter must not halve the rate of frames that come at exactly this rate.
    nextTime = now.advanced(bySeconds: 0.8 * frameInterval)
    output.removeAll()
    draw(frame.picture)
    try terminal.write(output.bytes)
  }

  func close() { terminal.leaveScreen() }

  private func draw(_ picture: PixelBuffer) {
    let size = terminal.size
    guard let next = PreviewLayout(picture.size, in: size, sampling: painter.sampling) else { return }
    scaler.scale(picture, to: next.samples)
    let isSynchronized = terminal.capabilities.synchronizedOutput
    if isSynchronized { output.append("\u{1B}[?2026h") }
    if layout != next {
      output.append("\u{1B}[0m\u{1B}[2J")
      painter.reset()
      shownStatus = ""
      layout = next
    }
    painter.paint(scaler.samples, next, into: &output)
    drawStatus(size)
    if isSynchronized { output.append("\u{1B}[?2026l") }
  }

  private func drawStatus(_ size: Terminal.Size) {
    let status = Self.printable(statusLine(), columns: size.columns)
    guard status != shownStatus else { return }
    shownStatus = status
    output.moveCursor(row: size.rows - 1, column: 0)
    output.append(status)
    output.append("\u{1B}[K")
  }

  /// The text without control characters, no longer than the line.
  static func printable(_ text: String, columns: Int) -> String {
    String(
      text.filter { character in
        character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
      }.prefix(columns))
  }
}
