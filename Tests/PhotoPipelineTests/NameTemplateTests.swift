import LibraryTestSupport
import Safelight
import Testing

@Suite struct NameTemplateTests {
  private func values() -> NameTemplate.Values {
    NameTemplate.Values(
      stem: "harbour 1", pathExtension: ".jpg", preset: "warm-film", index: 7,
      date: CaptureFacts.Date(year: 2024, month: 2, day: 29, hour: 23, minute: 5, second: 9),
      camera: "ILCE-7M4", size: PixelSize(width: 2048, height: 1365))
  }

  @Test(
    "Every field is written as the table of the documentation says",
    arguments: [
      ("{stem}{ext}", "harbour 1.jpg"), ("{stem}", "harbour 1.jpg"),
      ("{stem}-{preset}{ext}", "harbour 1-warm-film.jpg"), ("{index}{ext}", "7.jpg"),
      ("{index:04}-{stem}", "0007-harbour 1.jpg"), ("{date}{ext}", "2024-02-29.jpg"),
      // 29 February 2024 was a Thursday.
      ("{date:%Y%m%d-%H%M%S %a}", "20240229-230509 Thu.jpg"), ("{camera}_{index}", "ILCE-7M4_7.jpg"),
      ("{width}x{height}", "2048x1365.jpg"), ("{{{stem}}}", "{harbour 1}.jpg"),
      ("{date:%Y/%m}/{stem}", "2024/02/harbour 1.jpg"), ("out/{stem}", "out/harbour 1.jpg"),
    ])
  func fields(template: String, expected: String) throws {
    #expect(try NameTemplate(template).name(values()) == expected)
  }

  @Test("What a photo does not say is named, not guessed")
  func unknown() throws {
    let bare = NameTemplate.Values(stem: "a", pathExtension: ".png")
    #expect(try NameTemplate("{date}-{camera}-{preset}").name(bare) == "undated-camera-edited.png")
  }

  @Test("Metadata of a photo cannot lead out of the folder or hide the file")
  func hostileMetadata() throws {
    var hostile = values()
    hostile.camera = "../../etc/x\u{1B}[2J"
    #expect(try NameTemplate("{camera}").name(hostile) == "etc-x-[2J.jpg")
    hostile.camera = ".hidden"
    #expect(try NameTemplate("{camera}").name(hostile) == "hidden.jpg")
    for (camera, name) in [
      ("..", "camera"), (" . - ", "camera"), ("", "camera"), ("-rf", "rf"), ("a/../b", "a-..-b"),
      ("a\\b", "a-b"),
      ("Canon EOS R5 ", "Canon EOS R5"), ("a\u{202E}gpj.exe", "a-gpj.exe"),
      ("a\u{0}\u{85}\u{2028}b", "a---b"),
      (String(repeating: "é", count: 500), String(repeating: "é", count: 32)), ("ILCE-7M4...", "ILCE-7M4"),
    ] {
      hostile.camera = camera
      #expect(try NameTemplate("{camera}-{index}").name(hostile) == "\(name)-7.jpg", "\(camera)")
    }
  }

  @Test(
    "A template that cannot work is refused in one sentence",
    arguments: [
      (
        "{stam}",
        "Unknown field of names “stam”; did you mean “stem”? Known: stem, ext, preset, index, date, camera, width, height"
      ),
      ("{stem", "The name template “{stem” has a { without its }; write {{ for a brace"),
      ("stem}", "The name template “stem}” has a } without its {; write }} for a brace"),
      ("{index:x}", "“{index:x}” does not say how many digits, of at most 18; write it like {index:04}"),
      ("{stem:04}", "“{stem:04}” takes no option; write {stem}"),
      ("{date:}", "“{date:}” does not say how to write the date; write it like {date:%Y-%m-%d}"),
      (
        "../{stem}",
        "The name “../a.jpg” made from “../{stem}” does not stay below the output folder; leave out “.”, “..” and "
          + "slashes at the ends"
      ),
      (
        "/{stem}",
        "The name “/a.jpg” made from “/{stem}” does not stay below the output folder; leave out “.”, “..” and "
          + "slashes at the ends"
      ),
    ])
  func refusals(template: String, message: String) {
    let error = #expect(throws: SafelightError.self) { try NameTemplate(template) }
    #expect(error?.description == message + ".")
  }

  @Test("A name longer than file systems take is refused before anything is written")
  func tooLong() throws {
    var long = values()
    long.stem = String(repeating: "ä", count: 126)
    #expect(throws: SafelightError.self) { try NameTemplate("{stem}{ext}").name(long) }
    long.stem = String(repeating: "a", count: 251)
    #expect(try NameTemplate("{stem}{ext}").name(long).utf8.count == 255)
  }
}
