import FoundationEssentials
import Safelight
import Synchronization

/// The picture of a scan in the terminal, with the page's outline and what to do.
final class ScanPreview {
  /// The output to add to the session.
  let output = VideoDataOutput(purpose: .preview)
  private let pipeline: LivePipeline
  private let terminal: Terminal
  private let keys: TerminalKeys
  private let status = StatusText()
  private let marks = Marks()
  private var isOpen = true

  private final class Marks: Sendable {
    let shown = Mutex<[OverlayMark]>([])
    let hasQuit = Mutex(false)
  }

  /// - Parameter quit: called when `q` is pressed, on another thread.
  /// - Throws: `SafelightError` if there is no terminal.
  init(quit: @escaping @Sendable () -> Void) throws {
    do {
      terminal = try Terminal.controlling(environment: ProcessInfo.processInfo.environment)
    } catch let error as SafelightError {
      throw SafelightError(
        error.code, error.problem, remedy: "run in a terminal that draws pictures, or leave --preview out")
    }
    let (status, marks) = (status, marks)
    keys = try TerminalKeys(terminal) { key in
      guard key == .quit else { return }
      marks.hasQuit.withLock { $0 = true }
      quit()
    }
    let overlay = LiveOverlay()
    overlay.show { _ in marks.shown.withLock { $0 } }
    pipeline = try LivePipeline(
      from: output, through: LiveLook(Recipe()), to: [TerminalPreview(terminal) { status.text }],
      overlay: overlay)
  }

  func start() throws { try pipeline.start() }

  /// Whether `q` was pressed, or the terminal has gone.
  var isClosed: Bool { marks.hasQuit.withLock { $0 } || pipeline.end != nil }

  /// Shows the page as it was last seen, and how long it must still be held.
  func show(_ guide: DocumentGuide) {
    let label: String =
      switch guide.state {
      case .searching, .found: ""
      case .holdStill: "hold still  \(Int(100 * guide.progress)) %"
      case .steady: "taken"
      }
    let marks = guide.outline.map { [OverlayMark(outline: $0, label: label, isThin: guide.state == .found)] }
    self.marks.shown.withLock { $0 = marks ?? [] }
  }

  func say(_ text: String) { status.text = text }

  /// Restores the terminal.
  func close() {
    guard isOpen else { return }
    isOpen = false
    pipeline.stop()
    keys.stop()
    terminal.close()
  }
}
