import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

@Suite("Photos in processes of their own")
struct BatchIsolationTests {
  @Test("A worker that hangs is given up after --timeout, and the batch goes on")
  func hang() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(30, size: (320, 240))
    let run = try Process(
      Program.path,
      [
        "batch", "in", "-o", "out", "--jobs", "1", "--timeout", "2", "--straighten", "2", "--json",
        "report.json",
      ],
      in: scratch, environment: [:])
    #expect(try waitUntil { try scratch.names.contains("out") && !scratch.contents(of: "out").isEmpty })
    let worker = try #require(children(of: run.id).first)
    #expect(kill(worker, SIGSTOP) == 0)
    let outcome = try run.wait(seconds: 60)
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    let failed = try scratch.report().entries.filter { $0.status == .failed }
    #expect(failed.count == 1)
    #expect(
      failed.first?.reason?.hasSuffix(
        "took more than 2.0 s and was abandoned; open it with another program, or allow more with --timeout."
      )
        == true, "\(failed.first?.reason ?? "")")
    // The worker may have stopped with its result written and not yet reported.
    #expect(try (29...30).contains(scratch.contents(of: "out").count))
    #expect(kill(worker, 0) != 0)
  }

  @Test("Photos are the same with and without processes of their own, whatever the number of jobs")
  func same() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(9, size: (120, 90))
    let edit = ["--exposure", "0.3", "--straighten", "1.5", "--preset", "noir"]
    var all: [[String: FileFingerprint]] = []
    for (number, flags) in [["--jobs", "1"], ["--jobs", "4"], ["--no-isolate", "--jobs", "3"]].enumerated() {
      let run = try Program.run(["batch", "in", "-o", "out\(number)"] + edit + flags, in: scratch)
      #expect(run.exitCode == 0)
      all.append(try scratch.contents(of: "out\(number)"))
    }
    #expect(all[0].count == 9 && all[1] == all[0] && all[2] == all[0])
  }

  @Test("No process and no unfinished or temporary file is left over when a batch of many workers ends")
  func leftovers() throws {
    let scratch = try Scratch()
    let photos = try scratch.makePhotos(24, size: (320, 240))
    try scratch.makeFolder("temporary")
    try scratch.write(#"{"safelight": 1, "filters": [{"filter": "exposure", "stops": 0.5}]}"#, to: "r.json")
    let run = try Process(
      Program.path, ["batch", "in", "-o", "out", "--jobs", "4", "--recipe", "r.json", "--straighten", "2"],
      in: scratch, environment: ["TMPDIR": scratch("temporary")])
    var workers: Set<pid_t> = []
    #expect(
      try waitUntil {
        workers.formUnion(children(of: run.id))
        return workers.count >= 4
      })
    let outcome = try run.wait(seconds: 60)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try waitUntil(seconds: 5) { workers.allSatisfy { kill($0, 0) != 0 } })
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("out"))
    #expect(Set(names) == Set(photos + [BatchJournal.fileName]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("temporary")).isEmpty)
    #expect(try scratch.names == ["in", "out", "r.json", "temporary"])
  }
}
