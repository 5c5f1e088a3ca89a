import ArgumentParser
import Safelight
import Testing

@testable import SafelightCLI

/// Time is drawn as text, one column a tick of 50 ms. `p` is a press or a repetition of the key, `o` of another one,
/// `r` and `x` are their releases. What comes out: `(` a hold begins, `)` it ends.
private func timeline(_ keys: String, tellsReleases: Bool = false) -> String {
  var machine = HeldKey()
  var result = ""
  for (column, key) in keys.enumerated() {
    let now = Timestamp(nanoseconds: Int64(column + 1) * 50_000_000)
    var changes = [machine.timePassed(now: now)]
    switch key {
    case "p": changes.append(machine.pressed(32, tellsRelease: tellsReleases, at: now))
    case "o": changes.append(machine.pressed(111, tellsRelease: tellsReleases, at: now))
    case "r": changes.append(machine.released(32, at: now))
    case "x": changes.append(machine.released(111, at: now))
    default: break
    }
    let drawn = changes.compactMap { change -> Character? in
      switch change {
      case .began: "("
      case .ended: ")"
      case nil: nil
      }
    }
    result += drawn.isEmpty ? "-" : String(drawn)
  }
  return result
}

@Suite("A key that is held")
struct HeldKeyTests {
  @Test("ends with its release, where that is told, however long it takes")
  func release() {
    #expect(timeline("-p---r--", tellsReleases: true) == "-(---)--")
    #expect(timeline("p" + String(repeating: "-", count: 60) + "r", tellsReleases: true).last == ")")
    #expect(timeline("-p--ppppr-p-r", tellsReleases: true) == "-(------)-(-)")
  }

  @Test("ends 0.25 s after its last repetition, where its release is not told")
  func repetitions() {
    #expect(timeline("-p---------pppppp--------") == "-(-------------------)---")
  }

  @Test("ends after 0.8 s without repetition, so that the repeat delay does not end it")
  func tap() {
    #expect(timeline("-p--------------------") == "-(---------------)----")
    // A press after that is a new one.
    #expect(timeline("-p----------------p---") == "-(---------------)(---")
  }

  @Test("is not ended or prolonged by other keys")
  func others() {
    #expect(timeline("-p-o-x-r-", tellsReleases: true) == "-(-----)-")
    #expect(timeline("-p--pooooooooo") == "-(-------)(----")
    #expect(timeline("-r-x-p-r", tellsReleases: true) == "-----(-)")
  }

  @Test("is named as on the keyboard")
  func names() throws {
    #expect(try ShutterKey("space").matches(inputCode: 57) && !ShutterKey("space").matches(inputCode: 28))
    #expect(try ShutterKey("Enter").matches(inputCode: 28) && ShutterKey("enter").matches(inputCode: 96))
    #expect(try ShutterKey("m").matches(inputCode: 50) && ShutterKey("0").matches(inputCode: 11))
    #expect(try ShutterKey("volume-up").matches(inputCode: 115) && ShutterKey("any").matches(inputCode: 7))
    #expect(try ShutterKey("b").matches(#require(KeyEvent(byte: UInt8(ascii: "B")))))
    #expect(try !ShutterKey("any").matches(#require(KeyEvent(byte: UInt8(ascii: "q")))))
    #expect(throws: ValidationError.self) { try ShutterKey("pedal") }
  }
}
