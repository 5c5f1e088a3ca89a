import Foundation
import LibraryTestSupport
import Safelight
import Testing

/// Whether codes, faces and text can be found here.
private let canFindThings: Bool = {
  let worker = try? VisionWorker(VisionWorker.Options(Set(VisionAbility.allCases)))
  return (try? worker?.start()) != nil
}()

@Suite("Analyze: find things", .enabled(if: canFindThings, "safelight-vision or a library of its is missing"))
struct FindTests {
  private static let fixtures = Program.package + "/Tests/VisionTests/Fixtures/"

  /// A folder with copies of these fixtures.
  private func folder(_ names: String...) throws -> Scratch {
    let scratch = try Scratch()
    for name in names {
      try FileManager.default.copyItem(atPath: Self.fixtures + name, toPath: scratch(name))
    }
    return scratch
  }

  @Test("Each photo has a line with counts, and each thing a line")
  func lines() throws {
    let scratch = try folder("qr.png", "astronaut.jpg", "coffee.jpg")
    let run = try Program.run(
      ["analyze", "qr.png", "astronaut.jpg", "coffee.jpg", "--find", "codes,faces"], in: scratch)
    #expect(run.exitCode == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 5, "\(run.output)")
    #expect(lines[0] == "qr.png  222×222  1 code")
    #expect(
      lines[1].hasPrefix("  code      QRCode  1.00  (0.1")
        && lines[1].hasSuffix("  https://safelight.example/panel/12"))
    #expect(lines[2] == "astronaut.jpg  512×512  1 face" && lines[3].hasPrefix("  face      0."))
    #expect(lines[4] == "coffee.jpg  600×400  nothing found")
  }

  @Test("Control characters of a code add no lines and command no terminal, and JSON has them")
  func controlCharacters() throws {
    let scratch = try folder("qr-controls.png", "qr-2953-controls.png")
    let run = try Program.run(["analyze", "qr-controls.png", "--find", "codes"], in: scratch)
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.output.hasSuffix("  red\\u{1B}[31m\\nbell\\u{7}\\u{202E}.\n"), "\(run.output)")
    let large = try Program.run(["analyze", "qr-2953-controls.png", "--find", "codes"], in: scratch)
    #expect(large.output.split(separator: "\n").count == 2 && large.output.hasSuffix("…\n"))
    let json = try Program.run(["analyze", "qr-controls.png", "--find", "codes", "--json"], in: scratch)
    #expect(!json.output.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || $0 == "\u{202E}") })
    let report = try #require(JSONReport.list(json.output).first)
    let found = try #require((report["found"] as? [[String: Any]])?.first)
    #expect(found["text"] as? String == "red\u{1B}[31m\nbell\u{7}\u{202E}.")
  }

  @Test("JSON has outlines in fractions, confidence, text and details")
  func json() throws {
    let scratch = try folder("qr.png", "coffee.jpg")
    let run = try Program.run(["analyze", "qr.png", "coffee.jpg", "--find", "codes", "--json"], in: scratch)
    #expect(run.exitCode == 0)
    let reports = try JSONReport.list(run.output)
    #expect(reports.map { $0["photo"] as? String } == ["qr.png", "coffee.jpg"])
    #expect(reports[0]["width"] as? Int == 222 && reports[0]["error"] == nil)
    let found = try #require(reports[0]["found"] as? [[String: Any]])
    #expect(
      found.count == 1 && found[0]["kind"] as? String == "code" && found[0]["confidence"] as? Double == 1)
    let outline = try #require(found[0]["outline"] as? [[Double]])
    #expect(
      outline.count == 4
        && outline.allSatisfy { $0.count == 2 && $0.allSatisfy { (0.05...0.95).contains($0) } })
    #expect((found[0]["details"] as? [String: String])?["symbology"] == "QRCode")
    #expect(
      (reports[1]["found"] as? [Any])?.isEmpty == true && (reports[1]["problems"] as? [Any])?.isEmpty == true)
  }

  @Test("Findings are drawn beside each other into a folder, and names alone are those with findings")
  func drawing() throws {
    let scratch = try folder("qr.png", "coffee.jpg")
    let run = try Program.run(
      ["analyze", "qr.png", "coffee.jpg", "--find", "codes", "--draw", "out/", "--names"], in: scratch)
    #expect(run.exitCode == 0 && run.output == "qr.png\n")
    let drawing = try scratch.photo("out/qr-found.jpg").buffer
    #expect(drawing.size == PixelSize(width: 888, height: 888))
    // The outline, blue, runs along the code's upper edge: 24 of 222 pixels from the top, four times as large.
    var blue = 0
    for y in 92..<104 {
      let row = drawing.row(y, as: UInt8.self)
      var count = 0
      for x in 100..<780 where Int(row[4 * x + 2]) > Int(row[4 * x]) + 40 { count += 1 }
      blue = max(blue, count)
    }
    #expect(blue > 600, "\(blue)")
    #expect(try scratch.photo("out/coffee-found.jpg").buffer.size == PixelSize(width: 1200, height: 800))
    let again = try Program.run(["analyze", "qr.png", "--find", "codes", "--draw", "out/"], in: scratch)
    #expect(again.exitCode == 1 && again.error?.contains("out/qr-found.jpg") == true)
  }

  @Test("A photo that cannot be read does not stop the others")
  func unreadable() throws {
    let scratch = try folder("qr.png")
    try scratch.write("no picture", to: "b.jpg")
    let run = try Program.run(["analyze", "b.jpg", "qr.png", "--find", "codes"], in: scratch)
    #expect(run.exitCode == 1 && run.output.hasPrefix("qr.png  222×222  1 code\n"))
    #expect(run.error?.hasPrefix("Cannot read b.jpg: ") == true)
    let json = try Program.run(["analyze", "b.jpg", "--find", "codes", "--json"], in: scratch)
    #expect(
      (try JSONReport.list(json.output).first?["error"] as? String)?.hasPrefix("Cannot read b.jpg: ") == true)
  }

  @Test(
    "What cannot be asked for",
    arguments: [
      (
        ["--find", "codez"], 64,
        "Unknown thing to find “codez”; did you mean “codes”? Known: codes, faces, text"
      ),
      (["--find", ""], 64, "Unknown thing to find “”"),
      (
        ["--find", "codes", "--sort", "name"], 64, "--sort has no effect with --find"
      ),
      (["--find", "codes", "--scopes", "x.png"], 64, "--scopes has no effect with --find"),
      (["--draw", "x.png"], 64, "--draw needs --find."),
      (["--find", "codes", "--face-model", "x"], 64, "--face-model needs --find faces."),
      (["--find", "codes", "--language", "eng"], 64, "--language needs --find text."),
      (
        ["--find", "faces", "--face-model", "none.onnx"], 1,
        "Cannot read the face model none.onnx: No such file"
      ),
      (
        ["--find", "faces", "--face-model", "qr.png"], 1, "The face model qr.png is none that OpenCV can find"
      ),
      (
        ["--find", "text", "--language", "tlh"], 1,
        "Text in “tlh” cannot be read: Tesseract has no data for it; "
      ),
      (["--find", "text", "--language", "../x"], 1, "“../x” is no language of Tesseract"),
    ])
  func refused(arguments: [String], code: Int32, sentence: String) throws {
    let scratch = try folder("qr.png")
    let run = try Program.run(["analyze", "qr.png"] + arguments, in: scratch)
    #expect(run.exitCode == code && run.error?.contains(sentence) == true, "\(run.errors)")
    #expect(try scratch.names == ["qr.png"])
  }

  @Test("What can be found, and how it is confined, is told as text and as JSON")
  func vision() throws {
    let scratch = try Scratch()
    let text = try Program.run(["vision"], in: scratch)
    #expect(text.exitCode == 0 && text.output.contains("\n  codes             zxing-cpp "), "\(text.output)")
    let json = try Program.run(["vision", "--json", "--language", "tlh"], in: scratch)
    #expect(json.exitCode == 0)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let abilities = try #require(report["abilities"] as? [String: [String: Any]])
    #expect(
      abilities["codes"]?["isReady"] as? Bool == true && abilities["text"]?["isReady"] as? Bool == false)
    #expect((abilities["text"]?["problem"] as? String)?.contains("tesseract-ocr-tlh") == true)
    let confinement = try #require(report["confinement"] as? [String: String])
    #expect(confinement["memory"]?.hasPrefix("active, ") == true && confinement["seccomp"] != nil)
  }
}

@Suite("Analyze: find things without the worker")
struct MissingWorkerTests {
  @Test("The program by itself still runs, and one sentence names what is missing")
  func missing() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    // Copied by a program of its own: what else starts programs meanwhile would hold our copy open for writing.
    let run = try Program.shell(
      #"cp "$SAFELIGHT" alone && export PATH=/none && ./alone --version && ./alone analyze a.png --find codes"#,
      in: scratch)
    #expect(run.exitCode == 1)
    #expect(
      run.error
        == "There is no program safelight-vision beside this one or on PATH, which finds codes, faces and text; install "
        + "its package, safelight-vision, or build it with make vision, which needs the packages libzxing-dev, "
        + "libopencv-objdetect-dev, libopencv-imgproc-dev and libtesseract-dev of Debian.", "\(run.errors)")
  }
}
