import FoundationEssentials
import LibraryTestSupport
import Libc
import Safelight
import TestSupport
import Testing

@testable import CapturedPhotos

/// Frames of a sensor that sees a scene of soft colours, as a camera's stream brings them.
private struct SensorFrames {
  var size = PixelSize(width: 120, height: 80)
  var format = BayerFormat(.grbg, .bits10)
  var transfer = ColorTags.Transfer.linear
  var orientation = Orientation.up

  /// The sensor's linear colours: four soft waves, far inside of all displays' colours.
  func light(_ x: Int, _ y: Int) -> SIMD3<Double> {
    func wave(_ x: Int, _ period: Double) -> Double { 0.5 + 0.5 * sin(2 * .pi * Double(x) / period) }
    return SIMD3(
      0.2 + 0.3 * wave(x, 90), 0.25 + 0.35 * wave(y, 70), 0.2 + 0.25 * wave(x + y, 110))
  }

  func frame() throws -> Frame {
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let light = light(x, y)[format.pattern.channel(x: x, y: y)]
        let value = transfer == .linear ? light : TransferFunction.sRGB.encode(light)
        let sample = Int((value * Double(format.maximum)).rounded())
        bytes += [UInt8(sample & 255), UInt8(sample >> 8)]
      }
    }
    let samples = bytes.withUnsafeBytes { EncodedPicture(copying: $0) }
    let mosaic = try BayerMosaic(
      samples, size: size, format: format, rowBytes: 2 * size.width, transfer: transfer,
      neutral: SIMD3(0.8, 1, 0.7))
    var frame = Frame(
      buffer: try PixelBuffer(size: size, format: .rgba8), time: .now, orientation: orientation)
    frame.mosaic = mosaic
    return frame
  }
}

@Suite("Photos as digital negatives", .libRawIsInstalled) struct DNGDeliveryTests {
  private func take(
    _ frame: Frame, _ delivery: PhotoDelivery, _ quality: PhotoQualityPrioritization = .speed, frames: Int = 1
  ) async throws -> DeliveredPhoto {
    let output = PhotoOutput<DeliveredPhoto>(
      cameraValues: {
        var values = CameraValues()
        (values.exposureSeconds, values.iso) = (0.02, 400)
        return values
      },
      process: { captured, _ in try delivery.deliver(captured) })
    try output.attach(to: ObjectIdentifier(output))
    output.open()
    let begin = Timestamp.now.advanced(bySeconds: -0.2)
    for number in 0..<frames {
      var frame = frame
      frame.time = begin.advanced(bySeconds: 0.01 * Double(number))
      output.accept(frame)
    }
    var settings = PhotoSettings(qualityPrioritization: quality)
    settings.frameCount = frames > 1 ? frames : nil
    let press = begin.advanced(bySeconds: 0.01 * Double(frames / 2))
    let capture = try output.capture(settings, pressedAt: press)
    output.close()
    return try await capture.photo()
  }

  /// Linear Rec. 2020 of linear sRGB (BT.2087-0, table 1), which camera raws are developed to.
  private func rec2020(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      0.6274 * color.x + 0.3293 * color.y + 0.0433 * color.z,
      0.0691 * color.x + 0.9195 * color.y + 0.0114 * color.z,
      0.0164 * color.x + 0.0880 * color.y + 0.8956 * color.z)
  }

  private func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Double> {
    let row = buffer.row(y, of: 0, as: UInt16.self)
    return SIMD3((0..<3).map { Double(row[4 * x + $0]) / 65_535 })
  }

  @Test(
    "LibRaw develops the file to the colours that photos of the frame have",
    arguments: [ColorTags.Transfer.linear, .sRGB])
  func colors(transfer: ColorTags.Transfer) async throws {
    let folder = try Scratch()
    var sensor = SensorFrames()
    sensor.transfer = transfer
    let frame = try sensor.frame()
    let photo = try await take(frame, PhotoDelivery(names: try PhotoNames(folder("a.dng"))))
    #expect(photo.path == folder("a.dng") && photo.warnings == [])
    #expect(photo.bytes == (try folder.read("a.dng")).count)
    let raw = try Photo(contentsOf: photo.path)
    let ours = try #require(frame.mosaic).developed()
    #expect(raw.buffer.size == sensor.size && raw.formatName == "DNG")
    let white = Double(try #require(raw.buffer.tags.scene).white)
    var (largest, sum) = (0.0, 0.0)
    for y in 4..<76 {
      for x in 4..<116 {
        let code = pixel(ours, x, y)
        let light = SIMD3((0..<3).map { TransferFunction.sRGB.decode(code[$0]) })
        let difference = pixel(raw.buffer, x, y) / white - rec2020(light)
        let distance = max(difference.max(), -difference.min())
        (largest, sum) = (max(largest, distance), sum + distance)
      }
    }
    // Two interpolations of samples of 10 bits, whose steps are a thousandth.
    #expect(largest < 0.008 && sum / (72 * 112) < 0.0015, "\(largest), \(sum / (72 * 112))")
  }

  @Test("The file tells the moment, the camera's values at the press and the turn")
  func facts() async throws {
    let folder = try Scratch()
    var sensor = SensorFrames()
    sensor.orientation = .right
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder("{index}-{width}x{height}.dng")), camera: "Test camera")
    let photo = try await take(sensor.frame(), delivery)
    #expect(photo.path == folder("1-80x120.dng"))
    #expect((photo.width, photo.height) == (80, 120))
    let header = try Photo(contentsOf: photo.path)
    #expect(header.orientation == .right)
    let facts = header.metadata.captureFacts
    #expect(facts.camera == "Test camera" && facts.iso == 400 && facts.exposureTime == 0.02)
    #expect(facts.date?.nanosecond != nil && facts.uniqueID?.count == 32)
  }

  @Test("An edit goes beside the file, and another format is developed with it")
  func edits() async throws {
    let folder = try Scratch()
    let frame = try SensorFrames().frame()
    let edit = Edit(values: ["exposure": "-2"])
    let kept = try await take(
      frame, PhotoDelivery(names: try PhotoNames(folder("a.dng")), edit: edit, original: .withRecipe))
    #expect(kept.sidecar == folder("a.dng.safelight.json"))
    #expect(try folder.names == ["a.dng", "a.dng.safelight.json"])
    let dark = try await take(frame, PhotoDelivery(names: try PhotoNames(folder("dark.png")), edit: edit))
    let plain = try await take(frame, PhotoDelivery(names: try PhotoNames(folder("plain.png"))))
    let (a, b) = (try Photo(contentsOf: dark.path).buffer, try Photo(contentsOf: plain.path).buffer)
    #expect(a.size == PixelSize(width: 120, height: 80) && b.format == .rgba16)
    let light = TransferFunction.sRGB.decode(pixel(b, 50, 40).y)
    #expect(abs(TransferFunction.sRGB.decode(pixel(a, 50, 40).y) - light / 4) < 0.002)
  }

  @Test("The best of several frames is one frame's samples")
  func best() async throws {
    let folder = try Scratch()
    let photo = try await take(
      SensorFrames().frame(), PhotoDelivery(names: try PhotoNames(folder("a.DNG"))), .balanced, frames: 3)
    #expect(photo.path == folder("a.DNG") && photo.frames == 3)
  }

  @Test("Several mosaics are developed and merged, in 16 bits")
  func merged() async throws {
    let folder = try Scratch()
    let frame = try SensorFrames().frame()
    let names = try PhotoNames(folder("a.png"))
    let photo = try await take(frame, PhotoDelivery(names: names), .quality, frames: 8)
    #expect(photo.merge?.frames.count == 8)
    let (found, one) = (
      try Photo(contentsOf: photo.path).buffer, try #require(frame.mosaic).developed()
    )
    for (x, y) in [(10, 10), (60, 40), (110, 70)] {
      let difference = pixel(found, x, y) - pixel(one, x, y)
      #expect(max(difference.max(), -difference.min()) < 0.002, "\(difference)")
    }
  }

  @Test("What cannot be a digital negative fails with the remedy, and leaves nothing")
  func refusals() async throws {
    let folder = try Scratch()
    func refusal(
      _ frame: Frame, _ delivery: PhotoDelivery, _ quality: PhotoQualityPrioritization = .speed,
      frames: Int = 1
    ) async -> String {
      do {
        return try await take(frame, delivery, quality, frames: frames).path
      } catch {
        return "\(error)"
      }
    }
    let frame = try SensorFrames().frame()
    let names = try PhotoNames(folder.path, isDNG: true)
    var finished = frame
    finished.mosaic = nil
    #expect(
      await refusal(finished, PhotoDelivery(names: names))
        == "The source sends finished pictures, and a DNG is made of a sensor's mosaic; ask the camera for a Bayer format, or take photos of another format."
    )
    #expect(
      await refusal(frame, PhotoDelivery(names: names, edit: Edit(values: ["exposure": "1"])))
        == "A DNG holds the sensor's own samples, to which no edit can be applied; keep the edit beside it, or ask for another format."
    )
    #expect(
      await refusal(frame, PhotoDelivery(names: names), .quality, frames: 4)
        == "Merged frames are developed, and a DNG holds the samples of one; ask for another quality, or for another format."
    )
    #expect(try folder.names == [])
    #expect(throws: SafelightError.self) { try PhotoNames(folder("a.jpg"), isDNG: true) }
  }
}
