import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("safelight capture")
struct CaptureCommandTests {
  private static let scene = ["capture", "--source", "synthetic", "--size", "160x90"]

  private func run(_ arguments: [String], in scratch: Scratch) throws -> Program.Outcome {
    try Program.run(Self.scene + arguments, in: scratch)
  }

  /// The reports of a run with `--json`.
  private func photos(_ outcome: Program.Outcome) throws -> [DeliveredPhoto] {
    try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(DeliveredPhoto.self, from: Data($0.utf8))
    }
  }

  @Test("takes one photo, with a look, under the name that is asked for")
  func one() throws {
    let scratch = try Scratch()
    let outcome = try run(["-o", "a.png", "--exposure", "1", "--keep-original", "--json"], in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let photo = try #require(photos(outcome).first)
    #expect(photo.path == "a.png" && photo.original == "a-original.png")
    #expect(try scratch.names == ["a-original.png", "a.png"])
    #expect(try scratch.photo("a.png").buffer.size == PixelSize(width: 160, height: 90))
  }

  @Test("refuses a single photo whose name exists, before it opens the source")
  func exists() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "a.jpg")
    let outcome = try run(["-o", "a.jpg"], in: scratch)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.error == "a.jpg already exists, and photos replace nothing; give another name, or a folder.")
    #expect(try scratch.read("a.jpg") == Array("mine".utf8))
  }

  @Test("says what a DNG cannot be before it opens the source, and which sources have none")
  func dng() throws {
    let scratch = try Scratch()
    func refusal(_ arguments: String..., code: Int32 = 64) throws -> String {
      let outcome = try run(arguments, in: scratch)
      #expect(outcome.exitCode == code, "\(arguments)")
      return outcome.error ?? ""
    }
    #expect(
      try refusal("-o", "a.dng", "--exposure", "1").hasPrefix(
        "A DNG holds the sensor's own samples, to which no edit can be applied; add --recipe-only"))
    #expect(
      try refusal("-o", "raw/", "--format", "dng", "--keep-original").contains("leave --keep-original out"))
    #expect(try refusal("-o", "a.jpg", "--format", "dng").contains("a.jpg is the name of a JPEG file"))
    #expect(try refusal("-o", "a.dng", "--format", "jpeg").contains("a.dng is the name of a DNG"))
    #expect(try refusal("-o", "a.dng", "--max-size", "800").contains("which --max-size cannot change"))
    #expect(try refusal("-o", "a.dng", "--quality-priority", "quality").contains("give speed or balanced"))
    #expect(try refusal("-o", "a.dng", "--source-format", "mjpeg").contains("give bayer, or leave it out"))
    #expect(
      try refusal("-o", "a.dng", code: 1).hasSuffix(
        "sends finished pictures, and a DNG is made of a sensor's mosaic; use a camera that delivers Bayer formats (safelight devices), or another --format."
      ))
    #expect(try scratch.names == [])
    try scratch.write("no picture", to: "b.jpg")
    let edit = try Program.run(["edit", "b.jpg", "-o", "c.png", "--format", "dng"], in: scratch)
    #expect(edit.exitCode == 64 && edit.error?.contains("choose another --format, such as tiff") == true)
  }

  @Test("takes bursts of successive frames, and repeats after an interval")
  func several() throws {
    let scratch = try Scratch()
    let burst = try photos(run(["-o", "b/{index}.jpg", "--burst", "4", "--json"], in: scratch))
    #expect(burst.map(\.path) == ["b/1.jpg", "b/2.jpg", "b/3.jpg", "b/4.jpg"])
    #expect(burst.map(\.burstIndex) == [0, 1, 2, 3])
    #expect(zip(burst, burst.dropFirst()).allSatisfy { $1.sequence == $0.sequence + 1 })
    let lapse = try run(["-o", "c/", "--interval", "100ms", "--count", "3", "--json"], in: scratch)
    #expect(try photos(lapse).count == 3)
  }

  @Test("is fired by signals and by input devices, until these end")
  func triggers() throws {
    let scratch = try Scratch()
    let signal = try Program.shell(
      """
      "$SAFELIGHT" capture --source synthetic --size 160x90 -o s/ --on signal:USR1 --count 2 2>log & p=$!
      until grep -q Ready log; do sleep 0.05; done
      while kill -USR1 $p 2>/dev/null; do sleep 0.2; done
      wait $p
      """, in: scratch)
    #expect(signal.exitCode == 0, "\(signal.errors)")
    // A key goes down, repeats and goes up: one press.
    let zeros = String(repeating: "\\0", count: 16)
    let events = (1...3).map { value in zeros + "\\1\\0\\56\\0\\\(value % 3)\\0\\0\\0" }.joined()
    let input = try Program.shell(
      """
      mkfifo keys
      (sleep 1; printf '\(events)'; sleep 1) > keys &
      "$SAFELIGHT" capture --source synthetic --size 160x90 -o i/ --on input:keys --json
      """, in: scratch)
    #expect(input.exitCode == 0, "\(input.errors)")
    #expect(try photos(input).count == 1)
  }

  @Test("writes what was taken before the source ended, and says that it has", .timeLimit(.minutes(1)))
  func endingSource() throws {
    let scratch = try Scratch()
    _ = try Program.run(
      ["capture", "--source", "synthetic", "--size", "160x90", "-o", "in/{index}.png", "--burst", "5"],
      in: scratch)
    for flags in [["--burst", "30"], ["--interval", "100ms"]] {
      let outcome = try Program.run(
        ["capture", "--source", "in/*.png", "--fps", "5", "-o", "\(flags[0].dropFirst(2))/", "--json"]
          + flags, in: scratch
      )
      #expect(outcome.exitCode == 1)
      #expect(!outcome.output.isEmpty)
    }
  }

  @Test("tells presses of keys from their release, repetition and other events")
  func inputEvents() {
    func event(type: UInt8, value: UInt8) -> [UInt8] {
      [2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, type, 0, 30, 0, value, 0, 0, 0]
    }
    let time = Timestamp(nanoseconds: 2_000_003_000)
    for (value, isDown) in [(UInt8(1), true), (0, false)] {
      #expect(
        InputEventDevice.change(event(type: 1, value: value))
          == InputKeyChange(code: 30, isDown: isDown, time: time))
    }
    for (type, value) in [(1, 2), (0, 1), (2, 1)] as [(UInt8, UInt8)] {
      #expect(InputEventDevice.change(event(type: type, value: value)) == nil)
    }
  }

  @Test(
    "refuses what contradicts itself in one sentence",
    arguments: [
      ["--keep-original", "--recipe-only"], ["--on", "key", "--interval", "1s"],
      ["--burst", "3", "--best-of", "3"],
      ["--best-of", "33"], ["--burst", "3", "--quality-priority", "quality"], ["--on", "signal:KILL"],
      ["--timer", "1e300"], ["--fuse"], ["--bracket", "-2,0,2", "--burst", "3"],
      ["--bracket", "-2,0,2", "--best-of", "3"], ["--bracket", "-2,0,2", "--quality-priority", "quality"],
      ["--bracket", "2"], ["--bracket", "0,9"], ["--bracket", "a,b"],
      ["--on", "thought"],
      ["--timer", "1e300"],
      ["--on", "thought"], ["--on", "http"], ["--on", "http:70000"], ["--on", "http::80"],
      ["--burst-while", "pedal"], ["--burst-while", "q"], ["--burst-while", "volume-up"],
      ["--burst-while", "space", "--burst", "3"], ["--burst-while", "space", "--timer", "1s"],
      ["--burst-while", "space", "--on", "signal:USR1"], ["--burst-while", "any", "--on", "http:0"],
      ["--burst-while", "space", "--quality-priority", "quality"],
    ])
  func contradictions(flags: [String]) throws {
    let scratch = try Scratch()
    let outcome = try run(["-o", "a/"] + flags, in: scratch)
    #expect(outcome.exitCode == 64, "\(outcome.errors)")
    #expect(try scratch.names.isEmpty)
  }

  @Test("takes brackets with cameras only, and creates nothing before it says so")
  func bracketWithoutCamera() throws {
    let scratch = try Scratch()
    let outcome = try run(["-o", "new/", "--bracket", "-2,0,2", "--fuse"], in: scratch)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.error
        == "Exposures can be set on cameras only, and synthetic is none; name a camera, or fuse photos that you have: "
        + "safelight merge --exposures.")
    #expect(try scratch.names.isEmpty)
  }

  @Test(
    "refuses names that cannot be names, as other mistakes on the command line",
    arguments: ["{sten}.jpg", "{index.jpg", "{index}/../../x.jpg", "a.bmp", "{index}.gif"])
  func names(output: String) throws {
    let scratch = try Scratch()
    let outcome = try run(["-o", output], in: scratch)
    #expect(outcome.exitCode == 64, "\(outcome.errors)")
    #expect(try scratch.names.isEmpty)
  }

  @Test("refuses a single photo whose name exists also if the format completes the name")
  func existsWithFormat() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "ex.png")
    let outcome = try run(["-o", "ex", "--format", "png"], in: scratch)
    #expect(outcome.exitCode == 1 && outcome.error?.hasPrefix("ex.png already exists") == true)
    #expect(try scratch.names == ["ex.png"])
  }

  @Test("creates no folder without a source, and says what cannot be a folder before it takes a photo")
  func folders() throws {
    let scratch = try Scratch()
    let missing = try Program.run(["capture", "--source", "none.mp4", "-o", "new/"], in: scratch)
    #expect(missing.exitCode == 1)
    #expect(try scratch.names == [])
    try scratch.write("a file", to: "file")
    let blocked = try run(["-o", "file/x.jpg", "--on", "signal:USR1"], in: scratch)
    #expect(blocked.exitCode == 1 && !blocked.errors.contains("Ready"), "\(blocked.errors)")
  }

  @Test("takes what there is of a source of one picture", arguments: ["speed", "balanced", "quality"])
  func onePicture(priority: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "one.png")
    let outcome = try Program.run(
      ["capture", "--source", "one.png", "-o", "a.jpg", "--quality-priority", priority, "--json"], in: scratch
    )
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try photos(outcome).map(\.frames) == [1])
    #expect(try scratch.photo("a.jpg").buffer.size == PixelSize(width: 48, height: 32))
  }

  @Test("refuses what is not an input device")
  func notInput() throws {
    for path in ["/etc/passwd", "/dev/null"] {
      let outcome = try run(["-o", "a/", "--on", "input:\(path)"], in: Scratch())
      #expect(outcome.exitCode == 1)
      #expect(outcome.errors.contains("\(path) is not an input device"), "\(outcome.errors)")
    }
  }

  @Test("says that a device of keys is missing, with the place where devices are listed")
  func missingDevice() throws {
    let outcome = try run(["-o", "a/", "--on", "input:/dev/input/none"], in: Scratch())
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("/dev/input/none") && outcome.errors.contains("/dev/input/by-id"))
  }
}

@Suite("safelight merge")
struct MergeCommandTests {
  @Test("merges photos, and tells how")
  func merge() throws {
    let scratch = try Scratch()
    _ = try Program.run(
      ["capture", "--source", "synthetic", "--size", "160x90", "-o", "{index}.png", "--burst", "3"],
      in: scratch)
    let outcome = try Program.run(
      ["merge", "1.png", "2.png", "3.png", "-o", "m.png", "--reference", "2", "--json"], in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let report = try JSONDecoder().decode(MergeReport.self, from: Data(outcome.output.utf8))
    #expect(report.statistics?.reference == 1)
    #expect(try scratch.photo("m.png").buffer.format == .rgba16)
    let fused = try Program.run(
      ["merge", "1.png", "2.png", "-o", "f.jpg", "--exposures", "--preset", "noir"], in: scratch)
    #expect(fused.exitCode == 0, "\(fused.errors)")
  }

  @Test("refuses one photo, photos of two sizes, and an output that is an input")
  func refusals() throws {
    let scratch = try Scratch()
    for (name, size) in [("a.png", "160x90"), ("b.png", "90x60")] {
      _ = try Program.run(
        ["capture", "--source", "synthetic", "--size", size, "-o", name], in: scratch)
    }
    #expect(try Program.run(["merge", "a.png", "-o", "m.png"], in: scratch).exitCode == 64)
    #expect(try Program.run(["merge", "a.png", "b.png", "-o", "m.png"], in: scratch).exitCode == 1)
    #expect(
      try Program.run(["merge", "a.png", "a.png", "-o", "a.png", "--overwrite"], in: scratch).exitCode == 1)
    #expect(try scratch.names == ["a.png", "b.png"])
  }
}
