import LibraryTestSupport
import Safelight
import CFiles
import Testing

@testable import BatchEditing
import Libc

@Suite("Hot folders")
struct HotFolderTests {
  /// What is told within a while.
  private func photos(_ folder: HotFolder, seconds: Double, until count: Int = .max) throws -> [String] {
    var found: [String] = []
    for _ in 0..<Int(seconds * 50) where found.count < count {
      found += try folder.takePhotos().map { String($0.path.split(separator: "/").last ?? "") }
      usleep(20_000)
    }
    return found
  }

  /// Whether the kernel says who writes to files of this machine's temporary folder; asked apart from the folder's code.
  private static let tellsWriters: Bool = {
    guard let scratch = try? Scratch(), let file = fopen(scratch("a"), "we") else { return false }
    defer { fclose(file) }
    return cfiles_is_being_written(scratch("a")) == 1
  }()

  @Test(
    "A file that a program has open for writing is not complete, however long it has not changed",
    .enabled(if: tellsWriters, "the file system of the temporary folder grants no leases"))
  func openFile() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("hot")
    let folder = try HotFolder(scratch("hot"), recursive: false, output: scratch("out"))
    // Not left to the programs that other tests start.
    let file = try #require(fopen(scratch("hot/a.jpg"), "we"))
    fputs("half of it", file)
    fflush(file)
    // Found by the scan as one that was not changed for long: complete after a moment, by its looks.
    try scratch.age("hot/a.jpg")
    try scratch.put("whole", to: "hot/b.jpg")
    #expect(try photos(folder, seconds: 20, until: 1) == ["b.jpg"])
    #expect(try photos(folder, seconds: 1.5).isEmpty)
    #expect(folder.incomplete == [scratch("hot/a.jpg")])
    fclose(file)
    #expect(try photos(folder, seconds: 20, until: 1) == ["a.jpg"])
  }

  @Test("A whole file that was not told yet is not called incomplete; one that grows is, and an empty one")
  func incomplete() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("hot")
    for name in ["growing.jpg", "whole.jpg"] { try scratch.put("some", to: "hot/\(name)") }
    try scratch.put("", to: "hot/empty.jpg")
    // What was there before is complete after five seconds without a change.
    let folder = try HotFolder(scratch("hot"), recursive: false, output: scratch("out"))
    #expect(try folder.takePhotos().isEmpty)
    try scratch.put("some more", to: "hot/growing.jpg")
    #expect(try folder.takePhotos().isEmpty)
    #expect(folder.incomplete == [scratch("hot/empty.jpg"), scratch("hot/growing.jpg")])
  }

  @Test("What has gone is forgotten when the folder is looked at again")
  func forgetting() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("hot")
    let folder = try HotFolder(scratch("hot"), recursive: false, output: scratch("out"))
    for name in ["a.jpg", "b.jpg"] {
      try scratch.put(name, to: "hot/\(name)")
      try scratch.age("hot/\(name)")
    }
    #expect(try photos(folder, seconds: 20, until: 2).sorted() == ["a.jpg", "b.jpg"])
    #expect(folder.told.count == 2)
    unlink(scratch("hot/a.jpg"))
    // A new folder makes it look at once.
    try scratch.makeFolder("hot/new")
    #expect(try photos(folder, seconds: 0.5).isEmpty)
    #expect(folder.told.keys.map(\.path) == [scratch("hot/b.jpg")])
  }
}
