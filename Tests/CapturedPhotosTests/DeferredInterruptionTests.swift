import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import CapturedPhotos

/// The process ends at each step of the protocol; what is found afterwards is finished by another one.
@Suite struct DeferredInterruptionTests {
  private static let capturing: [DeferralStep] = [
    .folderMade, .framesWritten, .proxiesWritten, .manifestWritten, .originalProxyPlaced, .proxyPlaced,
  ]
  private static let finishing: [DeferralStep] = [
    .finalsWritten, .finalsNoted, .originalPlaced, .photoPlaced, .sidecarChanged,
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    var step: DeferralStep
    var original: PhotoDelivery.Original
    var testDescription: String { "\(step), original \(original)" }

    /// Whether the step is one of photos of this kind.
    var exists: Bool {
      original == .beside || step != .originalProxyPlaced && step != .originalPlaced
    }
  }

  static func cases(_ steps: [DeferralStep]) -> [Case] {
    PhotoDelivery.Original.allCases.flatMap { original in steps.map { Case(step: $0, original: original) } }
      .filter(\.exists)
  }

  @Test("All steps are ended at") func allSteps() {
    #expect(Set(Self.capturing + Self.finishing) == Set(DeferralStep.allCases))
  }

  /// Ends the process when it comes to a step; tells whether it did.
  private final class Ending: Sendable {
    let hasEnded = Monitor(false)

    func probe(at step: DeferralStep) -> DeferralProbe {
      DeferralProbe { [self] reached in
        guard reached == step else { return }
        hasEnded.update { $0 = true }
        throw DeferralProbe.Ended()
      }
    }
  }

  private static let edit = Edit(preset: "noir")

  private static func expected(_ original: PhotoDelivery.Original) -> [String] {
    switch original {
    case .none: ["a.png"]
    case .beside: ["a-original.png", "a.png"]
    case .withRecipe: ["a.png", "a.png.safelight.json"]
    }
  }

  /// The photos in the folder are final ones, and nothing else is there.
  private func expectFinal(_ original: PhotoDelivery.Original, in folder: Scratch) throws {
    #expect(try folder.names == Self.expected(original))
    let plain = try Scratch()
    _ = try Deferred.delivery(plain("a.png"), Self.edit, original: original).deliver(Deferred.captured())
    for name in Self.expected(original) where name.hasSuffix(".png") {
      #expect(try Deferred.areEqual(folder(name), plain(name)), "\(name)")
    }
    // Its edit is for the photo as it is now.
    if original == .withRecipe {
      #expect(try !RecipeSidecar.recipe(forPhoto: folder("a.png")).filters.isEmpty)
    }
  }

  @Test("Either nothing of the photo is left, or it is finished", arguments: cases(capturing))
  func whileCapturing(_ ended: Case) throws {
    let folder = try Scratch()
    let ending = Ending()
    var delivery = try Deferred.delivery(folder("a.png"), Self.edit, original: ended.original)
    delivery.probe = ending.probe(at: ended.step)
    #expect(throws: DeferralProbe.Ended.self) { _ = try delivery.deliverProxy(Deferred.captured()) }
    #expect(ending.hasEnded.read { $0 })
    let isKept = ![.folderMade, .framesWritten, .proxiesWritten].contains(ended.step)
    #expect(try DeferredPhotos(folder.path).unfinished().count == (isKept ? 1 : 0))
    let finished = try Deferred.finishAll(folder)
    #expect(finished.count == (isKept ? 1 : 0))
    if isKept {
      #expect(finished.first?.warnings == [])
      try expectFinal(ended.original, in: folder)
    } else {
      #expect(try folder.names.isEmpty)
    }
  }

  @Test("The photo is there at every step, and finished by the next attempt", arguments: cases(finishing))
  func whileFinishing(_ ended: Case) throws {
    let folder = try Scratch()
    let proxy = try Deferred.delivery(folder("a.png"), Self.edit, original: ended.original)
      .deliverProxy(Deferred.captured())
    let id = try #require(proxy.deferredID)
    var photos = DeferredPhotos(folder.path)
    let ending = Ending()
    photos.probe = ending.probe(at: ended.step)
    // Twice, as in a machine whose battery ends again and again.
    for _ in 0..<2 {
      _ = try? photos.finish(id)
      for name in Self.expected(ended.original) where name.hasSuffix(".png") {
        #expect(try Photo(contentsOf: folder(name)).buffer.size == Deferred.size)
      }
    }
    #expect(ending.hasEnded.read { $0 })
    // What was noted is not noted again.
    #expect(try Deferred.finishAll(folder).count == (ended.step == .finalsNoted ? 0 : 1))
    try expectFinal(ended.original, in: folder)
  }

  @Test("A final photo that has its name, but whose record is not gone, is not written again")
  func secondName() throws {
    let folder = try Scratch()
    let proxy = try Deferred.delivery(folder("a.png")).deliverProxy(Deferred.captured())
    let record = try Deferred.record(proxy, in: folder)
    var photos = DeferredPhotos(folder.path)
    photos.probe = Ending().probe(at: .finalsNoted)
    #expect(throws: DeferralProbe.Ended.self) { try photos.finish(#require(proxy.deferredID)) }
    // As between the rename and the removal of the copy here.
    let final = try Data(contentsOf: URL(filePath: record + "/final-0.png"))
    try final.write(to: URL(filePath: folder("a.png")))
    #expect(try Deferred.finishAll(folder).first?.warnings == [])
    #expect(try folder.names == ["a.png"])
  }

  @Test(
    "A damaged final photo that is not in its place yet is made again", arguments: ["final-0.png", "finals"])
  func damagedFinal(name: String) throws {
    let folder = try Scratch()
    let proxy = try Deferred.delivery(folder("a.png"), Self.edit).deliverProxy(Deferred.captured())
    var photos = DeferredPhotos(folder.path)
    photos.probe = Ending().probe(at: .finalsNoted)
    #expect(throws: DeferralProbe.Ended.self) { try photos.finish(#require(proxy.deferredID)) }
    try Data("damaged".utf8).write(to: URL(filePath: Deferred.record(proxy, in: folder) + "/" + name))
    #expect(try Deferred.finishAll(folder).count == 1)
    try expectFinal(.none, in: folder)
  }

  @Test("A photo that cannot be written is an error, and can be finished later")
  func failure() throws {
    let folder = try Scratch()
    let proxy = try PhotoDelivery(
      names: PhotoNames(folder.path + "/{preset}/1.png", format: .png), edit: Self.edit
    )
    .deliverProxy(Deferred.captured())
    #expect(proxy.path == folder("noir/1.png"))
    try FileManager.default.moveItem(atPath: folder("noir"), toPath: folder("away"))
    let photos = DeferredPhotos(folder.path)
    let text = message { try photos.finish(proxy.deferredID ?? "") }
    #expect(text?.contains("noir/1.png is not finished yet: The folder") == true, "\(text ?? "")")
    try FileManager.default.moveItem(atPath: folder("away"), toPath: folder("noir"))
    #expect(try Deferred.finishAll(folder).map(\.path) == [folder("noir/1.png")])
  }
}
