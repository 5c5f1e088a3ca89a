import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

@Suite("What a batch reports")
struct BatchReportTests {
  @Test("A report without failures leaves nothing to retry")
  func nothingToRetry() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    #expect(try scratch.batch("in", "-o", "out", "--json", "report.json").exitCode == 0)
    let retry = try scratch.batch("--retry-failed", "report.json", "-o", "out")
    #expect(retry.exitCode == 0)
    #expect(retry.errors.contains("lists no failed photos"), "\(retry.errors)")
  }

  @Test("Photos that differ in names and sizes only are told as one warning")
  func groupedWarnings() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    for size in 30..<34 { try scratch.save(gradient(size, 20), as: "in/p\(size).png") }
    let run = try scratch.batch("in", "-o", "out", "--resize", "40")
    #expect(run.exitCode == 0)
    #expect(
      run.errors == "Warning: 4 photos, the first: in/p30.png: resize enlarges the picture from 30×20.\n")
  }

  @Test("What was found in each photo is told, and which were not straightened")
  func foundValues() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    let flags = ["in", "-o", "out", "--auto", "exposure", "--straighten", "auto", "--verbose"]
    let run = try Program.run(["batch"] + flags + ["--json", "report.json"], in: scratch)
    #expect(run.exitCode == 0)
    #expect(run.output.contains("in/photo-1.jpg  auto exposure: "), "\(run.output)")
    #expect(
      run.errors.contains("2 of 2 photos not straightened, the first: in/photo-1.jpg: "), "\(run.errors)")
    let report = try JSONDecoder().decode(
      BatchReport.self, from: Data(scratch.read("report.json")))
    // As a single edit tells them.
    let edit = try Program.run(
      ["edit", "in/photo-1.jpg", "-o", "a.jpg", "--auto", "exposure", "--straighten", "auto", "--json"],
      in: scratch)
    let alone = try JSONDecoder().decode(EditReport.self, from: Data(edit.output.utf8))
    #expect(report.entries[0].auto != nil)
    #expect(report.entries[0].auto == alone.auto)
  }

  @Test("The report and the contact sheet must not be one file, nor the journal")
  func oneFile() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    for flags in [
      ["--json", "s.jpg", "--contact-sheet", "s.jpg"], ["--json", "out/.safelight-batch.jsonl"],
    ] {
      let run = try Program.run(["batch", "in", "-o", "out"] + flags, in: scratch)
      #expect(run.exitCode == 2, "\(flags)")
      #expect(run.errors.hasSuffix("name.\n") || run.errors.hasSuffix("name of its own.\n"), "\(run.errors)")
    }
  }

  @Test("--retry-failed edits what failed there, under the same names and numbers, from any folder")
  func retry() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(3, in: "in/sub")
    let good = try scratch.read("in/sub/photo-2.jpg")
    try scratch.write("broken", to: "in/sub/photo-2.jpg")
    let flags = ["--recursive", "--name", "{index:03}-{stem}"]
    let first = try Program.run(
      ["batch", "in", "-o", "out", "--json", "report.json"] + flags, in: scratch)
    #expect(first.exitCode == 1)
    try scratch.write(good, to: "in/sub/photo-2.jpg")
    let before = try scratch.contents(of: "out")
    try scratch.makeFolder("elsewhere")
    let retry = try Program.shell(
      "cd elsewhere && \"$SAFELIGHT\" batch --retry-failed ../report.json -o ../out \(flags.joined(separator: " ").replacing("{", with: "'{").replacing("}", with: "}'"))",
      in: scratch)
    #expect(retry.exitCode == 0, "\(retry.errors)")
    #expect(retry.output.hasPrefix("1 done"))
    let after = try scratch.contents(of: "out")
    #expect(Set(after.keys) == ["sub/001-photo-1.jpg", "sub/002-photo-2.jpg", "sub/003-photo-3.jpg"])
    #expect(after.filter { before[$0.key] != nil } == before)
    try scratch.write("{}", to: "other.json")
    let wrong = try scratch.batch("--retry-failed", "other.json", "-o", "out")
    #expect(
      wrong.told == "Error: other.json is not a report of a batch; give a file that --json wrote.\n")
    #expect(wrong.exitCode == 2)
  }

  @Test("--json - leaves standard output to the report, and --dry-run --json gives the plan")
  func standardOutput() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    try scratch.write("x", to: "in/bad.jpg")
    try scratch.makeFolder("out")
    try scratch.write("taken", to: "out/photo-1.jpg")
    let plan = try scratch.batch("in", "-o", "out", "--dry-run", "--on-conflict", "skip", "--json", "-")
    let lines = try JSONReport.list(plan.output)
    #expect(lines.map { $0["action"] as? String } == ["edit", "skip", "edit"])
    #expect(lines.map { $0["output"] as? String } == ["bad.jpg", "photo-1.jpg", "photo-2.jpg"])
    let all = try scratch.batch("in", "-o", "out", "--dry-run", "--on-conflict", "overwrite")
    #expect(all.output.contains("in/photo-1.jpg  photo-1.jpg  replaces the existing file\n"), "\(all.output)")
    #expect(all.output.contains("in/photo-2.jpg  photo-2.jpg\n"), "\(all.output)")
    #expect(try scratch.contents(of: "out").count == 1)
    let run = try scratch.batch("in", "-o", "out", "--on-conflict", "skip", "--json", "-")
    let report = try JSONReport(run.output)
    #expect((report["entries"] as? [[String: Any]])?.count == 3)
    #expect(run.errors.contains("1 done · 1 skipped · 1 failed"))
    #expect(run.exitCode == 1)
  }

  @Test(
    "Where a report or a sheet could not be written, nothing is begun",
    arguments: ["--json", "--contact-sheet"])
  func impossibleTargets(option: String) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let run = try scratch.batch("in", "-o", "out", option, "none/x.jpg")
    #expect(run.error == "Cannot write none/x.jpg: the folder none does not exist; create it first.")
    #expect(run.exitCode == 2)
    #expect(try scratch.names == ["in"])
  }

  @Test("A contact sheet shows every result, on as many pages as it takes")
  func contactSheet() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(50)
    try scratch.save(gradient(30, 40), as: "in/tall.png")
    let run = try scratch.batch("in", "-o", "out", "--exposure", "0.5", "--contact-sheet", "sheet.png")
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.contains("sheet-1.png … sheet-2.png  51 pictures on 2 pages\n"))
    #expect(try scratch.names == ["in", "out", "sheet-1.png", "sheet-2.png"])
    // Two landscape pictures and one upright: the upright one is the last, at the right or on the row below.
    let last = try scratch.photo("sheet-2.png").buffer
    #expect(last.width > 3 * 40 && last.height > 40)
    // The flat colour of the ground in a corner.
    #expect(pixel(last, 0, 0) == [0x1B, 0x1B, 0x1D, 255])
    // Somewhere stands the middle of photo 50, as it was written.
    let wanted = pixel(try scratch.photo("out/photo-50.jpg").buffer, 20, 15)
    let found = (0..<last.height).contains { y in
      (0..<last.width).contains { x in
        zip(pixel(last, x, y), wanted).allSatisfy { abs($0 - $1) <= 1 }
      }
    }
    #expect(found)
    let again = try scratch.batch(
      "in/photo-1.jpg", "-o", "out", "--exposure", "0.5", "--overwrite", "--contact-sheet", "out/photo-1.jpg")
    #expect(again.errors.contains("would replace a result"), "\(again.errors)")
    #expect(again.exitCode == 1)
  }

  @Test("--compare writes what edit --compare writes, and is another edit for --resume")
  func compare() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let flags = ["--exposure", "1", "--compare", "side", "--no-labels"]
    let batch = try Program.run(["batch", "in", "-o", "out"] + flags, in: scratch)
    #expect(batch.exitCode == 0, "\(batch.errors)")
    _ = try Program.run(["edit", "in/photo-1.jpg", "-o", "one.jpg"] + flags, in: scratch)
    #expect(try scratch.read("out/photo-1.jpg") == scratch.read("one.jpg"))
    let plain = try scratch.batch("in", "-o", "out", "--exposure", "1", "--resume")
    #expect(plain.output.hasPrefix("1 done"))
    let wrong = try scratch.batch("in", "-o", "out", "--split", "0.3")
    #expect(wrong.error == "--split has no effect without --compare split; give both or neither.")
  }

  @Test("--resume keeps to the names of the run that it resumes, and other names are other results")
  func names() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    #expect(try scratch.batch("in", "-o", "out", "--format", "png").exitCode == 0)
    #expect(try scratch.batch("in", "-o", "out", "--resume").exitCode == 0)
    #expect(try scratch.batch("in", "-o", "out", "--name", "x-{stem}", "--resume").exitCode == 0)
    #expect(
      try Set(scratch.contents(of: "out").keys)
        == [
          "photo-1.png", "photo-2.png", "photo-1.jpg", "photo-2.jpg", "x-photo-1.jpg", "x-photo-2.jpg",
        ])
    let again = try scratch.batch("in", "-o", "out", "--format", "png", "--resume")
    #expect(again.output.hasPrefix("0 done · 2 skipped"))
  }

  @Test("No page of a contact sheet replaces an original, or a file that is there, whatever page that is")
  func sheetPages() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(50)
    let original = try scratch.read("in/photo-1.jpg")
    let over = try scratch.batch(
      "in", "-o", "out", "--contact-sheet", "in/photo.jpg", "--overwrite")
    #expect(over.error == "in/photo-1.jpg is an original, in/photo-1.jpg; give another name.")
    #expect(over.exitCode == 2)
    #expect(try scratch.read("in/photo-1.jpg") == original)
    #expect(try scratch.names == ["in"])
    try scratch.write("a letter", to: "sheet-2.jpg")
    let taken = try scratch.batch("in", "-o", "out", "--contact-sheet", "sheet.jpg")
    #expect(
      taken.error
        == "sheet-2.jpg, where the contact sheet goes, already exists; give --overwrite to replace it, or another name."
    )
    #expect(taken.exitCode == 2)
    #expect(try scratch.names == ["in", "sheet-2.jpg"])
    let replaced = try scratch.batch(
      "in", "-o", "out", "--contact-sheet", "sheet.jpg", "--overwrite")
    #expect(replaced.exitCode == 0, "\(replaced.errors)")
    #expect(try scratch.photo("sheet-2.jpg").buffer.width > 40)
    // Those of an earlier run are known by what they say of themselves.
    let again = try scratch.batch("in", "-o", "out", "--contact-sheet", "sheet.jpg", "--resume")
    #expect(again.exitCode == 0, "\(again.errors)")
  }

  @Test("Photos are looked at for --auto after their memory was granted, and {width} cannot be told before")
  func automatic() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    // The header is sound: what finds the damage is what decodes.
    try scratch.write(Array(scratch.read("in/photo-1.jpg").dropLast(300)), to: "in/cut.jpg")
    let run = try scratch.batch("in", "-o", "out", "--auto", "all", "--straighten", "auto")
    #expect(run.exitCode == 1, "\(run.errors)")
    let journal = String(decoding: try scratch.read("out/\(BatchJournal.fileName)"), as: UTF8.self)
    let started = journal.split(separator: "\n").filter { $0.contains(#""event":"start"#) }
    #expect(started.contains { $0.contains("cut.jpg") }, "\(journal)")
    let named = try scratch.batch("in", "-o", "out", "--straighten", "auto", "--name", "{stem}-{width}{ext}")
    #expect(
      named.error?.hasPrefix(
        "{width} and {height} are not known until --straighten auto has examined the photos") == true)
  }

  @Test(
    "A recipe is read once, for all photos and processes, and may come through a pipe",
    arguments: [[], ["--auto", "exposure"], ["--no-isolate"]])
  func recipeOnce(flags: [String]) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(4)
    try scratch.write(
      #"{"safelight": 1, "filters": [{"filter": "saturation", "amount": -100}]}"#, to: "gray.json")
    let run = try Program.shell(
      "\"$SAFELIGHT\" batch in -o out --jobs 2 --recipe /dev/stdin \(flags.joined(separator: " ")) < gray.json; "
        + "cat gray.json | \"$SAFELIGHT\" batch in -o piped --jobs 2 --recipe /dev/stdin \(flags.joined(separator: " "))",
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    _ = try Program.run(["batch", "in", "-o", "named", "--recipe", "gray.json"] + flags, in: scratch)
    let named = try scratch.contents(of: "named")
    #expect(named.count == 4)
    #expect(try scratch.contents(of: "piped") == named)
    #expect(try scratch.contents(of: "out") == named)
  }
}
