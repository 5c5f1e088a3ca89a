import LibraryTestSupport
import Safelight
import Testing

@Suite("Photos through recipes")
struct PhotoRenderingTests {
  private let look = Recipe {
    Straighten(2)
    Crop(.square)
    WhiteBalance(temperature: 7200)
    Saturation(-30)
  }

  @Test("The edited photo is upright, in the photo's own format and space, with its metadata adjusted")
  func edited() throws {
    var photo = try makePhoto(makePicture(90, 60, format: .rgba16, alpha: .straight), orientation: .right)
    photo.metadata.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
    let edited = try CPURenderer().render(photo, through: look)
    #expect(edited.orientation == .up)
    #expect(edited.buffer.format == .rgba16 && edited.buffer.alpha == .straight)
    #expect(edited.buffer.tags == photo.buffer.tags)
    #expect(edited.buffer.width == edited.buffer.height)
    #expect(edited.metadata.xmp != nil)
    // The photo itself is a value and stays as it was.
    #expect(photo.orientation == .right && photo.buffer.size == PixelSize(width: 90, height: 60))
  }

  @Test("Rendering off the caller's thread gives the same pixels")
  func asynchronous() async throws {
    let photo = try makePhoto(makePicture(90, 60))
    let now = try renderNow(photo)
    let later = try await CPURenderer().render(photo, through: look)
    #expect(areEqual(now.buffer, later.buffer))
    await #expect(throws: SafelightError.self) {
      try await CPURenderer().render(
        photo, through: Recipe(filters: [Crop(.rectangle(x: 80, y: 0, width: 20, height: 9))]))
    }
  }

  /// In a context without concurrency the synchronous variant is meant.
  private func renderNow(_ photo: Photo) throws -> Photo { try CPURenderer().render(photo, through: look) }

  @Test("Eight orientations of one picture give one result", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    let upright = try makePicture(60, 40)
    let turns = orientation.applied(to: upright.size) == upright.size
    let size = turns ? upright.size : PixelSize(width: 40, height: 60)
    // The stored picture, by asking the resample where each upright pixel comes from.
    let geometry = Geometry(orientation: orientation, size: size)
    let stored = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let place = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
        for (channel, sample) in pixel(upright, x, y).enumerated() {
          stored.row(Int(place.y), as: UInt8.self)[4 * Int(place.x) + channel] = UInt8(sample)
        }
      }
    }
    let photo = try makePhoto(stored, orientation: orientation)
    let plain = try CPURenderer().render(photo, through: Recipe())
    #expect(areEqual(plain.buffer, upright))
    let expected = try CPURenderer().render(makePhoto(upright), through: look)
    // The resample runs along other axes of the stored picture: equal but for rounding.
    let edited = try CPURenderer().render(photo, through: look)
    #expect(edited.buffer.size == expected.buffer.size)
    for place in stride(from: 2, to: edited.buffer.width - 2, by: 5) {
      let pair = zip(pixel(edited.buffer, place, place), pixel(expected.buffer, place, place))
      #expect(pair.allSatisfy { abs($0 - $1) <= 1 }, "\(place)")
    }
  }

  @Test(
    "Output spaces have the numbers of colour-science",
    arguments: [
      // colour-science 0.4.7: RGB_to_RGB(rgb / 255, "sRGB", …, apply_cctf_decoding=True, apply_cctf_encoding=True,
      // chromatic_adaptation_transform=None) · 255, with "Display P3" and "Adobe RGB (1998)".
      (OutputColorSpace.displayP3, [UInt8](arrayLiteral: 200, 100, 50), [187.13, 105.38, 61.97]),
      (.displayP3, [20, 180, 90], [83.14, 177.34, 99.56]),
      (.displayP3, [128, 128, 128], [128.01, 128.00, 128.00]),
      (.adobeRGB, [200, 100, 50], [177.25, 99.92, 56.11]),
      (.adobeRGB, [20, 180, 90], [102.60, 178.51, 96.06]),
      (.adobeRGB, [128, 128, 128], [127.00, 126.99, 126.99]),
    ])
  func outputSpaces(space: OutputColorSpace, from: [UInt8], expected: [Double]) throws {
    for renderer in [CPURenderer(), ReferenceRenderer()] as [any Renderer] {
      let edited = try renderer.render(makePhoto(makePlain(from)), through: Recipe(), colorSpace: space)
      let samples = pixel(edited.buffer, 1, 1)
      for channel in 0..<3 {
        #expect(abs(Double(samples[channel]) - expected[channel]) <= 1, "\(renderer.name) \(samples)")
      }
      let target = try space.space(original: .sRGB)
      #expect(try ColorSpace(tags: edited.buffer.tags).toXYZ.largestDifference(from: target.toXYZ) < 1e-3)
    }
  }

  @Test("A photo in Display P3 becomes sRGB with colour-science's numbers, and keeps its profile otherwise")
  func fromDisplayP3() throws {
    let tags = ColorTags.icc(try ColorSpace.displayP3.iccProfile().bytes)
    let photo = try makePhoto(makePlain([200, 100, 50], tags: tags))
    let sRGB = pixel(try CPURenderer().render(photo, through: Recipe(), colorSpace: .sRGB).buffer, 1, 1)
    // As above, from "Display P3" to "sRGB".
    #expect(zip(sRGB, [214.89, 92.64, 30.98]).allSatisfy { abs(Double($0) - $1) <= 1 }, "\(sRGB)")
    let kept = try CPURenderer().render(photo, through: Recipe())
    #expect(kept.buffer.tags == tags)
    #expect(pixel(kept.buffer, 1, 1) == [200, 100, 50, 255])
  }

  @Test("A photo is written the right way up, also where the file has no place to say how to turn it")
  func writtenUpright() throws {
    let scratch = try Scratch()
    let photo = try makePhoto(makePicture(30, 20), orientation: .right)
    try photo.write(to: scratch("upright.tiff"))
    let written = try Photo(contentsOf: scratch("upright.tiff"))
    #expect(written.buffer.size == PixelSize(width: 20, height: 30))
    #expect(written.orientation == .up)
    // Turned clockwise, the first row shows the first column from below.
    #expect(pixel(written.buffer, 0, 0) == pixel(photo.buffer, 0, 19))
    #expect(pixel(written.buffer, 19, 29) == pixel(photo.buffer, 29, 0))
  }

  @Test("A photo of 16 bits is written with 16 where the format holds them, else rounded to 8")
  func writing() throws {
    let scratch = try Scratch()
    let photo = try makePhoto(makePicture(40, 30, format: .rgba16))
    try photo.write(to: scratch("a.tif"))
    #expect(areEqual(try Photo(contentsOf: scratch("a.tif")).buffer, photo.buffer))
    try photo.write(to: scratch("a.webp"), quality: 100)
    let small = try Photo(contentsOf: scratch("a.webp")).buffer
    #expect(small.format == .rgba8)
    for x in 0..<40 {
      let pair = zip(pixel(small, x, 15), pixel(photo.buffer, x, 15))
      #expect(pair.allSatisfy { abs(Double($0) - Double($1) / 257) <= 1 })
    }
    #expect(
      message { try photo.write(to: scratch("a.tif")) }
        == "Cannot write \(scratch("a.tif")): the file already exists; "
        + "allow overwriting or choose another name.")
    try photo.write(to: scratch("a.tif"), overwrite: true)
  }
}
