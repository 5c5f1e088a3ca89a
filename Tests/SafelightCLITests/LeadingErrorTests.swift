import LibraryTestSupport
import Safelight
import Testing

@Suite("Errors name what does it")
struct LeadingErrorTests {
  @Test(
    "What another command or flag takes is told",
    arguments: [
      ("edit . -o x.jpg", 1, "it is a folder; edit the photos in it with safelight batch."),
      (
        "edit a.png b.png -o x.jpg", 64,
        "Unexpected argument 'b.png'; edit takes one photo, and safelight batch takes many."
      ),
      ("edit a.png 30% -o x.jpg", 64, "Unexpected argument '30%'.\n"),
      ("edit a.png -o none/ --exposure 1", 1, "Cannot write none/: it is a folder; give the name of a file."),
      (
        "edit a.png -o out. --exposure 1", 64,
        "The name out. has no extension that names a format; add one, such as .jpg, or give --format."
      ),
      ("edit a.png -o x.jpg -preset noir", 64, "Unknown option '-preset'. Did you mean '--preset'?"),
      ("edit clip.mp4 -o x.jpg", 1, "; use safelight live --source clip.mp4."),
      (
        "edit a.png -o x1 --exposure 1", 64,
        "The name x1 has no extension that names a format; add one, such as .jpg, or give --format."
      ),
      (
        "edit a.png -o - --format jpeg", 64,
        "Results are written as whole files, not to standard output; name one, ./- for a file of that name."
      ),
      (
        "edit a.png -o x.jpg --recipe a.png.safelight.json", 1,
        "a.png.safelight.json is the edit beside a photo, not a recipe; use safelight export, or safelight recipe copy."
      ),
      (
        "live --source synthetic --to out.mp4", 64,
        "“out.mp4” is a file, not a target; write --to movie:out.mp4."
      ),
      (
        "live --source synthetic --frames 1 --to virtual:/dev/video251", 1,
        "There is no device /dev/video251; create it with sudo modprobe v4l2loopback video_nr=251 exclusive_caps=1 (after sudo modprobe -r v4l2loopback if it is loaded)."
      ),
      ("horizon .", 1, "it is a folder; name photos in it, or use safelight analyze, which takes folders."),
      (
        "batch a.png -o out --name {stem}.webp", 64,
        "“{stem}.webp” ends in .webp, but results get the extension of their format; leave it out, and give --format webp for WebP."
      ),
    ] as [(String, Int32, String)])
  func errors(line: String, code: Int32, sentence: String) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    #expect(try Program.run(["recipe", "set", "a.png", "--exposure", "1"], in: scratch).exitCode == 0)
    try scratch.write("no video, no picture", to: "clip.mp4")
    let before = try scratch.names
    let run = try Program.run(line.split(separator: " ").map(String.init), in: scratch)
    #expect(run.exitCode == code && run.errors.contains(sentence), "\(run.exitCode) \(run.errors)")
    #expect(try scratch.names == before)
  }

  @Test("A name with a dash in front is an error that says where it goes, not a call for help")
  func dashes() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "-dash.png")
    let run = try Program.run(["edit", "-dash.png", "-o", "x.png", "--exposure", "-1"], in: scratch)
    #expect(run.exitCode == 64 && run.output == "")
    #expect(
      run.error
        == "Unknown option '-dash.png'; a name that begins with - goes after --, or is written ./-dash.png.")
    for words in [["--", "-dash.png"], ["--overwrite", "./-dash.png"]] {
      let edit = try Program.run(["edit", "-o", "x.png", "--exposure", "-1"] + words, in: scratch)
      #expect(edit.exitCode == 0, "\(edit.errors)")
    }
  }

  @Test(
    "Words of other editors lead to what does it here",
    arguments: [
      ("--brightness", "Brightness is '--exposure' here."),
      ("--bw", "Black and white is '--black-and-white 100' or '--preset noir' here."),
      ("--unsharp", "Sharpening is '--sharpen' here."),
      ("--gamma", "Gamma is '--levels-gamma' here."),
    ])
  func otherWords(option: String, sentence: String) throws {
    let run = try Program.run(["edit", "a.png", "-o", "b.png", option, "1"], in: Scratch())
    #expect(run.exitCode == 64 && run.error == "Unknown option '\(option)'. \(sentence)", "\(run.errors)")
  }

  @Test("Numbers may have their unit, and formats and colour spaces any case")
  func spellings() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(40, 30), as: "a.png")
    func edit(_ flags: [String], to name: String) throws -> [UInt8] {
      let run = try Program.run(["edit", "a.png", "-o", name] + flags, in: scratch)
      #expect(run.exitCode == 0, "\(flags) \(run.errors)")
      return try scratch.read(name)
    }
    let plain = ["--temperature", "5200", "--contrast", "30", "--exposure", "+0.5", "--straighten", "2.4"]
    let units = [
      "--temperature", "5200K", "--contrast", "30 %", "--exposure", "+0.5EV", "--straighten", "2.4°",
    ]
    #expect(try edit(plain, to: "1.png") == edit(units, to: "2.png"))
    #expect(
      try edit(["--format", "jpeg", "--color-space", "display-p3"], to: "3.jpg")
        == edit(["--format", "JPG", "--color-space", "P3"], to: "4.jpg"))
    let run = try Program.run(["edit", "a.png", "-o", "5.png", "--exposure", "30%"], in: scratch)
    #expect(run.exitCode == 64 && run.error?.contains("exposure is “30%”, which is not a number") == true)
  }
}
