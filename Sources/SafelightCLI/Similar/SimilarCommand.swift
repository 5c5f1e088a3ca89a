import ArgumentParser
import Safelight
import Synchronization

struct SimilarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Finds photos that are alike: copies, bursts and the best of them.",
    usage: "safelight similar <folder> [<options>]",
    discussion: """
      copies   one picture in several files: equal files, other sizes and formats,
               light edits. The one with the most pixels comes first.
      burst    pictures of one scene, at most a second from one to the next

      With --best-of-bursts the photos of a burst are ordered by sharpness and
      exposure, best first, with the reasons. --to lists the photos that look like
      another one, nearest first, with the number of 256 bits that differ.

      Nothing is deleted. --names others prints the photos that could go, for other
      programs; --mark flags the best as picked and the others as rejected, as
      “safelight rate” does, and photos that have a flag keep it; --links makes a
      folder for each group, with links to its photos. No group of copies holds
      photos that say they were taken at different times.

      What is known of the photos is kept in the folder, as \(SimilarityIndex.fileName), so that
      only new and changed ones are read the next time.

      Exit codes: 0; 1 if a photo cannot be read, after comparing the others.

      Examples:
        safelight similar shoot/
        safelight similar shoot/ --recursive --duplicates
        safelight similar shoot/ --best-of-bursts --mark
        safelight similar archive/ --recursive --to found.jpg
        safelight similar shoot/ --duplicates --names others
        safelight similar shoot/ --json
      """)

  /// Which photos of a group are named.
  enum Named: String, CaseIterable, ExpressibleByArgument { case best, others }

  @Argument(help: ArgumentHelp("A folder with photos", valueName: "folder"), completion: .directory)
  var folder: String

  @Flag(help: "Include subfolders")
  var recursive = false

  @Option(
    help: ArgumentHelp("List the photos that look like this one", valueName: "photo"), completion: .file())
  var to: String?

  @Flag(help: "Only copies")
  var duplicates = false

  @Flag(help: "Only bursts, their photos ordered from the best on")
  var bestOfBursts = false

  @Option(help: "Print the names of these photos of each group only, one per line")
  var names: Named?

  @Flag(help: "Flag the best of each group as picked, the others as rejected")
  var mark = false

  @Option(
    help: ArgumentHelp("Make a new folder with a folder of links for each group", valueName: "out"),
    completion: .directory)
  var links: String?

  @Flag(help: "Print everything as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if names != nil, json {
      throw ValidationError("--names and --json exclude each other; give one of them.")
    }
    if duplicates, bestOfBursts {
      throw ValidationError(
        "--duplicates and --best-of-bursts exclude each other; give one, or none for both.")
    }
    if to != nil, duplicates || bestOfBursts || names != nil || mark || links != nil {
      throw ValidationError("--to goes with --recursive and --json only; leave the others out.")
    }
    // Of an unordered burst there is no best.
    if !duplicates, !bestOfBursts, names != nil || mark {
      throw ValidationError(
        "Say which groups --names and --mark are for: add --duplicates or --best-of-bursts.")
    }
  }

  func run() throws {
    let wanted = try to.map { try PhotoSignature(contentsOf: $0) }
    let scan = try read()
    for note in scan.notes { Output.warning(note) }
    for problem in scan.problems { Output.note("Error: \(problem)") }
    var failures = scan.problems.count
    if let to, let wanted {
      try SimilarPhotos(to, wanted, among: scan.photos).print(json: json)
    } else {
      failures += try printGroups(scan)
    }
    guard failures > 0 else { return }
    try Output.finish()
    throw ExitCode.failure
  }

  private func read() throws -> SimilarityScan {
    let progress = Mutex<CountedProgress?>(nil)
    let scan = try SimilarityScan(folder, recursive: recursive) { count in
      progress.withLock { $0 = CountedProgress("read", of: count) }
    } advanced: { path in
      progress.withLock { $0 }?.advance(path)
    }
    progress.withLock { $0 }?.end()
    return scan
  }

  /// - Returns: the number of groups that could not be ranked.
  private func printGroups(_ scan: SimilarityScan) throws -> Int {
    let groups = SimilarGroups(scan.photos).groups.filter { group in
      switch group.kind {
      case .copies: !bestOfBursts
      case .burst: !duplicates
      }
    }
    let toRank = groups.filter { $0.kind == .copies || bestOfBursts }
    let progress = CountedProgress("ranked", of: toRank.count)
    let results = GroupRanking.rank(toRank, of: scan.photos) {
      progress.advance(scan.photos[$0.photos[0]].path)
    }
    progress.end()
    var rankings: [SimilarGroups.Group: GroupRanking] = [:]
    for (group, result) in zip(toRank, results) {
      do { rankings[group] = try result.get() } catch { Output.note("Error: \(error)") }
    }
    // A group without a best is listed all the same.
    let report = SimilarReport(scan.photos, groups.map { ($0, rankings[$0]) })
    if let links { try SimilarLinks(report).make(links) }
    if mark { try report.mark() }
    if json {
      try Output.json(report)
    } else if let names {
      for group in report.groups {
        for photo in group.photos where photo.isBest == (names == .best) { Output.entry(photo.path) }
      }
    } else {
      report.print()
    }
    return toRank.count - rankings.count
  }
}
