import Safelight

/// The progress line of a batch.
enum BatchProgressLine {
  /// `[██████░░░░] 61/100 · 7.2 photos/s · 5 s left · DSC_0061.JPG`
  ///
  /// - Parameters:
  ///   - isOpen: whether more photos may come, so that the remaining time is unknown.
  ///   - width: the terminal's width in cells, which the line does not exceed; nil if there is no terminal.
  static func text(_ progress: BatchRun.Progress, rate: BatchRate, isOpen: Bool, width: Int?) -> String {
    if let named = progress.named {
      let text = "naming \(named)/\(progress.total)"
      return width.map { VisibleText.fitting(text, width: $0) } ?? text
    }
    var parts = ["\(progress.finished)/\(progress.total)"]
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if let perSecond = rate.perSecond, progress.finished < progress.total || !isOpen {
      parts.append("\(PlainNumber.fixed(perSecond, perSecond < 10 ? 1 : 0)) photos/s")
      let left = Double(progress.total - progress.finished) / perSecond
      if !isOpen { parts.append("\(duration(left)) left") }
    }
    if isOpen, progress.finished == progress.total { parts.append("waiting for photos") }
    let current = progress.current.first.map { path in
      VisibleText.line(path.split(separator: "/").last.map(String.init) ?? path)
    }
    guard let width else {
      if let current { parts.append(current) }
      return parts.joined(separator: " · ")
    }
    // If space is short, the least important part goes first: the rate, then the remaining time.
    let separator = 3
    while parts.count > 1, VisibleText.width(parts.joined(separator: " · ")) > width {
      parts.remove(at: parts.firstIndex { $0.hasSuffix("photos/s") } ?? parts.count - 1)
    }
    var room = width - VisibleText.width(parts.joined(separator: " · "))
    let bar = isOpen ? 0 : min(20, room - 3)
    if bar >= 8, progress.total > 0 {
      parts[0] = Self.bar(Double(progress.finished) / Double(progress.total), cells: bar) + " " + parts[0]
      room -= bar + 3
    }
    if let current, room >= separator + 8 {
      parts.append(VisibleText.fitting(current, width: min(40, room - separator)))
    }
    return parts.joined(separator: " · ")
  }

  private static func bar(_ part: Double, cells: Int) -> String {
    // Full only when all is done.
    let full = part >= 1 ? cells : min(Int(part * Double(cells)), cells - 1)
    return "[" + String(repeating: "█", count: full) + String(repeating: "░", count: cells - full) + "]"
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
