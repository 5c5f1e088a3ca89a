import Profiling
import Safelight
import Libc

/// The progress line of a profile, shown only on a terminal.
struct ProfileProgressLine {
  private let isTerminal = isatty(2) == 1

  func show(_ progress: Profiler.Progress) {
    guard isTerminal, !progress.step.isEmpty else { return }
    Output.statusLine(Self.text(progress))
  }

  func clear() { if isTerminal { Output.statusLine("") } }

  /// `[████░░░░░░] measuring frames`
  static func text(_ progress: Profiler.Progress) -> String {
    let cells = 20
    let full = min(max(Int(progress.part * Double(cells)), 0), cells)
    return "[" + String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
      + "] measuring " + progress.step
  }
}

/// The width of terminals.
enum TerminalWidth {
  /// The width of the terminal at a file descriptor, or the value of COLUMNS; 80 if neither is known.
  static func columns(of descriptor: Int32) -> Int {
    var window = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 { return Int(window.ws_col) }
    return getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.map { min(max($0, 40), 1000) } ?? 80
  }
}
