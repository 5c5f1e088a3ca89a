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
    // Black and white, but for a faint tone.
    let row = picture.buffer.row(90, of: 0, as: UInt8.self)
    let casts = (0..<180).map { x in abs(Int(row[4 * x]) - Int(row[4 * x + 2])) }
    #expect((casts.max() ?? 255) < 12)
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
    #expect(sidecar?.recipe?.filters.isEmpty == false)
    // The sky is blue in the photo itself.
    let row = try Photo(contentsOf: photo.path).buffer.row(10, of: 0, as: UInt8.self)
    #expect(Int(row[4 * 300 + 2]) > Int(row[4 * 300]) + 10)
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

  @Test("A folder that is removed is made again, and one that cannot be made fails the photo with a sentence")
  func folderGone() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("new/")))
    for _ in 0..<2 {
      let photo = try await take(delivery)
      #expect(FileManager.default.fileExists(atPath: photo.path))
      try FileManager.default.removeItem(atPath: folder("new"))
    }
    try folder.write("a file", to: "new")
    await #expect(throws: SafelightError.self) { _ = try await take(delivery) }
  }
}

@Suite struct PhotoFrameChoiceTests {
  /// A photo of these frames, a tenth of a second apart, pressed at the middle one.
  private func take(
    _ frames: [Frame], _ quality: PhotoQualityPrioritization, _ delivery: PhotoDelivery
  ) async throws -> DeliveredPhoto {
    let output = PhotoOutput<DeliveredPhoto> { captured, _ in
      try delivery.deliver(captured)
    }
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    for frame in frames { output.accept(frame) }
    var settings = PhotoSettings(qualityPrioritization: quality)
    settings.frameCount = quality == .speed ? nil : frames.count
    let capture = try output.capture(settings, pressedAt: frames[frames.count / 2].time)
    output.close()
    return try await capture.photo()
  }

  /// Frames of stripes; the wider the blur, the smaller their contrast.
  private func frames(blurs: [Int]) throws -> [Frame] {
    let begin = Timestamp.now.advanced(bySeconds: -Double(blurs.count) * 0.1)
    return try blurs.enumerated().map { index, blur in
      let buffer = try PixelBuffer(size: PixelSize(width: 256, height: 192), format: .rgba8)
      for y in 0..<192 {
        let row = buffer.row(y, of: 0, as: UInt8.self)
        for x in 0..<256 {
          // A box blur of stripes of 24 pixels.
          var sum = 0
          for offset in -blur...blur { sum += ((x + offset + 240) / 12 + y / 16) % 2 == 0 ? 200 : 60 }
          let level = UInt8(sum / (2 * blur + 1))
          (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (level, level, level, 255)
        }
      }
      return Frame(
        buffer: buffer, time: begin.advanced(bySeconds: Double(index) * 0.1), sequence: UInt64(index))
    }
  }

  @Test("Balanced takes the sharpest frame, with its own time, and says why")
  func balanced() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("a.png")), camera: "Test camera")
    let photo = try await take(frames(blurs: [5, 0, 4, 6, 5]), .balanced, delivery)
    #expect(photo.sequence == 1)
    #expect(abs(photo.offsetMilliseconds + 100) < 1)
    #expect(photo.chosenBecause?.isEmpty == false)
    let facts = try PhotoHeader.read(photo.path).metadata.captureFacts
    #expect(facts.camera == "Test camera")
    #expect(facts.uniqueID?.count == 32)
    #expect(facts.date?.nanosecond != nil && facts.date?.minutesFromUTC != nil)
  }

  @Test("Quality merges all frames, in 16 bits where the format has them, and EXIF counts them")
  func merged() async throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("a.png")))
    let photo = try await take(frames(blurs: [0, 0, 0, 0]), .quality, delivery)
    #expect(photo.merge?.frames.count == 4)
    let header = try PhotoHeader.read(photo.path)
    #expect(header.bitsPerSample == 16)
    #expect(header.metadata.captureFacts.mergedFrames == 4)
  }

  @Test("Without an edit, a photo of Motion JPEG is the camera's own JPEG; with one it is not")
  func camerasJPEG() async throws {
    let folder = try Scratch()
    var frame = try frames(blurs: [0])[0]
    let source = folder("source.jpg")
    try frame.buffer.write(to: source)
    let bytes = try folder.read("source.jpg")
    frame.encoded = bytes.withUnsafeBytes { EncodedPicture(copying: $0) }
    let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)
    frame.buffer = try PixelBuffer(size: frame.buffer.size, format: .i444, tags: tags)
    let plain = try await take(
      [frame], .speed, PhotoDelivery(names: try PhotoNames(folder("plain.jpg"))))
    #expect(plain.isCamerasJPEG)
    // Not a sample differs.
    let (a, b) = (try Photo(contentsOf: source).buffer, try Photo(contentsOf: plain.path).buffer)
    for y in 0..<192 {
      #expect(a.row(y, of: 0, as: UInt8.self).elementsEqual(b.row(y, of: 0, as: UInt8.self)))
    }
    let edited = try await take(
      [frame], .speed,
      PhotoDelivery(names: try PhotoNames(folder("edited.jpg")), edit: Edit(values: ["exposure": "1"])))
    #expect(!edited.isCamerasJPEG)
  }
}
