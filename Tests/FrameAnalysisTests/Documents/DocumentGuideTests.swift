import FrameCore
import Testing

@testable import FrameAnalysis

/// Timelines are drawn, one character a frame at 10 frames a second. A page: a digit is one at so many hundredths of the
/// picture's width to the right, `.` a frame without one, `?` one that is not likely. A state: `.` searching, `f` found,
/// `h` hold still, `s` steady, `C` the frame that is taken.
@Suite("The guide to a steady page")
struct DocumentGuideTests {
  private func page(_ mark: Character) -> Detection? {
    guard mark != "." else { return nil }
    let shift = mark == "?" ? 0 : Double(String(mark)).map { $0 / 100 } ?? 0
    let outline = [(0.2, 0.2), (0.7, 0.2), (0.7, 0.8), (0.2, 0.8)].map { NormalizedPoint($0.0 + shift, $0.1) }
    return Detection(.document, outline: outline, confidence: mark == "?" ? 0.3 : 0.9)
  }

  private func states(
    _ pages: String, sharpness: String? = nil, contents: String? = nil, interval: Double = 0.1
  ) -> String {
    var guide = DocumentGuide()
    let (sharp, content) = (sharpness.map(Array.init), contents.map(Array.init))
    return String(
      pages.enumerated().map { index, mark -> Character in
        let time = Timestamp(nanoseconds: 0).advanced(bySeconds: Double(index) * interval)
        let isTaken = guide.update(
          page(mark), aspect: 1.5, sharpness: sharp.flatMap { Double(String($0[index])) }.map { $0 / 10 },
          content: content.flatMap { UInt64(String($0[index])) }, at: time)
        if isTaken { return "C" }
        return switch guide.state {
        case .searching: "."
        case .found: "f"
        case .holdStill: "h"
        case .steady: "s"
        }
      })
  }

  @Test("A page that lies still is taken once, after six tenths of a second")
  func once() {
    #expect(states("...000000000000000") == "...fhhhhhCssssssss")
  }

  @Test("A page that moves is found and not taken; it is taken when it stops")
  func moves() {
    #expect(states("0246820246880000000") == "fffffffffffhfhhhhhC")
    #expect(states("02468024680246") == "ffffffffffffff")
    #expect(states("02466666666") == "ffffhhhhhCs")
  }

  @Test("Missed frames and unlikely quads are bridged for a quarter of a second")
  func gaps() {
    #expect(states("00.00?000") == "fhhhhhCss")
    #expect(states("000...000") == "fhhhh.fhh")
  }

  @Test("After a page was moved away, or another is in its place, the next one is taken")
  func rearms() {
    #expect(states("000000088888888") == "fhhhhhCfhhhhhCs")
    // Moved back and forth by less than the departure: the same page.
    #expect(states("000000011111100") == "fhhhhhCssssssss")
    #expect(states("0000000......0000000") == "fhhhhhCsssss.fhhhhhC")
    #expect(states("000000000000000", contents: "111111111222222") == "fhhhhhCssfhhhhh")
  }

  @Test("Short absences after the picture was taken do not take the page again")
  func absence() {
    #expect(states("0000000....000000") == "fhhhhhCssssssssss")
  }

  @Test("A blurred page waits until it is sharp again")
  func sharpness() {
    #expect(states("0000000000", sharpness: "5555522255") == "fhhhhfffCs")
  }

  @Test("The same page at 30 frames a second is taken after the same time")
  func rate() {
    let drawn = states(String(repeating: "0", count: 24), interval: 1.0 / 30)
    #expect(drawn == "f" + String(repeating: "h", count: 17) + "Csssss")
  }

  @Test("A frame that is not newer changes nothing, and outlines may begin at any corner")
  func order() throws {
    var guide = DocumentGuide()
    let time = Timestamp(nanoseconds: 1_000_000_000)
    guide.update(page("0"), aspect: 1.5, at: time)
    guide.update(nil, aspect: 1.5, at: time)
    #expect(guide.state == .found)
    var turned = try #require(page("0"))
    turned.outline = Array(turned.outline[2...] + turned.outline[..<2])
    guide.update(turned, aspect: 1.5, at: time.advanced(bySeconds: 0.3))
    #expect(guide.state == .holdStill)
    #expect(abs(guide.progress - 0.5) < 1e-9)
    #expect(guide.outline == turned.outline)
  }
}
