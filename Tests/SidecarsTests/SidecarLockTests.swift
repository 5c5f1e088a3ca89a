import LibraryTestSupport
import Safelight
import FoundationEssentials
import Synchronization
import Testing

@testable import Sidecars
import Libc

@Suite("Edits that several programs change at once")
struct SidecarLockTests {
  /// A folder with a photo in it.
  private func makeFolder() throws -> Scratch {
    let scratch = try Scratch()
    try makePhoto(makePicture(40, 30)).write(to: scratch("a.png"))
    return scratch
  }

  private static func addExposure(_ stops: Float, to photo: String) throws {
    try RecipeSidecar.save(forPhoto: photo) { before in
      let filters = before?.recipe?.filters ?? []
      return (Recipe(filters: filters + [Exposure(stops: stops)]), .added)
    }
  }

  private func stops(_ photo: String) throws -> [Float] {
    try RecipeSidecar.require(forPhoto: photo).recipe?.filters.compactMap { ($0 as? Exposure)?.stops } ?? []
  }

  @Test("Nothing that one of many threads adds is lost, and nothing is left behind")
  func threads() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let problems = Mutex<[String]>([])
    let threads = try (0..<8).map { thread in
      try WorkerThread(name: "edit \(thread)") {
        for step in 0..<5 {
          do {
            try Self.addExposure(Float(10 * thread + step) / 100, to: photo)
          } catch {
            problems.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    threads.forEach { $0.join() }
    #expect(problems.withLock { $0 } == [])
    let expected = (0..<8).flatMap { thread in (0..<5).map { step in 10 * thread + step } }
    #expect(try stops(photo).sorted() == expected.map { Float($0) / 100 })
    #expect(try scratch.names == ["a.png", "a.png.safelight.json"])
  }

  @Test("What a program without a lock writes meanwhile is taken up, not lost")
  func unlockedWriter() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let path = RecipeSidecar.path(forPhoto: photo)
    // Somebody's editor saves another edit while this one is being made.
    try Self.addExposure(0.25, to: photo)
    let others = try scratch.read("a.png.safelight.json")
    try RecipeSidecar.remove(forPhoto: photo)
    var seen: [Int] = []
    try RecipeSidecar.save(forPhoto: photo) { before in
      if seen.isEmpty { try FileContents.write(others, to: path, overwrite: true) }
      seen.append(before?.recipe?.filters.count ?? 0)
      return (Recipe(filters: (before?.recipe?.filters ?? []) + [Exposure(stops: 0.5)]), .added)
    }
    #expect(seen == [0, 1])
    #expect(try stops(photo) == [0.25, 0.5])
  }

  @Test("A file that never holds still is given up with a sentence, and stays")
  func restlessWriter() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    var writes = 0
    let error = #expect(throws: SafelightError.self) {
      try RecipeSidecar.change(forPhoto: photo) { _ in
        writes += 1
        try FileContents.write(
          Array(
            RecipeSidecar(
              recipe: Recipe { Exposure(stops: Float(writes) / 100) },
              photo: FileFingerprint(contentsOf: photo)
            ).json().utf8), to: RecipeSidecar.path(forPhoto: photo), overwrite: true)
        return nil
      }
    }
    #expect(
      error?.description
        == "Cannot change the edit of \(photo): another program keeps writing \(photo).safelight.json; end that program, or try again."
    )
    #expect(try stops(photo) == [Float(writes) / 100])
  }

  @Test(
    "Who waits for too long is told; the lock goes with its owner and leaves no file",
    arguments: [true, false])
  func patience(locksPhoto: Bool) throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    var first: SidecarLock? = try SidecarLock(forPhoto: photo, locksPhoto: locksPhoto)
    #expect(try scratch.names == (locksPhoto ? ["a.png"] : [".a.png.safelight.lock", "a.png"]))
    let error = #expect(throws: SafelightError.self) {
      try SidecarLock(forPhoto: photo, patience: 0.05, locksPhoto: locksPhoto)
    }
    #expect(
      error?.description
        == "Cannot change the edit of \(photo): another program has held it for 0 s; wait for that program, or end it."
    )
    withExtendedLifetime(first) {}
    first = nil
    #expect(try scratch.names == ["a.png"])
    _ = try SidecarLock(forPhoto: photo, patience: 0, locksPhoto: locksPhoto)
    #expect(try scratch.names == ["a.png"])
  }

  @Test("A photo that is replaced while it is waited for is locked as it is now")
  func replacedPhoto() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    let old = open(photo, O_RDONLY)
    defer { close(old) }
    #expect(flock(old, LOCK_EX | LOCK_NB) == 0)
    // As an edit in place does.
    try FileContents.write(scratch.read("a.png"), to: photo, overwrite: true)
    let lock = try SidecarLock(forPhoto: photo, patience: 0)
    let new = open(photo, O_RDONLY)
    defer { close(new) }
    #expect(flock(new, LOCK_EX | LOCK_NB) != 0)
    withExtendedLifetime(lock) {}
  }

  @Test("Without the photo, and in a folder that cannot be written to, what is wrong is told as ever")
  func noPhoto() throws {
    let scratch = try makeFolder()
    let photo = scratch("a.png")
    try Self.addExposure(0.5, to: photo)
    try FileManager.default.removeItem(atPath: photo)
    try RecipeSidecar.clear(forPhoto: photo)
    #expect(try scratch.names == ["a.png.safelight.json"])
    let missing = scratch("none/b.png")
    #expect {
      try RecipeSidecar.undo(forPhoto: missing)
    } throws: {
      "\($0)" == "Cannot read \(missing): there is no such file; check the spelling."
    }
  }
}
