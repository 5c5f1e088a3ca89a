import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import CapturedPhotos

/// What people and other programs do with a proxy before it is finished.
@Suite struct DeferredUserTests {
  private static func proxy(in folder: Scratch, _ name: String = "a.png") throws -> DeliveredPhoto {
    try Deferred.delivery(folder(name)).deliverProxy(Deferred.captured())
  }

  @Test("A changed proxy is kept, and the final photo gets a number")
  func changed() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try folder.write("mine", to: "a.png")
    let final = try #require(Deferred.finishAll(folder).first)
    #expect(final.path == folder("a-2.png"))
    #expect(final.warnings.count == 1)
    #expect(final.warnings.first?.contains("was changed meanwhile") == true, "\(final.warnings)")
    #expect(try folder.names == ["a-2.png", "a.png"] && folder.read("a.png") == Array("mine".utf8))
    #expect(try PhotoHeader.read(final.path).bitsPerSample == 16)
  }

  @Test("A link in the proxy's place is kept, and what it leads to")
  func linked() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try FileManager.default.moveItem(atPath: folder("a.png"), toPath: folder("real.jpg"))
    try FileManager.default.createSymbolicLink(atPath: folder("a.png"), withDestinationPath: "real.jpg")
    let before = try folder.read("real.jpg")
    let final = try #require(Deferred.finishAll(folder).first)
    #expect(final.path == folder("a-2.png"))
    #expect(try folder.read("real.jpg") == before)
  }

  @Test("A proxy renamed in its folder is replaced there")
  func renamed() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try FileManager.default.moveItem(atPath: folder("a.png"), toPath: folder("wedding.png"))
    let final = try #require(Deferred.finishAll(folder).first)
    #expect(final.path == folder("wedding.png") && final.warnings.count == 1)
    #expect(try folder.names == ["wedding.png"])
    #expect(try PhotoHeader.read(final.path).bitsPerSample == 16)
  }

  @Test("A proxy that is gone may have been moved: its final photo is written, and says so")
  func gone() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try FileManager.default.removeItem(atPath: folder("a.png"))
    let final = try #require(Deferred.finishAll(folder).first)
    #expect(final.path == folder("a.png") && final.warnings.count == 1)
    #expect(final.warnings.first?.contains("moved or deleted") == true)
    #expect(try folder.names == ["a.png"])
  }

  @Test("Permissions of the proxy stay")
  func permissions() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder("a.png"))
    try Deferred.finishAll(folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder("a.png"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try PhotoHeader.read(folder("a.png")).bitsPerSample == 16)
  }

  @Test("An edit made for the proxy is one for the final photo; another's stays as it is")
  func edits() throws {
    let folder = try Scratch()
    _ = try Self.proxy(in: folder)
    try RecipeSidecar.save(Recipe(filters: [Exposure(stops: 1)]), forPhoto: folder("a.png"), .set)
    try Deferred.finishAll(folder)
    let recipe = try RecipeSidecar.recipe(forPhoto: folder("a.png"))
    #expect(recipe.filters.count == 1)

    _ = try Self.proxy(in: folder, "b.png")
    try FileManager.default.copyItem(
      atPath: folder("a.png.safelight.json"), toPath: folder("b.png.safelight.json"))
    let before = try folder.read("b.png.safelight.json")
    try Deferred.finishAll(folder)
    #expect(try folder.read("b.png.safelight.json") == before)
    try folder.write("not JSON", to: "c.png.safelight.json")
    // The name is taken by the edit, so that the photo has another.
    #expect(try Self.proxy(in: folder, "c.png").path == folder("c-2.png"))
  }

  @Test("The whole folder can be moved, with what is unfinished in it")
  func movedFolder() throws {
    let folder = try Scratch()
    try folder.makeFolder("in")
    let proxy = try Deferred.delivery(folder("in/a.png")).deliverProxy(Deferred.captured())
    try FileManager.default.moveItem(atPath: folder("in"), toPath: folder("out"))
    let photos = DeferredPhotos(folder("out"))
    #expect(try photos.finish(#require(proxy.deferredID))?.path == folder("out/a.png"))
  }

  @Test("Two programs do not work on one photo, and share the others")
  func locks() async throws {
    let folder = try Scratch()
    let ids = try (1...4).map { try #require(Self.proxy(in: folder, "\($0).png").deferredID) }
    let photos = DeferredPhotos(folder.path)
    do {
      let record = try #require(try DeferredRecord(ids[0], in: DeferredFolder(folder.path)))
      #expect(try photos.finish(ids[0]) == nil)
      // Nor is it a leftover.
      try photos.removeLeftovers()
      withExtendedLifetime(record) {}
    }
    let path = folder.path
    let finished = try await withThrowingTaskGroup(of: [DeliveredPhoto].self) { group in
      for _ in 0..<3 {
        group.addTask { try ids.compactMap { try DeferredPhotos(path).finish($0) } }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(finished.map(\.path).sorted() == (1...4).map { folder("\($0).png") })
    try photos.removeLeftovers()
    #expect(try folder.names == (1...4).map { "\($0).png" })
  }

  @Test("What is being made is no leftover")
  func inTheMaking() throws {
    let folder = try Scratch()
    let record = try DeferredFolder(folder.path).makeRecord(named: "1")
    try DeferredPhotos(folder.path).removeLeftovers()
    #expect(try folder.names == [".safelight-unfinished"])
    #expect(record.has(DeferredFolder.lockName))
    withExtendedLifetime(record) {}
  }
}
