import FrameCore
import Testing

@testable import Rendering

@Suite("Lettering")
struct ComparisonLetteringTests {
  private static let everything =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" + "−+.,&/×%'():·-_=?!#°–—…Δ"

  @Test("has a letter of its own for everything captions need, and no two are the same")
  func repertoire() {
    let lettering = Lettering(capHeight: 24)
    let missing = lettering.mask(of: "漢").values
    var seen: [String: Character] = [:]
    for character in Self.everything {
      let mask = lettering.mask(of: String(character))
      #expect(mask.values != missing, "\(character) is drawn as missing")
      #expect(mask.values.contains { $0 > 0.9 }, "\(character) has no ink")
      let key = "\(mask.width) \(mask.values)"
      // An en dash is drawn as the minus sign.
      if let twin = seen[key] { #expect("−–".contains(twin) && "−–".contains(character)) }
      seen[key] = character
    }
  }

  @Test(
    "keeps capitals and figures within the cap height, to the pixel", arguments: [9, 12, 18, 40, 111, 200])
  func capHeight(size: Int) {
    let lettering = Lettering(capHeight: size)
    for character in "ABCDEFGHIKLMNOPRSTUVWXYZ0123456789" {
      let rows = inkRows(lettering.mask(of: String(character)), above: 0.55)
      #expect(abs(rows.lowerBound) <= 1, "\(character) begins at row \(rows.lowerBound)")
      #expect(abs(rows.upperBound - size) <= 1, "\(character) ends at row \(rows.upperBound) of \(size)")
    }
  }

  @Test("measures what it draws", arguments: [9, 13, 40])
  func widths(size: Int) {
    let lettering = Lettering(capHeight: size)
    for text in ["ORIGINAL", "EDITED", "I", "A", "W", "× 8   WHITE = 12.5 %", "Teal & Orange"] {
      let columns = inkColumns(lettering.mask(of: text), above: 0.3)
      #expect(abs(columns.lowerBound) <= 1, "\(text)")
      #expect(abs(columns.upperBound - lettering.width(of: text)) <= 2, "\(text)")
    }
    #expect(lettering.width(of: "II") > 2 * lettering.width(of: "I"))
  }

  @Test("draws upright and level strokes with full contrast at the smallest size")
  func crispness() {
    // An unfitted stroke 1.3 pixels wide can straddle two pixels at 65 % each; a fitted one covers one fully.
    let lettering = Lettering(capHeight: 9)
    for text in ["H", "E", "T", "L", "I"] {
      let mask = lettering.mask(of: text)
      let full = mask.values.filter { $0 > 0.99 }.count
      let half = mask.values.filter { (0.3...0.7).contains($0) }.count
      #expect(full >= 7, "\(text)")
      #expect(half <= full / 2, "\(text): \(half) grey pixels and \(full) full ones")
    }
  }

  @Test("draws accented letters as their base letter and lower case as small capitals")
  func folding() {
    let lettering = Lettering(capHeight: 30)
    #expect(lettering.mask(of: "É").values == lettering.mask(of: "E").values)
    #expect(lettering.mask(of: "ñ").values == lettering.mask(of: "n").values)
    #expect(lettering.mask(of: "e\u{301}").values == lettering.mask(of: "e").values)
    let rows = inkRows(lettering.mask(of: "x"), above: 0.55)
    #expect((5...9).contains(rows.lowerBound))
  }

  @Test("shortens with an ellipsis what does not fit, and leaves alone what does")
  func fitting() {
    let lettering = Lettering(capHeight: 12)
    let name = "Faded Film 400"
    let width = lettering.width(of: name)
    #expect(lettering.fitting(name, width: width) == name)
    let shortened = lettering.fitting(name, width: width - 1)
    #expect(shortened.hasSuffix("…") && shortened.hasPrefix("Faded"))
    #expect(lettering.width(of: shortened) < width)
    #expect(lettering.fitting(name, width: 1) == "")
    #expect(lettering.fitting("", width: 0) == "")
  }

  @Test("draws nothing for nothing")
  func empty() {
    #expect(!Lettering(capHeight: 12).mask(of: "").values.contains { $0 > 0 })
    #expect(!Lettering(capHeight: 12).mask(of: "   ").values.contains { $0 > 0 })
  }

  private func inkRows(_ mask: CoverageMask, above threshold: Float) -> Range<Int> {
    let rows = (0..<mask.height).filter { row in
      (0..<mask.width).contains { mask.values[row * mask.width + $0] > threshold }
    }
    return (rows.first ?? 0) - mask.originY..<(rows.last ?? -1) - mask.originY + 1
  }

  private func inkColumns(_ mask: CoverageMask, above threshold: Float) -> Range<Int> {
    let columns = (0..<mask.width).filter { column in
      (0..<mask.height).contains { mask.values[$0 * mask.width + column] > threshold }
    }
    return (columns.first ?? 0) - mask.originX..<(columns.last ?? -1) - mask.originX + 1
  }
}
