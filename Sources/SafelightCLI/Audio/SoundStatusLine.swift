import Libc
import Safelight

/// The calm line on a terminal that says how a command listens, and sentences between.
final class SoundStatusLine {
  private let isShown: Bool
  private var lastTick: Timestamp?

  /// Seconds between two lines: levels are watched, so oftener than a film's frame count.
  private static let interval = 0.2

  init(isJSON: Bool) { isShown = !isJSON && isatty(2) == 1 }

  /// Shows a line where it is time to.
  func tick(_ line: () -> String) {
    guard isShown else { return }
    let now = Timestamp.now
    if let lastTick, now.seconds(since: lastTick) < Self.interval { return }
    lastTick = now
    Output.statusLine(line())
  }

  /// Removes the line.
  func clear() { if isShown { Output.statusLine("") } }

  func message(_ text: String) {
    clear()
    Output.note(text)
  }
}
