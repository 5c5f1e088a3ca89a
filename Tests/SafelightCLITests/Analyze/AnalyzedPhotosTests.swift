import LibraryTestSupport
import Foundation
import Safelight
import Synchronization
import Testing

@testable import SafelightCLI
import Libc

@Suite("Photos that are measured together")
struct AnalyzedPhotosTests {
  @Test("Several are measured at the same time only as far as there is memory")
  func memory() throws {
    let scratch = try Scratch()
    for name in ["a.png", "b.png"] { try scratch.save(gradient(64, 48), as: name) }
    let paths = [scratch("a.png"), scratch("b.png")]
    let budget = MemoryBudget(bytes: 1)
    let failures = Mutex<Int?>(nil)
    let thread = try budget.spend(1) { () throws -> WorkerThread in
      let thread = try WorkerThread(name: "measure") {
        let photos = AnalyzedPhotos.measure(paths, scopes: nil, overwrite: false, within: budget)
        failures.withLock { $0 = photos.failures }
      }
      usleep(300_000)
      let early = failures.withLock { $0 }
      #expect(early == nil)
      return thread
    }
    thread.join()
    let found = failures.withLock { $0 }
    #expect(found == 0)
    #expect(budget.inUse == 0)
  }

  /// A photo, and a folder in the place of its scopes; another photo whose scopes can be written.
  private func withoutPlace() throws -> Scratch {
    let scratch = try Scratch()
    for name in ["a.png", "c.png"] { try scratch.save(gradient(80, 60), as: name) }
    try scratch.makeFolder("out/a-scopes.png")
    return scratch
  }

  @Test("Scopes that cannot be written cost no measurement")
  func undrawn() throws {
    let scratch = try withoutPlace()
    let run = try Program.run(["analyze", "a.png", "c.png", "--scopes", "out/"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.errors.hasPrefix("Error: a.png: Cannot write out/a-scopes.png: "), "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.map { $0.prefix(6) } == ["photo ", "a.png ", "c.png ", "scopes", "2 phot"], "\(run.output)")
    #expect(lines.last?.hasSuffix(" · 1 without scopes") == true && !run.output.contains("unreadable"))

    let json = try Program.run(
      ["analyze", "a.png", "c.png", "--scopes", "out/", "--overwrite", "--json"], in: scratch)
    #expect(json.exitCode == 1)
    let reports = try JSONReport.list(json.output)
    #expect(reports.map { $0["width"] as? Int } == [80, 80])
    #expect((reports[0]["scopesError"] as? String)?.hasPrefix("Cannot write out/a-scopes.png: ") == true)
    #expect(reports[0]["error"] == nil && reports[0]["scopes"] == nil)
    #expect(reports[1]["scopes"] as? String == "out/c-scopes.png" && reports[1]["scopesError"] == nil)
  }

  @Test("One photo has its lines, without those of scopes that could not be written")
  func undrawnBlock() throws {
    let scratch = try withoutPlace()
    let run = try Program.run(["analyze", "a.png", "--scopes", "none/x.png"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("a.png  80×60  PNG\n"), "\(run.output)")
    #expect(!run.output.contains("  scopes "))
    #expect(run.errors.hasPrefix("Error: a.png: Cannot write none/x.png: "), "\(run.errors)")
  }

  @Test("Where nothing was measured nothing is printed but why", arguments: [["b.jpg"], ["b.jpg", "d.jpg"]])
  func nothing(photos: [String]) throws {
    let scratch = try Scratch()
    for name in photos { try scratch.write("no picture", to: name) }
    let run = try Program.run(["analyze"] + photos, in: scratch)
    #expect(run.exitCode == 1 && run.output == "", "\(run.output)")
    #expect(run.errors.split(separator: "\n").count == photos.count)
  }

  @Test("Of many photos of one name each knows how many there are, and some of them")
  func namesakes() throws {
    let group = (0..<3000).map { "\($0)/cover.jpg" }
    for own in [0, 5, Namesakes.mostListed, 2999] {
      let namesakes = Namesakes(group, without: own)
      #expect(namesakes.count == 2999 && !namesakes.isEmpty)
      #expect(namesakes.listed.count == Namesakes.mostListed && !namesakes.listed.contains(group[own]))
      #expect(namesakes.first == (own == 0 ? "1/cover.jpg" : "0/cover.jpg"))
    }
    #expect(Namesakes().isEmpty && Namesakes().listed.isEmpty && Namesakes(["a"], without: 0).isEmpty)

    let scratch = try Scratch()
    let count = Namesakes.mostListed + 3
    for folder in 1...count {
      try scratch.makeFolder("in/\(folder)")
      try scratch.save(gradient(16, 12), as: "in/\(folder)/cover.png")
    }
    let run = try Program.run(["analyze", "in", "--recursive", "--json"], in: scratch)
    let reports = try JSONReport.list(run.output)
    #expect(reports.count == count)
    for report in reports {
      #expect(report["namesakeCount"] as? Int == count - 1)
      #expect((report["namesakes"] as? [String])?.count == Namesakes.mostListed)
      #expect((report["verdicts"] as? [String])?.last == "duplicate name")
    }
  }

  @Test("Finding out where pictures go examines each photo and each target once, however many there are")
  func manyPictures() throws {
    let scratch = try Scratch()
    let photos = (0..<6000).map { scratch("photo-\($0).jpg") }
    let target = PictureTarget(
      flag: "--scopes", suffix: "-scopes.png", path: scratch("out/"), overwrite: false)
    var examined: [String: Int] = [:]
    let paths = try target.paths(for: photos) { path in
      examined[path, default: 0] += 1
      return FileIdentity(path)
    }
    #expect(examined.count == 2 * photos.count && examined.values.allSatisfy { $0 == 1 })
    #expect(paths.count == photos.count && paths.first == scratch("out/photo-0-scopes.png"))
    #expect(try scratch.names == [])
  }
}
