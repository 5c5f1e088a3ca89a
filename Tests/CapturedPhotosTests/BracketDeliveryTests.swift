import Libc
import Safelight
import TestSupport
import Testing

@testable import Capture
@testable import CapturedPhotos

@Suite("Photos of a bracket")
struct BracketDeliveryTests {
  /// A scene of dark and bright stripes, exposed by `stops` and shifted to the right by `shift` pixels.
  private func frame(_ stops: Double, shift: Int = 0, at seconds: Double) throws -> PhotoFrame {
    let size = PixelSize(width: 192, height: 128)
    let buffer = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      let row = buffer.row(y, of: 0, as: UInt8.self)
      for x in 0..<size.width {
        // The left half is in the shade, 4 stops darker.
        let column = x - shift
        let step = Double((column / 9 * 7 + y / 8 * 5 + column / 9 * (y / 8)) % 11)
        let light = (column < 96 ? 0.02 : 0.32) * (0.5 + step / 10) * exp2(stops)
        let level = UInt8(min(255, 255 * pow(light, 1 / 2.2)))
        (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (level, level, level, 255)
      }
    }
    let frame = Frame(
      buffer: buffer, time: Timestamp(nanoseconds: Int64(seconds * 1e9)), sequence: UInt64(seconds * 10))
    return PhotoFrame(frame, content: .samples(buffer))
  }

  private func exposure(
    _ stops: Double, _ brightness: BracketedExposure.Brightness = .settled
  ) -> BracketedExposure {
    var values = CameraValues()
    values.exposureSeconds = 0.01 * exp2(stops)
    values.exposureMode = .manual
    return BracketedExposure(
      askedStops: stops, stops: stops, means: .exposureTime, brightness: brightness, values: values)
  }

  private func settings(_ index: Int?, of count: Int) -> ResolvedPhotoSettings {
    ResolvedPhotoSettings(
      id: 1, number: 1, pressedAt: .now, qualityPrioritization: .speed, frameCount: count,
      zeroShutterLag: .doesNotApply(.bracket), isDeferred: false,
      burst: index.map { BurstPosition(id: "0123456789abcdef0123456789abcdef", index: $0) })
  }

  /// One exposure of a bracket that is kept apart.
  private func apart(
    _ stops: Double, _ index: Int, _ brightness: BracketedExposure.Brightness = .settled
  ) throws -> CapturedPhoto {
    CapturedPhoto(
      settings: settings(index, of: 1), frames: [try frame(stops, at: 0.5)], reference: 0, offset: 0.5,
      exposures: [exposure(stops, brightness)])
  }

  private func fused(_ stops: [Double], shifts: [Int]) throws -> CapturedPhoto {
    let frames = try zip(stops, shifts).enumerated().map { index, values in
      try frame(values.0, shift: values.1, at: Double(index))
    }
    return CapturedPhoto(
      settings: settings(nil, of: stops.count), frames: frames, reference: 1, offset: 1,
      exposures: stops.map { exposure($0) })
  }

  private func facts(_ path: String) throws -> CaptureFacts {
    try PhotoHeader.read(path).metadata.captureFacts
  }

  @Test("Are numbered, and state their exposure and their burst")
  func apart() throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("a.jpg")), camera: "Cam")
    for (index, stops) in [-2.0, 0, 2].enumerated() {
      let photo = try delivery.deliver(apart(stops, index))
      #expect(photo.path == folder("a-\(index + 1).jpg"))
      #expect(photo.bracket?.map(\.stops) == [stops] && photo.burstIndex == index)
      #expect(photo.zeroShutterLagReason == "bracket")
      let facts = try facts(photo.path)
      #expect(facts.exposureMode == .autoBracket)
      #expect(facts.exposureBias == stops)
      #expect(abs((facts.exposureTime ?? 0) - 0.01 * exp2(stops)) < 1e-6)
      #expect(
        facts.burst == CaptureFacts.Burst(id: "0123456789abcdef0123456789abcdef", isPrimary: stops == 0))
      #expect(facts.mergedFrames == nil)
    }
    #expect(try folder.names == ["a-1.jpg", "a-2.jpg", "a-3.jpg"])
  }

  @Test("Have no second number if their names have one")
  func index() throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder.path + "/{index:02}.jpg"))
    #expect(try delivery.deliver(apart(1, 0)).path == folder("01.jpg"))
  }

  @Test(
    "Warn of a brightness that is not sure",
    arguments: [BracketedExposure.Brightness.unsettled, .unchanged, .unlikeBefore])
  func warnings(brightness: BracketedExposure.Brightness) throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(names: try PhotoNames(folder("a.jpg")))
    let photo = try delivery.deliver(apart(-1, 0, brightness))
    #expect(photo.warnings.count == 1)
    #expect(photo.warnings.first?.contains("−1 EV") == true)
    #expect(photo.bracket?.first?.brightness == brightness)
  }

  @Test("Fused, are one photo that shows the shade and the light, aligned, with the look; EXIF says so")
  func fusing() throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.png"), isSingle: true), edit: Edit(values: ["crop": "1:1"]),
      original: .beside)
    let captured = try fused([-2, 0, 2, 4], shifts: [3, 0, -2, -4])
    let photo = try delivery.deliver(captured)
    #expect(photo.path == folder("a.png") && photo.frames == 4)
    #expect((photo.width, photo.height) == (128, 128))
    #expect(photo.bracket?.map(\.shift) == [[3, 0], [0, 0], [-2, 0], [-4, 0]])
    #expect(
      photo.bracket?.compactMap(\.path) == (1...4).map { folder("a-\($0).png") }, "the exposures are kept")
    #expect(try folder.names == ["a-1.png", "a-2.png", "a-3.png", "a-4.png", "a.png"])
    let header = try PhotoHeader.read(photo.path)
    #expect(header.bitsPerSample == 16)
    let facts = header.metadata.captureFacts
    #expect(facts.mergedFrames == 4)
    #expect(facts.exposureTime == nil && facts.exposureBias == nil && facts.exposureMode == .autoBracket)
    let exposures = try (1...4).map { try self.facts(folder("a-\($0).png")) }
    #expect(exposures.map(\.exposureBias) == [-2, 0, 2, 4])
    #expect(Set(exposures.map(\.burst?.id)) == [facts.burst?.id])
    #expect([facts] + exposures == ([facts] + exposures).filter { $0.burst != nil })
    // No exposure alone has both halves in the middle of the range.
    let whole = try captured.developed().frame.buffer
    func mean(_ buffer: PixelBuffer, _ columns: Range<Int>) -> Double {
      let row = buffer.row(64, of: 0, as: UInt16.self)
      return columns.reduce(0) { $0 + Double(row[4 * $1]) / 65535 } / Double(columns.count)
    }
    #expect((0.25...0.75).contains(mean(whole, 10..<86)))
    #expect((0.25...0.75).contains(mean(whole, 106..<182)))
  }

  @Test("A fused photo that cannot be written leaves none of its exposures")
  func nothingIsLeft() throws {
    let folder = try Scratch()
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("a.jpg")), edit: Edit(values: ["lut": .text(folder("none.cube"))]),
      original: .beside)
    let captured = try fused([0, 2], shifts: [0, 0])
    #expect(throws: SafelightError.self) { try delivery.deliver(captured) }
    #expect(try folder.names.isEmpty)
  }
}
