import Safelight
import Testing

@testable import SafelightCLI

@Suite("Progress lines")
struct BatchTextTests {
  private func progress(_ done: Int, of total: Int, current: String? = "in/DSC_0061.JPG", failed: Int = 0)
    -> BatchRun.Progress
  {
    var progress = BatchRun.Progress()
    (progress.done, progress.total, progress.failed) = (done, total, failed)
    progress.current = current.map { [$0] } ?? []
    return progress
  }

  private func steady(_ perSecond: Int, seconds: Int) -> BatchRate {
    var rate = BatchRate()
    for second in 1...seconds { rate.add(finished: second * perSecond, at: Double(second)) }
    return rate
  }

  @Test("A bar, the count, the rate, what is left and the photo at work")
  func whole() {
    let text = BatchProgressLine.text(
      progress(60, of: 100), rate: steady(8, seconds: 10), isOpen: false, width: 100)
    #expect(text == "[████████████░░░░░░░░] 60/100 · 8.0 photos/s · 5 s left · DSC_0061.JPG")
  }

  @Test("While photos are named, the line says how many are")
  func naming() {
    var naming = BatchRun.Progress()
    (naming.total, naming.named) = (1200, 61)
    #expect(BatchProgressLine.text(naming, rate: BatchRate(), isOpen: false, width: 80) == "naming 61/1200")
    #expect(BatchProgressLine.text(naming, rate: BatchRate(), isOpen: false, width: nil) == "naming 61/1200")
  }

  @Test("No line is wider than its terminal, down to very narrow ones", arguments: 10...120)
  func narrow(width: Int) {
    for name in ["x/DSC_0061.JPG", "日本の写真がここに.jpg", "📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷📷.jpg", "a\nb\u{1B}[2J.jpg"] {
      for failed in [0, 12] {
        let text = BatchProgressLine.text(
          progress(60, of: 12_345, current: name, failed: failed), rate: steady(3, seconds: 40),
          isOpen: false,
          width: width)
        #expect(VisibleText.width(text) <= width, "\(text)")
        #expect(text.contains("/12345"))
        #expect(!text.contains("\n") && !text.contains("\u{1B}"))
      }
    }
  }

  @Test("The bar is full only at the end, and a watched folder has no end to tell")
  func ends() {
    let rate = steady(10, seconds: 5)
    #expect(
      BatchProgressLine.text(progress(999, of: 1000), rate: rate, isOpen: false, width: 100).contains("█░]"))
    let open = BatchProgressLine.text(progress(7, of: 7, current: nil), rate: rate, isOpen: true, width: 100)
    #expect(open == "7/7 · waiting for photos")
  }

  @Test(
    "The rate is the average at first and follows what happens later; one slow photo does not make it jump")
  func rates() throws {
    #expect(BatchRate().perSecond == nil)
    #expect(abs((steady(4, seconds: 3).perSecond ?? 0) - 4) < 1e-9)
    var rate = steady(4, seconds: 60)
    // Five seconds of nothing: exp(-5/30) of 4 is left.
    rate.add(finished: 240, at: 65)
    #expect(abs((rate.perSecond ?? 0) - 3.2) < 0.2)
    for second in 66...300 { rate.add(finished: 240 + (second - 65) * 2, at: Double(second)) }
    #expect(abs((rate.perSecond ?? 0) - 2) < 0.01)
  }

  @Test("Durations")
  func durations() {
    #expect(BatchProgressLine.duration(59.4) == "59 s")
    #expect(BatchProgressLine.duration(61) == "1 min 1 s")
    #expect(BatchProgressLine.duration(7260) == "2 h 1 min")
    #expect(BatchProgressLine.duration(.infinity) == "277777 h 46 min")
  }

  @Test("Terminals are shown controls and never given them; letters of all scripts stay")
  func visible() {
    #expect(VisibleText.line("a\u{1B}[31mb\nc\td\u{7F}\u{9B}1m\r") == #"a\u{1B}[31mb\nc\td\u{7F}\u{9B}1m\r"#)
    #expect(VisibleText.line("\u{202E}gpj.exe\u{2028}") == #"\u{202E}gpj.exe\u{2028}"#)
    #expect(VisibleText.lines("a\n\tb\r") == "a\n\tb\\r")
    for text in ["Grüße", "日本", "👩‍👩‍👧 x", "שלום", "plain"] { #expect(VisibleText.line(text) == text) }
    // Windows' line end is one character in Swift and two controls.
    #expect(VisibleText.line("a\r\nb") == #"a\r\nb"#)
  }

  @Test("Texts are cut to cells, not to characters")
  func fitting() {
    #expect(VisibleText.width("ab") == 2 && VisibleText.width("日本") == 4 && VisibleText.width("📷") == 2)
    #expect(VisibleText.fitting("abcdef", width: 6) == "abcdef")
    #expect(VisibleText.fitting("abcdefg", width: 6) == "abcde…")
    #expect(VisibleText.fitting("日本語日本語", width: 6) == "日本…")
    #expect(VisibleText.fitting("abc", width: 0) == "")
  }
}
