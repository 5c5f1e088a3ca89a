import LibraryTestSupport
import Foundation
import Safelight
import Testing

@Suite("Batches that machines share")
struct BatchShardTests {
  private static let edit = ["--exposure", "0.4", "--format", "png"]

  @Test("Parts that run at the same time make together what one run makes")
  func parts() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(13)
    let whole = try Program.run(["batch", "in", "-o", "whole"] + Self.edit, in: scratch)
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let runs = try (1...3).map { part in
      try Process(
        Program.path,
        ["batch", "in", "-o", "out", "--shard", "\(part)/3", "--jobs", "1"] + Self.edit, in: scratch,
        environment: [:])
    }
    for run in runs {
      let result = try run.wait(seconds: 120)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(try scratch.contents(of: "out") == (try scratch.contents(of: "whole")))
    // Each is continued by itself: there is nothing left to do.
    for part in 1...3 {
      let again = try Program.run(
        ["batch", "in", "-o", "out", "--shard", "\(part)/3", "--resume"] + Self.edit, in: scratch)
      #expect(again.exitCode == 0 && again.output.hasPrefix("0 done"), "\(again.output)\(again.errors)")
    }
  }

  @Test("Numbers in names are those of the whole batch")
  func numbers() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(6)
    for part in 1...2 {
      let run = try scratch.batch("in", "-o", "out", "--name", "{index:02}{ext}", "--shard", "\(part)/2")
      #expect(run.exitCode == 0, "\(run.errors)")
    }
    #expect(try scratch.contents(of: "out").keys.sorted() == (1...6).map { "0\($0).jpg" })
  }

  @Test("Results of other parts are no photos, where results go beside the originals")
  func besideOriginals() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(7)
    let flags = ["batch", "in", "-o", "in", "--name", "{stem}-edited{ext}"]
    for part in [1, 2, 1] {
      let run = try Program.run(flags + ["--shard", "\(part)/2", "--resume"], in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
    }
    let names = try scratch.contents(of: "in").keys
    #expect(names.count == 14 && names.allSatisfy { !$0.contains("edited-edited") }, "\(names)")
  }

  @Test("A folder stays divided as it was, and a run without parts does not continue one with them")
  func otherDivision() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(3)
    #expect(try scratch.batch("in", "-o", "out", "--shard", "1/2").exitCode == 0)
    for flags in [["--shard", "1/3"], ["--resume"]] {
      let run = try Program.run(["batch", "in", "-o", "out"] + flags, in: scratch)
      #expect(run.exitCode == 2 && run.errors.contains("--shard K/2"), "\(run.errors)")
    }
  }

  @Test(
    "What would make parts replace each other's results is refused",
    arguments: [
      ["--on-conflict", "rename"], ["--overwrite", "--name", "{index}{ext}"],
      ["--on-conflict", "skip", "--name", "{index:3}-{stem}{ext}"],
    ])
  func refused(flags: [String]) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let run = try Program.run(["batch", "in", "-o", "out", "--shard", "1/3"] + flags, in: scratch)
    #expect(run.exitCode == 64 && run.errors.contains("--shard"), "\(run.errors)")
  }

  @Test("A part of which there are no photos ends well; --dry-run lists a part", arguments: [1, 2])
  func small(part: Int) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    let listed = try scratch.batch("in", "-o", "out", "--shard", "\(part)/2", "--dry-run")
    let run = try scratch.batch("in", "-o", "out", "--shard", "\(part)/2")
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(listed.output.contains("photo-1.jpg") == run.output.hasPrefix("1 done"))
  }

  @Test("What is no part is told, and so is a part of a hot folder")
  func mistakes() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    for text in ["0/3", "4/3", "3", "x/y"] {
      let run = try scratch.batch("in", "-o", "out", "--shard", text)
      #expect(run.exitCode == 64 && run.errors.contains("3/16"), "\(run.errors)")
    }
    let run = try scratch.batch("--watch", "in", "-o", "out", "--shard", "1/3")
    #expect(run.exitCode == 64 && run.errors.contains("--watch and --shard exclude each other"))
  }
}
