import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import CapturedPhotos

@Suite struct DeferredPhotosTests {
  /// Kinds of photo: the frames, and what is made of them.
  enum Kind: CaseIterable {
    case merged, best, edited, automatic, video, turned, jpeg

    func captured(in folder: Scratch) throws -> CapturedPhoto {
      switch self {
      case .merged, .edited, .automatic: try Deferred.captured()
      case .best: try Deferred.captured(.balanced, count: 5)
      case .video: try Deferred.captured(format: .yuyv422)
      case .turned: try Deferred.captured(format: .nv12, orientation: .right)
      case .jpeg: try Deferred.capturedJPEG(.quality, in: folder)
      }
    }

    var edit: Edit {
      switch self {
      case .edited: Edit(preset: "warm-film", strength: 70, values: ["exposure": 0.5, "crop": "4:3"])
      case .automatic: Edit(straighten: .automatic, auto: [.exposure, .tone])
      case .turned: Edit(straighten: .degrees(3))
      default: Edit()
      }
    }
  }

  @Test(
    "The proxy is a photo, and the final one has every sample of one that was not deferred",
    arguments: Kind.allCases)
  func roundTrip(kind: Kind) throws {
    let folder = try Scratch()
    let captured = try kind.captured(in: folder)
    let proxy = try Deferred.delivery(folder("a.png"), kind.edit).deliverProxy(captured)
    #expect(proxy.isProxy && proxy.path == folder("a.png") && proxy.frames == captured.frames.count)
    #expect(try folder.names == [".safelight-unfinished", "a.png"])
    let size = try Photo(contentsOf: proxy.path).buffer.size
    #expect((proxy.width, proxy.height) == (size.width, size.height))
    let unfinished = try DeferredPhotos(folder.path).unfinished()
    #expect(unfinished.map(\.path) == [folder("a.png")] && unfinished.map(\.id) == [proxy.deferredID])

    let final = try #require(Deferred.finishAll(folder).first)
    #expect(!final.isProxy && final.deferredID == proxy.deferredID && final.path == proxy.path)
    #expect(final.warnings.isEmpty, "\(final.warnings)")
    #expect(try folder.names == ["a.png"])
    let plain = try Deferred.delivery(folder("b.png"), kind.edit).deliver(captured)
    #expect(try Deferred.areEqual(final.path, plain.path))
    #expect(final.sequence == plain.sequence && final.chosenBecause == plain.chosenBecause)
    #expect(final.merge?.frames.count == plain.merge?.frames.count)
    #expect(final.offsetMilliseconds == plain.offsetMilliseconds)
    let facts = try PhotoHeader.read(final.path).metadata.captureFacts
    let plainFacts = try PhotoHeader.read(plain.path).metadata.captureFacts
    #expect(facts.camera == "Test camera" && facts.mergedFrames == plainFacts.mergedFrames)
    #expect(facts.date?.nanosecond != nil && facts.uniqueID?.count == 32)
  }

  @Test("Proxy and final photo have one moment and one identity")
  func identity() throws {
    let folder = try Scratch()
    let proxy = try Deferred.delivery(folder("a.jpg")).deliverProxy(Deferred.captured())
    let before = try PhotoHeader.read(proxy.path).metadata.captureFacts
    try Deferred.finishAll(folder)
    let after = try PhotoHeader.read(proxy.path).metadata.captureFacts
    #expect(before.uniqueID == after.uniqueID && before.date == after.date)
    #expect(before.mergedFrames == nil && after.mergedFrames == 4)
  }

  @Test("Without an edit, the proxy of Motion JPEG is the camera's own JPEG")
  func camerasJPEG() throws {
    let folder = try Scratch()
    let proxy = try Deferred.delivery(folder("a.jpg")).deliverProxy(
      Deferred.capturedJPEG(.quality, in: folder))
    #expect(proxy.isCamerasJPEG)
    let final = try #require(Deferred.finishAll(folder).first)
    #expect(!final.isCamerasJPEG && final.merge?.frames.count == 4)
  }

  @Test("An output tells first the proxy, then the final photo")
  func output() async throws {
    let folder = try Scratch()
    let delivery = try Deferred.delivery(folder.path + "/")
    let output = PhotoOutput<DeliveredPhoto> { try delivery.deliver($0, updates: $1) }
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    let source = try Deferred.captured()
    for frame in source.frames { output.accept(try frame.frame()) }
    var settings = PhotoSettings(qualityPrioritization: .quality, isDeferred: true)
    settings.frameCount = 4
    let capture = try output.capture(settings, pressedAt: source.settings.pressedAt)
    output.close()
    var told: [String] = []
    for await event in capture.events {
      switch event {
      case .proxy(let photo): told.append("proxy \(photo.isProxy)")
      case .finished(let photo): told.append("finished \(photo.isProxy)")
      default: break
      }
    }
    #expect(told == ["proxy true", "finished false"])
    #expect(try folder.names.count == 1)
  }

  @Test("The look is that of the capture, also if its table has changed or is gone")
  func keepsTables() throws {
    let folder = try Scratch()
    try folder.makeFolder("photos")
    func table(_ gain: String) -> String {
      "LUT_3D_SIZE 2\n"
        + (0..<8).map { i in (0..<3).map { i >> $0 & 1 == 1 ? gain : "0" }.joined(separator: " ") }
        .joined(separator: "\n") + "\n"
    }
    try folder.write(table("0.5"), to: "half.cube")
    let edit = Edit(values: ["lut": .text(folder("half.cube"))])
    let captured = try Deferred.captured()
    let plain = try Deferred.delivery(folder("plain.png"), edit).deliver(captured)
    let edits: [PhotoDelivery] = try ["a.png", "b.png"].map {
      try Deferred.delivery(folder("photos/\($0)"), edit)
    }
    for delivery in edits { _ = try delivery.deliverProxy(captured) }
    try folder.write(table("1"), to: "half.cube")
    let photos = DeferredPhotos(folder("photos"))
    let unfinished = try photos.unfinished()
    #expect(try photos.finish(unfinished[0].id) != nil)
    try FileManager.default.removeItem(atPath: folder("half.cube"))
    #expect(try photos.finish(unfinished[1].id) != nil)
    for name in ["a.png", "b.png"] { #expect(try Deferred.areEqual(folder("photos/\(name)"), plain.path)) }
  }

  @Test("A recipe given for each photo is kept with its table, or the photo is finished at once")
  func keepsRecipes() throws {
    let folder = try Scratch()
    var delivery = try Deferred.delivery(folder("a.png"))
    let recipe = try Edit(preset: "teal-orange", values: ["contrast": 20]).recipe()
    delivery.recipe = { _ in recipe }
    let captured = try Deferred.captured()
    let plain = try Deferred.delivery(folder("b.png"), Edit(preset: "teal-orange", values: ["contrast": 20]))
      .deliver(captured)
    #expect(try delivery.deliverProxy(captured).isProxy)
    try Deferred.finishAll(folder)
    #expect(try Deferred.areEqual(folder("a.png"), plain.path))

    // A table that is in no file cannot be kept.
    let table = try ColorLUT(cube: Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8), name: "made.cube")
    delivery.recipe = { _ in Recipe(filters: [LUT(table, name: "made.cube")]) }
    let photo = try delivery.deliverProxy(captured)
    #expect(!photo.isProxy && photo.merge != nil)
    #expect(photo.warnings.contains { $0.contains("finished at once") }, "\(photo.warnings)")
    #expect(try DeferredPhotos(folder.path).unfinished().isEmpty)
  }

  @Test("If the frames cannot be kept, the photo is finished at once, and says so")
  func noPlace() throws {
    let folder = try Scratch()
    try folder.write("mine", to: ".safelight-unfinished")
    let photo = try Deferred.delivery(folder("a.png")).deliverProxy(Deferred.captured())
    #expect(!photo.isProxy && photo.merge != nil && photo.warnings.count == 1)
    #expect(try folder.names == [".safelight-unfinished", "a.png"])
    #expect(message { _ = try DeferredPhotos(folder.path).unfinished() }?.contains("is not a folder") == true)
  }

  @Test("Names below a folder and names that are taken are kept, and get numbers")
  func names() throws {
    let folder = try Scratch()
    try folder.makeFolder("day")
    try folder.write("mine", to: "day/1.png")
    let names = try PhotoNames(folder.path + "/day/{index}.png")
    let photo = try PhotoDelivery(names: names).deliverProxy(Deferred.captured())
    #expect(photo.path == folder("day/1-2.png"))
    let photos = DeferredPhotos(folder("day"))
    #expect(try photos.finish(#require(photo.deferredID))?.path == folder("day/1-2.png"))
    #expect(try folder.read("day/1.png") == Array("mine".utf8))
  }
}
