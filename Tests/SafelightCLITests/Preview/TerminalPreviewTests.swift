import LibraryTestSupport
import Safelight
import Synchronization
import Testing

@testable import SafelightCLI
import Libc

/// One after the other: a process guards one terminal.
@Suite("A preview in a terminal", .serialized)
struct TerminalPreviewTests {
  private static let trueColor = ["TERM": "xterm", "COLORTERM": "truecolor"]
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  private static let leave = "\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let screen: PseudoTerminal

  init() throws { screen = try PseudoTerminal() }

  private func open(_ environment: [String: String] = trueColor) throws -> Terminal {
    try Terminal(device: screen.device, environment: environment, answerTime: 0)
  }

  private func preview(_ terminal: Terminal, status: String = "30 fps") -> TerminalPreview {
    TerminalPreview(terminal, graphics: .blocks, framesPerSecond: .infinity) { status }
  }

  private func frame(_ color: [Int]) throws -> RenderedFrame {
    RenderedFrame(
      picture: try picture(160, 96) { x, _ in (x < 80 ? color : [0, 0, 0]).map { $0 * 257 } + [65_535] },
      time: .now, sequence: 0)
  }

  private let format = SinkFormat(size: PixelSize(width: 160, height: 96), framesPerSecond: 30)

  @Test("draws the picture and the status line, and leaves the terminal as it was")
  func drawing() throws {
    #expect(screen.isCooked)
    let terminal = try open()
    #expect(!screen.isCooked)
    let preview = preview(terminal, status: "30 fps\u{1B}[31m · late 2\n")
    preview.open(format)
    #expect(String(decoding: screen.read(), as: UTF8.self) == Self.enter)
    var model = ScreenModel(columns: 40, rows: 13)
    for color in [[200, 10, 30], [0, 90, 250]] {
      try preview.write(frame(color))
      model.show(screen.read())
      // 160 × 96 in 40 × 12 cells of 1:2 fills them.
      for row in 0..<12 {
        #expect(model.halves(row, 3) == (color, color))
        #expect(model.halves(row, 36) == ([0, 0, 0], [0, 0, 0]))
      }
    }
    // The control characters of the status are gone.
    #expect(model.text(row: 12) == "30 fps[31m · late 2")
    preview.close()
    #expect(String(decoding: screen.read(), as: UTF8.self) == Self.leave)
    #expect(!screen.isCooked)
    terminal.close()
    #expect(screen.isCooked)
    #expect(screen.read().isEmpty)
  }

  @Test("follows the size of the terminal")
  func resizing() throws {
    let terminal = try open()
    defer { terminal.close() }
    let preview = preview(terminal)
    preview.open(format)
    try preview.write(frame([9, 9, 200]))
    _ = screen.read()
    screen.resize(columns: 20, rows: 7)
    try preview.write(frame([9, 9, 200]))
    var model = ScreenModel(columns: 20, rows: 7)
    let output = screen.read()
    #expect(String(decoding: output, as: UTF8.self).contains("\u{1B}[2J"))
    model.show(output)
    for row in 0..<6 { #expect(model.halves(row, 2) == ([9, 9, 200], [9, 9, 200])) }
    #expect(model.text(row: 6) == "30 fps")
    // One row has no room for a picture, and none is no crash.
    screen.resize(columns: 20, rows: 1)
    try preview.write(frame([9, 9, 200]))
    preview.close()
  }

  @Test("asks the terminal what it can, and draws with that")
  func asking() throws {
    screen.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;20;10t\u{1B}[?62;4c")
    let terminal = try Terminal(device: screen.device, environment: Self.trueColor, answerTime: 20_000)
    defer { terminal.close() }
    #expect(
      terminal.capabilities
        == TerminalCapabilities(
          kittyGraphics: true, sixel: true, synchronizedOutput: true, colors: .trueColor, cellWidth: 10,
          cellHeight: 20))
    #expect(terminal.size == Terminal.Size(columns: 40, rows: 13, cell: (10, 20)))
    let preview = TerminalPreview(terminal) { "" }
    preview.open(format)
    _ = screen.read()
    // A picture is larger than the kernel keeps for a terminal: somebody has to read.
    let reader = try TerminalReading(screen)
    try preview.write(frame([1, 2, 3]))
    let output = String(decoding: reader.join(), as: UTF8.self)
    #expect(output.hasPrefix("\u{1B}[?2026h") && output.hasSuffix("\u{1B}[?2026l"))
    #expect(output.contains("\u{1B}_Ga=T,f=24,"))
    preview.close()
    #expect(String(decoding: screen.read(), as: UTF8.self).contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\"))
  }

  @Test("does not hang where the terminal takes nothing, and ends the picture that it had begun")
  func stalled() throws {
    let terminal = try open()
    let preview = TerminalPreview(terminal, graphics: .kitty, framesPerSecond: .infinity) { "" }
    preview.open(format)
    // Nobody reads: the first picture gets stuck, the others are left out.
    for _ in 0..<20 { try preview.write(frame([1, 2, 3])) }
    let begun = screen.read()
    let reader = try TerminalReading(screen)
    // With a reader the rest of the first picture comes before anything else.
    while try !terminal.isReady() { usleep(1000) }
    preview.close()
    terminal.close()
    let all = String(decoding: begun + reader.join(), as: UTF8.self)
    #expect(all.components("a=T,") == 1)
    #expect(all.hasSuffix(Self.leave))
    #expect(screen.isCooked)
  }

  @Test("restores the terminal when a signal comes, lets the signal's own handler run, and draws no more")
  func signals() throws {
    // The program's own handler, as one that ends it in order.
    var (action, previous) = (sigaction(), sigaction())
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGHUP, &action, &previous)
    defer { sigaction(SIGHUP, &previous, nil) }
    let terminal = try open()
    let preview = preview(terminal)
    preview.open(format)
    try preview.write(frame([1, 2, 3]))
    _ = screen.read()
    // Threads of tests may block signals.
    var (hangUp, mask) = (sigset_t(), sigset_t())
    sigemptyset(&hangUp)
    sigaddset(&hangUp, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &hangUp, &mask)
    raise(SIGHUP)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    #expect(String(decoding: screen.read(), as: UTF8.self) == Self.leave)
    #expect(screen.isCooked)
    try preview.write(frame([200, 2, 3]))
    preview.close()
    terminal.close()
    #expect(screen.read().isEmpty)
    // The handler from before is back.
    var now = sigaction()
    sigaction(SIGHUP, nil, &now)
    #expect(
      unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self))
  }

  @Test("ends quietly when its window is closed")
  func hangUp() throws {
    let terminal = try open()
    defer { terminal.close() }
    let preview = preview(terminal)
    preview.open(format)
    screen.hangUp()
    #expect(throws: SinkClosed.self) {
      for level in 0..<3 { try preview.write(frame([level * 50, 0, 0])) }
    }
    preview.close()
  }

  @Test("draws into a terminal that says it has 65535 × 65535 cells, and into one that has one or none")
  func extremes() throws {
    for (columns, rows) in [(65_535, 65_535), (1, 1), (1, 2), (0, 0)] as [(UInt16, UInt16)] {
      let screen = try PseudoTerminal(columns: columns, rows: rows)
      let terminal = try Terminal(device: screen.device, environment: ["TERM": "xterm"], answerTime: 0)
      let preview = TerminalPreview(terminal, graphics: .blocks, framesPerSecond: .infinity) { "30 fps" }
      preview.open(SinkFormat(size: PixelSize(width: 16, height: 9), framesPerSecond: 30))
      let frame = RenderedFrame(
        picture: try picture(16, 9) { x, _ in [x * 4000, 0, 0, 65_535] }, time: .now, sequence: 0)
      let reader = try TerminalReading(screen)
      try preview.write(frame)
      while try !terminal.isReady() { usleep(1000) }
      // What a cell takes is two colours and a character.
      #expect(reader.join().count < 300_000 * 40)
      preview.close()
      terminal.close()
    }
  }

  @Test("leaves out frames that come faster than it draws")
  func rate() throws {
    let terminal = try open()
    defer { terminal.close() }
    let preview = TerminalPreview(terminal, graphics: .blocks, framesPerSecond: 0.001) { "" }
    preview.open(format)
    _ = screen.read()
    try preview.write(frame([1, 2, 3]))
    #expect(!screen.read().isEmpty)
    try preview.write(frame([200, 2, 3]))
    #expect(screen.read().isEmpty)
  }

  @Test("has keys: they arrive in order, and Ctrl-C stays a signal")
  func keys() throws {
    let terminal = try open()
    defer { terminal.close() }
    let pressed = Mutex<[LiveKey]>([])
    let keys = try TerminalKeys(terminal) { key in pressed.withLock { $0.append(key) } }
    screen.type("b[\u{1B}[A")
    screen.type("]sq")
    for _ in 0..<3000 where pressed.withLock({ $0.count }) < 5 { usleep(10_000) }
    keys.stop()
    #expect(pressed.withLock { $0 } == [.toggleOriginal, .weaker, .stronger, .saveStill, .quit])
    #expect(screen.modes.c_lflag & tcflag_t(ISIG) != 0)
    screen.type("q")
    keys.stop()
    #expect(pressed.withLock { $0.count } == 5)
  }

  @Test("is refused a second time, and where there is no terminal")
  func refusals() throws {
    let terminal = try open()
    #expect { try open() } throws: {
      "\($0)" == "The terminal already shows a preview; use only one preview."
    }
    terminal.close()
    try open().close()
    #expect { try Terminal(device: "/dev/null", environment: [:]) } throws: {
      "\($0)" == "There is no terminal to draw on; run in a terminal, or use --to stream:0 and a browser."
    }
    #expect { try Terminal.controlling(environment: ["TERM": "dumb"]) } throws: {
      "\($0)"
        == "The terminal cannot draw pictures: TERM is “dumb”; "
        + "set TERM, for example to xterm-256color, or use --to stream:0 and a browser."
    }
  }
}

extension String {
  /// How often `part` occurs.
  fileprivate func components(_ part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
