import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

@Suite("export")
struct ExportCommandTests {
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    _ = try Program.shell("mkdir shoot", in: scratch)
    for name in ["a", "b", "c"] { try scratch.save(gradient(48, 32), as: "shoot/\(name).png") }
    let set = try Program.run(
      ["recipe", "set", "shoot/a.png", "shoot/b.png", "--exposure", "-0.5"], in: scratch)
    #expect(set.exitCode == 0, "\(set.errors)")
    return scratch
  }

  private func entries(_ scratch: Scratch) throws -> [[String: Any]] {
    let report = try JSONReport(String(decoding: scratch.read("report.json"), as: UTF8.self))
    return report["entries"] as? [[String: Any]] ?? []
  }

  @Test("Edits of a folder are rendered as “edit” renders them; photos without one are passed over")
  func folder() throws {
    let scratch = try makeFolder()
    let export = try Program.run(["export", "shoot", "-o", "out", "--json", "report.json"], in: scratch)
    #expect(export.exitCode == 0, "\(export.errors)")
    #expect(export.output.hasPrefix("2 done · 1 skipped · "), "\(export.output)")
    let edit = try Program.run(["edit", "shoot/a.png", "-o", "edit.png", "--exposure", "-0.5"], in: scratch)
    #expect(edit.exitCode == 0)
    #expect(
      try largestDifference(scratch.photo("out/a.png").buffer, scratch.photo("edit.png").buffer) == 0)
    let skipped = try entries(scratch).filter { $0["status"] as? String == "skipped" }
    #expect(skipped.map { $0["input"] as? String } == ["shoot/c.png"])
    #expect(skipped.map { $0["reason"] as? String } == ["it has no edit"])
  }

  @Test("Edits that are read are never replaced by results, whatever those are called")
  func editsStay() throws {
    let scratch = try makeFolder()
    _ = try Program.run(["recipe", "clear", "shoot/b.png"], in: scratch)
    let edits = ["shoot/a.png.safelight.json", "shoot/b.png.safelight.json"]
    let before = try edits.map(scratch.read)
    for name in ["{stem}{ext}.safelight.json", "b{ext}.safelight.json"] {
      let export = try Program.run(
        ["export", "shoot", "-o", "shoot", "--format", "png", "--name", name, "--overwrite"], in: scratch)
      #expect(export.exitCode == 1)
      #expect(export.errors.contains(".png.safelight.json, which this run reads"), "\(export.errors)")
      #expect(try edits.map(scratch.read) == before)
    }
  }

  @Test("A photo that is named must have an edit, and a cleared one is none")
  func named() throws {
    let scratch = try makeFolder()
    _ = try Program.run(["recipe", "clear", "shoot/b.png"], in: scratch)
    let export = try Program.run(
      ["export", "shoot/a.png", "shoot/b.png", "shoot/c.png", "-o", "out"], in: scratch)
    #expect(export.exitCode == 1)
    #expect(export.output.hasPrefix("1 done · 2 failed · "), "\(export.output)")
    #expect(
      export.errors.contains(
        "Failed, 2 photos, the first: shoot/b.png has no edit; make one with “safelight recipe set”."),
      "\(export.errors)")
    let folder = try Program.run(["export", "shoot", "-o", "other", "--json", "report.json"], in: scratch)
    #expect(folder.exitCode == 0)
    #expect(try entries(scratch)[1]["reason"] as? String == "its edit was removed")
  }

  @Test("Where no photo has an edit, the summary says so")
  func nothing() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("shoot")
    for name in ["a", "b"] { try scratch.save(gradient(40, 30), as: "shoot/\(name).png") }
    let export = try Program.run(["export", "shoot", "-o", "out"], in: scratch)
    #expect(export.exitCode == 0)
    #expect(export.output.hasPrefix("0 done · 2 skipped: it has no edit · "), "\(export.output)")
  }

  @Test("Only what changed is exported again on --resume", arguments: ["--isolate", "--no-isolate"])
  func resume(isolation: String) throws {
    let scratch = try makeFolder()
    func export() throws -> String {
      try Program.run(["export", "shoot", "-o", "out", "--resume", isolation], in: scratch).output
    }
    #expect(try export().hasPrefix("2 done · 1 skipped"))
    let before = try scratch.read("out/a.png")
    #expect(try export().hasPrefix("0 done · 3 skipped · "), "for different reasons")
    _ = try Program.run(["recipe", "set", "shoot/a.png", "--exposure", "0.5"], in: scratch)
    #expect(try export().hasPrefix("1 done · 2 skipped"))
    #expect(try scratch.read("out/a.png") != before)
    _ = try Program.run(["recipe", "undo", "shoot/a.png"], in: scratch)
    #expect(try export().hasPrefix("1 done · 2 skipped"))
    #expect(try scratch.read("out/a.png") == before)
  }

  @Test(
    "A photo that has changed is told and not exported, unless that is accepted; --dry-run says so before")
  func changed() throws {
    let scratch = try makeFolder()
    try scratch.write(scratch.read("shoot/a.png") + [0], to: "shoot/a.png")
    let sentence =
      "shoot/a.png has changed since its edit was made; check that the edit still fits and give --accept-changed, or make it again with “safelight recipe set”."
    let dry = try Program.run(["export", "shoot", "-o", "out", "--dry-run"], in: scratch)
    #expect(
      dry.output
        == "shoot/a.png  fail: \(sentence)\nshoot/b.png  b.png\nshoot/c.png  skip: it has no edit\n",
      "\(dry.errors)")
    let export = try Program.run(["export", "shoot", "-o", "out"], in: scratch)
    #expect(export.exitCode == 1)
    #expect(export.errors.contains("Failed: \(sentence)"), "\(export.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch("out")).sorted() == [
        ".safelight-batch.jsonl", "b.png",
      ])
    let accepted = try Program.run(
      ["export", "shoot", "-o", "out", "--accept-changed", "--resume"], in: scratch)
    #expect(accepted.exitCode == 0, "\(accepted.errors)")
  }

  @Test("Names may be made of what a photo says, also where some have no edit")
  func names() throws {
    let scratch = try makeFolder()
    let export = try Program.run(
      ["export", "shoot", "-o", "out", "--name", "{stem}-{width}{ext}"], in: scratch)
    #expect(export.exitCode == 0, "\(export.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch("out")).sorted()
        == [".safelight-batch.jsonl", "a-48.png", "b-48.png"])
  }

  @Test("Results get the size that is asked for, in place of the edit's own")
  func resize() throws {
    let scratch = try makeFolder()
    _ = try Program.run(["recipe", "set", "shoot/a.png", "--resize", "40"], in: scratch)
    for (arguments, width) in [
      ([], 40), (["--resize", "24"], 24), (["--resize", "50%"], 24), (["--max-size", "30"], 30),
      (["--max-size", "100"], 40),
    ] {
      let export = try Program.run(
        ["export", "shoot/a.png", "-o", "out", "--resume"] + arguments, in: scratch)
      #expect(export.output.hasPrefix("1 done"), "\(export.errors)")
      #expect(try scratch.photo("out/a.png").buffer.width == width)
    }
    let wrong = try Program.run(["export", "shoot", "-o", "out", "--resize", "0"], in: scratch)
    #expect(wrong.error?.hasSuffix("resize is 0, which keeps the size; leave the flag out for that.") == true)
  }

  @Test("Everything that a shell finds may be named: sidecars are taken for their photos")
  func shellPattern() throws {
    let scratch = try makeFolder()
    let export = try Program.shell("\"$SAFELIGHT\" export shoot/[ab]* -o out", in: scratch)
    #expect(export.exitCode == 0, "\(export.errors)")
    #expect(export.output.hasPrefix("2 done"))
    let show = try Program.run(["recipe", "show", "shoot/a.png.safelight.json"], in: scratch)
    #expect(show.output.hasPrefix("shoot/a.png\n"), "\(show.errors)")
  }

  @Test("A damaged edit fails its photo alone")
  func damaged() throws {
    let scratch = try makeFolder()
    try scratch.write("{", to: "shoot/c.png.safelight.json")
    let export = try Program.run(["export", "shoot", "-o", "out"], in: scratch)
    #expect(export.exitCode == 1)
    #expect(export.output.hasPrefix("2 done · 1 failed · "), "\(export.output)")
    #expect(export.errors.contains("safelight.json:1:2: "), "\(export.errors)")
  }

  @Test("A table of an edit that has become a pipe fails its photo, and does not stop the others")
  func pipeAsTable() throws {
    let scratch = try makeFolder()
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "shoot/t.cube")
    _ = try Program.run(["recipe", "set", "shoot/b.png", "--lut", "shoot/t.cube"], in: scratch)
    _ = try Program.shell("rm shoot/t.cube; mkfifo shoot/t.cube", in: scratch)
    let export = try Program.run(["export", "shoot", "-o", "out"], in: scratch, seconds: 20)
    #expect(export.exitCode == 1)
    #expect(export.output.hasPrefix("1 done · 1 skipped · 1 failed"), "\(export.output)")
    #expect(export.errors.contains("t.cube: it is not a regular file"), "\(export.errors)")
  }

  @Test("An edit is another one where only the contents of its table have changed")
  func changedTable() throws {
    let scratch = try makeFolder()
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "shoot/t.cube")
    _ = try Program.run(["recipe", "set", "shoot/b.png", "--lut", "shoot/t.cube"], in: scratch)
    func export() throws -> String {
      try Program.run(["export", "shoot", "-o", "out", "--resume"], in: scratch).output
    }
    #expect(try export().hasPrefix("2 done"))
    #expect(try export().hasPrefix("0 done"))
    try scratch.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n", to: "shoot/t.cube")
    #expect(try export().hasPrefix("1 done"))
  }
}
