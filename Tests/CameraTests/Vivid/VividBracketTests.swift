import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Brackets of a camera that has only a gain", .driver(.vivid), .timeLimit(.minutes(2)))
  struct VividBrackets {
    @Test("vivid’s gain changes no picture, which each exposure tells; the gain is back")
    func gain() async throws {
      try VividCamera.webcam.restore()
      try VividCamera.webcam.set("gain_automatic", 0)
      defer { try? VividCamera.webcam.set("gain_automatic", 1) }
      try VividCamera.webcam.set("gain", 60)
      let input = try DeviceInput(.camera(VividCamera.webcam.node))
      let output = PhotoOutput<Int> { captured, _ in captured.frames.count }
      let session = CaptureSession()
      try await session.configure {
        try $0.add(input)
        try $0.add(output)
        $0.request = StreamRequest(size: PixelSize(width: 320, height: 180), framesPerSecond: 25)
      }
      try await session.start()
      for await readiness in output.readinesses where readiness == .ready { break }
      #expect(throws: SafelightError.self, "255 is the most") {
        try output.captureBracket(ExposureBracket([0, 3]), with: input.device)
      }
      let bracket = try output.captureBracket(ExposureBracket([-1, 1]), with: input.device)
      try await Guest.wait(for: "the end of the bracket") { bracket.hasEnded }
      #expect(try await bracket.photos() == [1, 1])
      #expect(bracket.exposures.map(\.means) == [.gain, .gain])
      #expect(bracket.exposures.compactMap(\.values.gain) == [30, 120])
      #expect(bracket.exposures.map(\.brightness) == [.unchanged, .unchanged])
      await session.stop()
      #expect(try VividCamera.webcam.value(of: "gain") == 60)
    }
  }
}
