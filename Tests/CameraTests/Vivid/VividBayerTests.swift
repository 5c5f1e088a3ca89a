import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Mosaics of vivid", .driver(.vivid))
  struct VividBayer {
    private static let size = PixelSize(width: 640, height: 480)

    init() throws { try VividCamera.webcam.restore() }

    private func record(_ code: String) async throws -> Recording {
      let camera = try CaptureDevice.camera(VividCamera.webcam.node)
      let encoding = try #require(CaptureEncoding(bayer: code))
      try #require(camera.formats().contains { $0.encoding == encoding }, "vivid has no \(code)")
      return try await Recording(
        DeviceInput(camera), StreamRequest(size: Self.size, framesPerSecond: 25, encoding: encoding))
    }

    @Test(
      "The bars are where and as vivid draws them, from all of its mosaics",
      arguments: [
        "BA81", "GBRG", "GRBG", "RGGB", "BG10", "GB10", "BA10", "RG10", "BG12", "GB12", "BA12", "RG12",
        "BYR2", "GB16", "GR16", "RG16",
      ])
    func bars(code: String) async throws {
      let recording = try await record(code)
      for _ in 0..<3 {
        let frame = try await recording.frame()
        #expect(frame.buffer.size == Self.size && frame.buffer.format == .rgba8)
        #expect(frame.mosaic == nil, "the output has not asked for it")
        // Colours are interpolated, and the balance is that of an estimate.
        #expect(
          ColorBars.first(in: frame.buffer, tolerance: 8) == 0, "\(code): \(ColorBars.row(of: frame.buffer))")
      }
      await recording.session.stop()
    }

    @Test("Any mosaic is the deepest, and a photo keeps the sensor's samples", arguments: [nil, "RG10"])
    func photo(code: String?) async throws {
      let camera = try CaptureDevice.camera(VividCamera.webcam.node)
      let encoding = try code.map { try #require(CaptureEncoding(bayer: $0)) } ?? .bayer(nil)
      let output = PhotoOutput<PhotoFrame> { captured, _ in captured.referenceFrame }
      let session = CaptureSession()
      try await session.configure {
        try $0.add(DeviceInput(camera))
        try $0.add(output)
        $0.request = StreamRequest(size: Self.size, framesPerSecond: 25, encoding: encoding)
      }
      try await session.start()
      for await readiness in output.readinesses where readiness == .ready { break }
      let photo = try await output.capture(PhotoSettings(qualityPrioritization: .speed)).photo()
      await session.stop()
      let mosaic = try #require(photo.mosaic)
      #expect(mosaic.format.packing == (code == nil ? .bits16 : .bits10))
      #expect(mosaic.transfer == .sRGB, "vivid says so")
      // The sites of one colour in a bar are what vivid draws: within a step of 8 bits.
      try mosaic.withPicture { picture in
        var row = [UInt16](repeating: 0, count: Self.size.width)
        for y in [100, 101] {
          row.withUnsafeMutableBufferPointer { picture.unpack(row: y, into: $0) }
          for bar in 0..<8 {
            for x in [(2 * bar + 1) * Self.size.width / 16, (2 * bar + 1) * Self.size.width / 16 + 1] {
              let wanted = Double(ColorBars.rgb[bar][mosaic.format.pattern.channel(x: x, y: y)]) / 255
              let found = Double(row[x]) / Double(mosaic.format.maximum)
              #expect(abs(found - wanted) < 1.5 / 255, "bar \(bar) at \(x), \(y): \(found)")
            }
          }
        }
      }
      // And so is the developed photo, in 16 bits.
      let developed = try photo.samples()
      #expect(developed.format == .rgba16)
      let middle = developed.row(240, of: 0, as: UInt16.self)
      for (bar, color) in ColorBars.rgb.enumerated() {
        let x = (2 * bar + 1) * Self.size.width / 16
        for channel in 0..<3 {
          #expect(abs(Double(middle[4 * x + channel]) / 257 - Double(color[channel])) < 6, "bar \(bar)")
        }
      }
    }

    @Test("A finished picture goes before a mosaic")
    func preference() async throws {
      let recording = try await Recording(DeviceInput(.camera(VividCamera.webcam.node)))
      _ = try await recording.frame()
      let format = try #require(recording.session.format)
      #expect({ if case .raw = format.encoding { true } else { false } }())
      await recording.session.stop()
    }

    @Test("Mosaics that an output keeps stay whole after the stream has ended")
    func outlivesTheStream() async throws {
      let keeper = EncodedPictureKeeper()
      let session = CaptureSession()
      let camera = try CaptureDevice.camera(VividCamera.webcam.node)
      try await session.configure {
        try $0.add(DeviceInput(camera))
        try $0.add(keeper)
        $0.request = StreamRequest(
          size: Self.size, framesPerSecond: 25, encoding: CaptureEncoding(bayer: "BA81"))
      }
      try await session.start()
      try await Guest.wait(for: "three mosaics") { keeper.kept.count == 3 }
      let before = keeper.bytes
      // The driver fills no buffer that somebody holds, and more frames come all the same.
      let seen = keeper.count
      try await Guest.wait(for: "further frames") { keeper.count > seen + 10 }
      #expect(keeper.bytes == before)
      await session.stop()
      #expect(keeper.bytes == before)
    }
  }
}
