import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import SyncObserver
import Testing

/// What a batch's journal says must be on the disk before it matters: after a power cut nobody else would know.
@Suite("Journals that must survive a power cut")
struct JournalDurabilityTests {
  private static func length(of path: String) -> Int { BatchJournal.FileState(path)?.bytes ?? -2 }

  @Test("A durable line is on the disk when writing it returns; another one need not be")
  func lines() throws {
    let scratch = try Scratch()
    let path = scratch(BatchJournal.fileName)
    let journal = try BatchJournal(in: scratch.path)
    try journal.write(.run(engine: "1"), durable: true)
    let first = Self.length(of: path)
    #expect(first > 0 && sync_observer_synced_bytes(path) == first)
    try journal.write(.started(output: "a.jpg"))
    #expect(Self.length(of: path) > first && sync_observer_synced_bytes(path) == first)
    try journal.sync()
    #expect(sync_observer_synced_bytes(path) == Self.length(of: path))
  }

  @Test("What is started is on the disk before there is a result")
  func starts() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("in")
    let names = ["a.jpg", "b.jpg", "c.jpg"]
    for name in names { try scratch.put(name, to: "in/\(name)") }
    let path = scratch("out/\(BatchJournal.fileName)")
    let seen = Mutex<[(synced: Int, written: Int)]>([])
    // One job: while it writes its result, nobody adds lines.
    let run = try scratch.run(.fail, resumes: true, jobs: 1) { _ in
      seen.withLock { $0.append((sync_observer_synced_bytes(path), Self.length(of: path))) }
    }
    let report = try run.run(names.map { BatchInputs.Photo(path: scratch("in/\($0)")) })
    #expect(report.count(.done) == 3, "\(report.entries)")
    for (synced, written) in seen.withLock({ $0 }) { #expect(synced == written) }
    #expect(seen.withLock { $0.count } == 3)
  }
}
