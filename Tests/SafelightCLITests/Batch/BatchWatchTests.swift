import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

@Suite("Watched folders")
struct BatchWatchTests {
  /// A running watch of `hot` into `hot/out`.
  private func watch(_ scratch: Scratch, _ more: [String] = []) throws -> Process {
    try Process(
      Program.path, ["batch", "--watch", "hot", "-o", "hot/out", "--exposure", "0.5"] + more, in: scratch,
      environment: [:])
  }

  private func results(_ scratch: Scratch) throws -> Set<String> {
    try scratch.names.contains("hot")
      ? Set(scratch.contents(of: "hot").keys.filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/.") }) : []
  }

  @Test(
    "What is there, what is written, moved in and put into new folders is edited once; what is not whole is not"
  )
  func arrivals() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1, in: "hot")
    try scratch.makePhotos(5, in: "store")
    let run = try watch(scratch, ["--recursive", "--json", "report.json"])
    #expect(try waitUntil { try results(scratch) == ["out/photo-1.jpg"] })
    let photo = try scratch.read("store/photo-2.jpg")
    // Being loaded down: a hidden name, a name to come, and half a file that is still open.
    try scratch.write(photo, to: "hot/.hidden.jpg")
    try scratch.write(photo, to: "hot/late.jpg.part")
    let slow = try #require(fopen(scratch("hot/slow.jpg"), "w"))
    fwrite(photo, 1, photo.count / 2, slow)
    fflush(slow)
    try scratch.write(photo, to: "hot/quick.jpg")
    try scratch.makeFolder("hot/new/deep")
    try scratch.write(photo, to: "hot/new/deep/inside.jpg")
    var expected: Set = ["out/photo-1.jpg", "out/quick.jpg", "out/new/deep/inside.jpg"]
    #expect(try waitUntil { try results(scratch).isSuperset(of: expected) })
    fwrite(Array(photo[(photo.count / 2)...]), 1, photo.count - photo.count / 2, slow)
    fclose(slow)
    #expect(rename(scratch("hot/late.jpg.part"), scratch("hot/late.jpg")) == 0)
    expected.formUnion(["out/slow.jpg", "out/late.jpg"])
    #expect(try waitUntil { try results(scratch).isSuperset(of: expected) })
    run.signal(SIGTERM)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try results(scratch) == expected)
    // Half a file may have been taken for a whole one on a slow machine, and then again when it was whole.
    let done = try scratch.report().entries.filter { $0.status == .done }.map(\.input)
    #expect(Set(done).count == 5)
    #expect(outcome.output.contains("hot/quick.jpg  quick.jpg  40×30"), "\(outcome.output)")
    #expect(try scratch.photo("hot/out/slow.jpg").buffer.width == 40)
  }

  @Test(
    "A photo that is written anew is edited again, and a restart does what came meanwhile and nothing twice")
  func restart() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2, in: "hot")
    var run = try watch(scratch)
    #expect(try waitUntil { try results(scratch).count == 2 })
    let before = try scratch.contents(of: "hot/out")
    try scratch.makePhotos(3, in: "store", size: (64, 48))
    #expect(try Program.shell("cat store/photo-2.jpg > hot/photo-2.jpg", in: scratch).exitCode == 0)
    #expect(try waitUntil { try scratch.contents(of: "hot/out")["photo-2.jpg"] != before["photo-2.jpg"] })
    run.signal(SIGINT)
    #expect(try run.wait(seconds: 30).exitCode == 0)
    #expect(rename(scratch("store/photo-3.jpg"), scratch("hot/photo-3.jpg")) == 0)
    run = try watch(scratch, ["--json", "report.json"])
    #expect(try waitUntil { try results(scratch).count == 3 })
    run.signal(SIGTERM)
    #expect(try run.wait(seconds: 30).exitCode == 0)
    #expect(
      try scratch.report().statuses
        == ["photo-1.jpg": .skipped, "photo-2.jpg": .skipped, "photo-3.jpg": .done])
    #expect(try scratch.contents(of: "hot/out")["photo-1.jpg"] == before["photo-1.jpg"])
  }

  @Test("Each photo that a booth writes under one name keeps its result with --on-conflict rename")
  func booth() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("hot")
    try scratch.makePhotos(3, in: "store")
    let run = try watch(scratch, ["--on-conflict", "rename"])
    for guest in 1...3 {
      let copy = "cat store/photo-\(guest).jpg > hot/capture.jpg"
      #expect(try Program.shell(copy, in: scratch).exitCode == 0)
      #expect(try waitUntil { try results(scratch).count == guest })
      #expect(unlink(scratch("hot/capture.jpg")) == 0)
    }
    run.signal(SIGTERM)
    #expect(try run.wait(seconds: 30).exitCode == 0)
    #expect(
      try results(scratch) == ["out/capture.jpg", "out/capture-2.jpg", "out/capture-3.jpg"])
    #expect(try Set(scratch.contents(of: "hot/out").values).count == 3)
  }

  @Test("A watch that is told to end leaves the photos that wait to the next one, and ends with 0")
  func ended() throws {
    let scratch = try Scratch()
    // Slow enough with the reference renderer for most to wait when the first is done.
    try scratch.makePhotos(12, in: "hot", size: (640, 480))
    // Not changed for long, and so complete as they are.
    #expect(try Program.shell("touch -d '2 hours ago' hot/*", in: scratch).exitCode == 0)
    let run = try watch(scratch, ["--jobs", "1", "--json", "report.json", "--backend", "reference"])
    #expect(try waitUntil { try !results(scratch).isEmpty })
    run.signal(SIGINT)
    let outcome = try run.wait(seconds: 60)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let report = try scratch.report()
    #expect(report.count(.left) > 0 && report.count(.failed) == 0, "\(outcome.output)")
    #expect(outcome.output.contains("\(report.count(.left)) left for the next watch"), "\(outcome.output)")
    #expect(try report.count(.done) == results(scratch).count)
  }

  @Test("A bad photo is told at once and the watch goes on; the folder's end is told and ends it")
  func trouble() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1, in: "hot")
    try scratch.makePhotos(1, in: "store")
    let run = try Process(
      Program.path, ["batch", "--watch", "hot", "-o", "out", "--jobs", "1"], in: scratch, environment: [:])
    #expect(try waitUntil { try scratch.names.contains("out") && scratch.contents(of: "out").count == 1 })
    try scratch.write("no picture", to: "hot/bad.jpg")
    try scratch.write([], to: "hot/empty.jpg")
    try scratch.write(scratch.read("store/photo-1.jpg"), to: "hot/good.jpg")
    #expect(try waitUntil { try scratch.contents(of: "out")["good.jpg"] != nil })
    // The bad one may be taken later than that: programs that other tests start hold files that are being written for a
    // moment, and a watch waits for that. Once it is taken, it is over before what comes after it.
    let journal = "out/.safelight-batch.jsonl"
    #expect(try waitUntil { try String(decoding: scratch.read(journal), as: UTF8.self).contains("bad.jpg") })
    try scratch.write(scratch.read("store/photo-1.jpg"), to: "hot/later.jpg")
    #expect(try waitUntil { try scratch.contents(of: "out")["later.jpg"] != nil })
    #expect(rename(scratch("hot"), scratch("gone")) == 0)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("Failed: Cannot read hot/bad.jpg: it looks like text"))
    #expect(
      outcome.errors.contains("Error: The watched folder hot is gone; restore it and start again.\n"))
    #expect(
      outcome.errors.contains("Warning: hot/empty.jpg was not completely written and was not edited.\n"))
  }

  @Test("What cannot be watched is refused")
  func refusals() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1, in: "hot")
    try scratch.write("x", to: "file")
    for (arguments, sentence) in [
      (
        ["--watch", "none", "-o", "out"],
        "Cannot watch none: there is no such folder; create it first, or check the spelling."
      ),
      (["--watch", "file", "-o", "out"], "Cannot watch file: it is not a folder; name a folder."),
      (
        ["--watch", "hot", "-o", "hot"],
        "The watched folder hot is also the output folder; write to another one, which may be inside it."
      ),
    ] {
      let run = try Program.run(["batch"] + arguments, in: scratch, seconds: 20)
      #expect(run.error == sentence)
      #expect(run.exitCode == 2)
    }
    for arguments in [["--watch", "hot", "hot"], ["--watch", "hot", "--dry-run"], []] {
      let run = try Program.run(["batch", "-o", "out"] + arguments, in: scratch, seconds: 20)
      #expect(run.exitCode == 64, "\(arguments)")
    }
    #expect(try scratch.names == ["file", "hot"])
  }
}
