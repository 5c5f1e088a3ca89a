import FoundationEssentials
import Safelight
import TestSupport
import Testing

@testable import CapturedPhotos

/// Frames of the synthetic scene, taken through a session as a user does.
private func take(
  _ delivery: PhotoDelivery, quality: PhotoQualityPrioritization = .speed
) async throws -> DeliveredPhoto {
  let output = PhotoOutput<DeliveredPhoto> { captured, _ in try delivery.deliver(captured) }
  let session = CaptureSession()
  let input = try SyntheticInput(size: PixelSize(width: 320, height: 180), framesPerSecond: 30)
  try await session.configure {
    try $0.add(input)
    try $0.add(output)
  }
  try await session.start()
  for await readiness in output.readinesses where readiness == .ready { break }
  let photo = try await output.capture(PhotoSettings(qualityPrioritization: quality)).photo()
  await session.stop()
  return photo
}

@Suite struct PhotoDeliveryTests {
  @Test("A photo has the look of the edit, in the size and format that the name asks for")
  func look() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.png")), edit: Edit(preset: "noir", values: ["crop": "1:1"]))
    let photo = try await take(delivery)
    #expect(photo.path == folder("a.png"))
    let picture = try Photo(contentsOf: photo.path)
    #expect(picture.fileFormat == .png)
    #expect(picture.buffer.size == PixelSize(width: 180, height: 180))
    #expect((photo.width, photo.height) == (180, 180))
    // Black and white.
    let row = picture.buffer.row(90, of: 0, as: UInt8.self)
    for x in 0..<180 { #expect(row[4 * x] == row[4 * x + 1] && row[4 * x] == row[4 * x + 2]) }
    #expect(photo.frames == 1)
    #expect(abs(photo.offsetMilliseconds) < 500)
  }

  @Test("The unedited photo is kept beside the edited one, and nothing else is written")
  func keepsOriginal() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.png")), edit: Edit(values: ["exposure": "-4"]), original: .beside)
    let photo = try await take(delivery)
    #expect(photo.original == folder("a-original.png"))
    #expect(try folder.names == ["a-original.png", "a.png"])
    let edited = try Photo(contentsOf: folder("a.png"))
    let original = try Photo(contentsOf: folder("a-original.png"))
    func brightness(_ photo: Photo) -> Int {
      let row = photo.buffer.row(10, of: 0, as: UInt8.self)
      return row.reduce(0) { $0 + Int($1) }
    }
    #expect(brightness(edited) < brightness(original))
  }

  @Test("With the recipe only, the photo is unedited, and its export has the look")
  func recipeOnly() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.png")), edit: Edit(preset: "noir"), original: .withRecipe)
    let photo = try await take(delivery)
    #expect(photo.sidecar == folder("a.png.safelight.json"))
    #expect(try folder.names == ["a.png", "a.png.safelight.json"])
    let sidecar = try RecipeSidecar.read(forPhoto: photo.path)
    #expect(sidecar?.recipe != nil)
  }

  @Test("Automatic values are found in the frame, and told")
  func automatic() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder.path), edit: Edit(straighten: .automatic, auto: [.exposure, .tone]))
    let photo = try await take(delivery)
    #expect(photo.auto != nil)
    #expect(photo.auto?.straighten != nil)
  }

  @Test("A look whose file is missing fails the photo, and leaves nothing")
  func missingLook() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.jpg")), edit: Edit(values: ["lut": .text(folder("none.cube"))]))
    await #expect(throws: SafelightError.self) { _ = try await take(delivery) }
    #expect(try folder.names.isEmpty)
  }

  @Test("A folder that is gone fails the photo with a sentence")
  func folderGone() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("new/")))
    try FileManager.default.removeItem(atPath: folder("new"))
    await #expect(throws: SafelightError.self) { _ = try await take(delivery) }
  }
}
