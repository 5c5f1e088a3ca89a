import Capture
import FrameCore
import Libc
import Testing

extension CameraTests {
  /// The emulated camera's YUYV pictures are as bright as its exposure makes them (Tests/CameraVM/uvc/controls.py).
  @Suite("Brackets of a USB camera", .driver(.uvc), .timeLimit(.minutes(2)))
  struct USBCameraBrackets {
    /// The luma of a photo's first white bar.
    private typealias Output = PhotoOutput<Double>

    private func withCamera(_ body: (EmulatedCamera, CaptureDevice, Output) async throws -> Void) async throws
    {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      let device = try CaptureDevice.camera()
      let output = Output { captured, _ in
        let row = try captured.referenceFrame.samples().row(40, of: 0, as: UInt8.self)
        return stride(from: 0, to: row.count, by: 2).reduce(0) { max($0, Double(row[$1])) }
      }
      let session = CaptureSession()
      try await session.configure {
        try $0.add(DeviceInput(device))
        try $0.add(output)
        $0.request = StreamRequest(
          size: PixelSize(width: 320, height: 240), framesPerSecond: nil, encoding: .raw(.yuyv422))
      }
      try await session.start()
      for await readiness in output.readinesses where readiness == .ready { break }
      try await body(emulated, device, output)
      await session.stop()
      try await emulated.unplug()
    }

    private func wait(for bracket: PhotoBracket<Double>) async throws {
      try await Guest.wait(for: "the end of the bracket") { bracket.hasEnded }
    }

    @Test("Each photo is as bright as its exposure, and automatic exposure is back")
    func exposures() async throws {
      try await withCamera { emulated, device, output in
        let bracket = try output.captureBracket(ExposureBracket([-2, 0, 0.5]), with: device)
        try await wait(for: bracket)
        let lumas = try await bracket.photos()
        #expect(bracket.exposures.map(\.brightness) == [.settled, .settled, .settled])
        // 75 % white is 180; 16 is black.
        let expected = [39.0, 156, 221].map { 16 + (180 - 16) * pow($0 / 156, 1 / 2.2) }
        for (luma, expected) in zip(lumas, expected) { #expect(abs(luma - expected) <= 2, "\(lumas)") }
        #expect(bracket.controlsProblem == nil)
        let said = emulated.said()
        for line in [
          "auto_exposure 1", "exposure_time_absolute 39", "exposure_time_absolute 221", "auto_exposure 8",
        ] {
          #expect(said.contains("set \(line)"), "\(said)")
        }
        #expect(try device.cameraValues().exposureMode == .automatic)
      }
    }

    @Test(
      "A camera that is unplugged in the middle ends the bracket, and is as before with its next connection")
    func unplugged() async throws {
      try await withCamera { emulated, device, output in
        let (isCaptured, isUnplugged) = (Monitor(false), Monitor(false))
        let bracket = try output.captureBracket(ExposureBracket([-2, 0, 1, 2]), with: device) { event in
          // The next exposure is set when this returns.
          guard case .didCapture = event else { return }
          isCaptured.update { $0 = true }
          isUnplugged.wait { $0 ? true : nil }
        }
        try await Guest.wait(for: "the first exposure") { isCaptured.read { $0 } }
        try await emulated.unplug()
        isUnplugged.update { $0 = true }
        try await wait(for: bracket)
        #expect(bracket.exposures.map(\.askedStops) == [-2])
        #expect(bracket.failure?.problem.hasPrefix("The bracket has ") == true)
        await #expect(throws: SafelightError.self) { try await bracket.photos() }
        try await emulated.plug()
        try await Guest.wait(for: "frames") { output.readiness == .ready }
        #expect(try device.cameraValues().exposureMode == .automatic)
      }
    }
  }
}
