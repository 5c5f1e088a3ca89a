import LibraryTestSupport
import Foundation
import Safelight
import Testing
import Libc

@Suite("Batches that are cut short")
struct BatchInterruptionTests {
  private static let edit = ["--exposure", "0.4", "--straighten", "2"]

  /// What an undisturbed run makes.
  private func undisturbed(_ scratch: Scratch, jobs: Int) throws -> [String: FileFingerprint] {
    let run = try Program.run(
      ["batch", "in", "-o", "clean\(jobs)", "--jobs", "\(jobs)"] + Self.edit, in: scratch)
    #expect(run.exitCode == 1, "\(run.errors)")
    return try scratch.contents(of: "clean\(jobs)")
  }

  /// Results that are there, whole or not; temporary files are not.
  private func resultCount(_ scratch: Scratch) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch("out"))) ?? []
    return names.count { !$0.hasPrefix(".") }
  }

  @Test("A photo is the same however it is named: relative, absolute, or after --", arguments: [true, false])
  func spellings(isIsolated: Bool) throws {
    let scratch = try Scratch()
    try scratch.makePhotos(3)
    let isolation = isIsolated ? "--isolate" : "--no-isolate"
    let first = try scratch.batch("-o", "out", isolation, "--", "in/photo-1.jpg", "in/photo-2.jpg")
    #expect(first.output.hasPrefix("2 done"), "\(first.errors)")
    let second = try scratch.batch(scratch("in"), "-o", "out", isolation, "--resume")
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(second.output.hasPrefix("1 done · 2 skipped"), "\(second.output)")
  }

  @Test("A damaged journal is told")
  func damagedJournal() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(2)
    #expect(try scratch.batch("in", "-o", "out").exitCode == 0)
    try scratch.write("garbage\nmore garbage\n", to: "out/.safelight-batch.jsonl")
    let run = try scratch.batch("in", "-o", "out", "--resume")
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("The journal of out is damaged: 2 of its lines"), "\(run.errors)")
  }

  /// SAFELIGHT_KILL_ROUNDS asks for more.
  @Test(
    "Killed at random moments and resumed: every good photo is there once, whole, and as in a run without kills"
  )
  func kills() throws {
    let rounds = ProcessInfo.processInfo.environment["SAFELIGHT_KILL_ROUNDS"].flatMap { Int($0) } ?? 8
    let photos = 4 * rounds
    let scratch = try Scratch()
    try scratch.makePhotos(photos, size: (160, 120))
    try scratch.write("no picture", to: "in/broken.jpg")
    let clean = try undisturbed(scratch, jobs: 1)
    #expect(clean.count == photos)
    #expect(try undisturbed(scratch, jobs: 3) == clean)
    var random = SystemRandomNumberGenerator()
    var killed = 0
    var moments: [String] = []
    for _ in 0..<rounds {
      let before = resultCount(scratch)
      let run = try Process(
        Program.path, ["batch", "in", "-o", "out", "--resume", "--jobs", "3"] + Self.edit, in: scratch,
        environment: [:])
      // Within the run, however fast the machine is: after none, one or two results more, and a moment.
      let awaited = before + Int.random(in: 0...2, using: &random)
      _ = try waitUntil(seconds: 20) { resultCount(scratch) >= min(awaited, photos) }
      let delay = Int.random(in: 0...40_000, using: &random)
      usleep(UInt32(delay))
      run.signal(SIGKILL)
      _ = try run.wait(seconds: 10)
      let after = resultCount(scratch)
      if after > before, after < photos { killed += 1 }
      moments.append("\(before)→\(after) +\(delay) µs")
    }
    // A kill before the first new result tests the start; most have to meet photos at work.
    #expect(killed >= rounds / 3, "\(moments)")
    let last = try Program.run(
      ["batch", "in", "-o", "out", "--resume", "--jobs", "3", "--json", "report.json"] + Self.edit,
      in: scratch)
    #expect(last.exitCode == 1, "\(last.errors) \(moments)")
    #expect(try scratch.contents(of: "out") == clean, "\(moments)")
    let report = try scratch.report()
    #expect(report.statuses["broken.jpg"] == .failed)
    #expect(report.count(.done) + report.count(.skipped) == photos && report.count(.failed) == 1)
  }

  @Test("Workers that are killed at random moments cost nothing: their photos are edited again")
  func workerKills() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(24, size: (160, 120))
    try scratch.write("no picture", to: "in/broken.jpg")
    let clean = try undisturbed(scratch, jobs: 2)
    let run = try Process(
      Program.path, ["batch", "in", "-o", "out", "--jobs", "2", "--json", "report.json"] + Self.edit,
      in: scratch, environment: [:])
    for round in 0..<6 {
      _ = try waitUntil(seconds: 2) { !children(of: run.id).isEmpty }
      usleep(UInt32.random(in: 1000...60_000))
      if let worker = children(of: run.id).randomElement() {
        kill(worker, round % 2 == 0 ? SIGKILL : SIGSEGV)
      }
    }
    _ = try run.wait(seconds: 60)
    let report = try scratch.report()
    #expect(report.entries.count == 25)
    // One photo may have met two kills; all others are as they should be, and nothing lies about.
    let results = try scratch.contents(of: "out")
    #expect(results.count == report.count(.done))
    for (name, result) in results { #expect(clean[name] == result, "\(name)") }
    for entry in report.entries where entry.status == .failed && !entry.input.hasSuffix("broken.jpg") {
      #expect(
        ["killed from outside", "crashed", "ended before it was ready"].contains {
          entry.reason?.contains($0) == true
        }, "\(entry.reason ?? "")")
    }
    let again = try Program.run(["batch", "in", "-o", "out", "--resume"] + Self.edit, in: scratch)
    #expect(again.exitCode == 1)
    #expect(try scratch.contents(of: "out") == clean)
  }

  @Test("Ctrl-C finishes the photos at work, and --resume does the rest")
  func interrupt() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(40, size: (320, 240))
    let run = try Process(
      Program.path, ["batch", "in", "-o", "out", "--jobs", "1", "--json", "report.json"] + Self.edit,
      in: scratch, environment: [:])
    #expect(try waitUntil { try scratch.names.contains("out") && !scratch.contents(of: "out").isEmpty })
    run.signal(SIGINT)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.exitCode == 130, "\(outcome.errors)")
    #expect(outcome.output.contains("left; continue with --resume"))
    #expect(try !scratch.contents(of: "out").keys.contains { $0.hasSuffix(".tmp") })
    // What was not reached is told, and can be asked for by the report.
    let report = try scratch.report()
    #expect(report.entries.count == 40 && report.count(.left) > 0)
    let rest = try Program.run(
      ["batch", "--retry-failed", "report.json", "-o", "out"] + Self.edit, in: scratch)
    #expect(rest.output.hasPrefix("\(report.count(.left)) done"), "\(rest.output) \(rest.errors)")
    #expect(try Program.run(["batch", "in", "-o", "out", "--resume"] + Self.edit, in: scratch).exitCode == 0)
    #expect(try scratch.contents(of: "out").count == 40)
  }

  @Test("A second run into the same folder is refused while the first is at work")
  func twoRuns() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(40, size: (320, 240))
    let first = try Process(
      Program.path, ["batch", "in", "-o", "out", "--jobs", "1"] + Self.edit, in: scratch, environment: [:])
    _ = try waitUntil { try scratch.names.contains("out") && !scratch.contents(of: "out").isEmpty }
    let second = try scratch.batch("in", "-o", "out", "--resume")
    #expect(
      second.told
        == "Error: Another batch is writing to out; wait until it has ended, or choose another output folder.\n"
    )
    #expect(second.exitCode == 2)
    #expect(try first.wait(seconds: 60).exitCode == 0)
    #expect(try scratch.contents(of: "out").count == 40)
  }

  /// A line of `sh` that runs `body` in a folder `small` with `size` KiB of its own.
  private static func onSmallDisk(_ size: Int, _ body: String) -> String {
    let flags = geteuid() == 0 ? "-m" : "-rm"
    return
      "mkdir -p small && unshare \(flags) sh -c 'mount -t tmpfs -o size=\(size)k none small && \(body)'"
  }

  @Test(
    "A disk that fills up halfway ends the run with one sentence, keeps what is done, and --resume completes it",
    .enabled(
      if: Program.succeeds(onSmallDisk(64, "true")), "mounting a small file system is not allowed here"))
  func diskFull() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(20, size: (100, 80))
    let whole = try scratch.batch("in", "-o", "whole")
    #expect(whole.exitCode == 0)
    let body =
      #""$SAFELIGHT" batch in -o small/out --jobs 2 --json report.json; echo first $?; ls -A small/out > files; "#
      + "mount -o remount,size=4m small; "
      + #""$SAFELIGHT" batch in -o small/out --resume; echo second $?; cp -a small/out copy"#
    let run = try Program.shell(Self.onSmallDisk(56, body), in: scratch)
    #expect(run.output.contains("first 1\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("second 0\n"), "\(run.output) \(run.errors)")
    let sentence = "the disk is full; free some space and continue with --resume."
    #expect(run.errors.components(separatedBy: sentence).count == 2, "\(run.errors)")
    let report = try scratch.report()
    #expect(report.problem?.hasSuffix(sentence) == true)
    #expect(report.count(.done) > 0 && report.count(.failed) == 0 && report.count(.left) > 0)
    #expect(report.entries.count == 20)
    #expect(try !String(decoding: scratch.read("files"), as: UTF8.self).contains(".tmp"))
    #expect(try scratch.contents(of: "copy") == scratch.contents(of: "whole"))
  }

  @Test("A journal that cannot be written ends the run; what is done stays")
  func journalLimit() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(30, size: (16, 12))
    // The journal alone grows beyond the limit for the size of files.
    let run = try Program.shell(
      "ulimit -f 12; exec \"$SAFELIGHT\" batch in -o out --jobs 1", in: scratch)
    #expect(run.exitCode == 1, "\(run.output) \(run.errors)")
    #expect(
      run.told
        == "Error: Cannot write out/.safelight-batch.jsonl: File too large; fix that and continue with --resume.\n"
    )
    #expect(run.output.contains("left; continue with --resume"))
    #expect(try scratch.batch("in", "-o", "out", "--resume").exitCode == 0)
    #expect(try scratch.contents(of: "out").count == 30)
  }

  @Test("An output folder that goes away ends the run and is not made again behind the user's back")
  func vanishedFolder() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(40, size: (320, 240))
    let run = try Process(
      Program.path, ["batch", "in", "-o", "out", "--jobs", "1"] + Self.edit, in: scratch, environment: [:])
    _ = try waitUntil { try scratch.names.contains("out") && scratch.contents(of: "out").count > 2 }
    #expect(rename(scratch("out"), scratch("elsewhere")) == 0)
    let outcome = try run.wait(seconds: 30)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.told == "Error: The output folder out is gone; restore it and continue with --resume.\n")
    #expect(try !scratch.names.contains("out"))
    #expect(try !scratch.contents(of: "elsewhere").keys.contains { $0.hasSuffix(".tmp") })
  }

  @Test("A folder or a pipe in the journal's place, and a journal of a later version, are refused")
  func strangeJournals() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(1)
    for name in ["folder", "pipe", "later"] { try scratch.makeFolder(name) }
    try scratch.makeFolder("folder/\(BatchJournal.fileName)")
    #expect(mkfifo(scratch("pipe/\(BatchJournal.fileName)"), 0o600) == 0)
    try scratch.write(
      #"{"event":"run","engine":"9.0","format":2}"# + "\n", to: "later/\(BatchJournal.fileName)")
    for (name, sentence) in [
      ("folder", "Is a directory"), ("pipe", "is not a regular file"),
      ("later", "was written by a later version of safelight (format 2; this one knows 1)"),
    ] {
      let run = try scratch.batch("in", "-o", name, "--resume", seconds: 20)
      #expect(run.exitCode == 2)
      #expect(run.error?.contains(sentence) == true, "\(run.errors)")
      #expect(try scratch.contents(of: name).isEmpty)
    }
  }
}
