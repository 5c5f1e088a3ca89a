import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Settings of a USB camera by the field's names", .driver(.uvc))
  struct USBCameraSettings {
    /// Plugs a camera in for the time of a test.
    private func withCamera(_ body: (EmulatedCamera, CaptureDevice) async throws -> Void) async throws {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      try await body(emulated, try CaptureDevice.camera())
      try await emulated.unplug()
    }

    private func settings(_ texts: String...) throws -> [CameraSetting] {
      try texts.map { try CameraSetting(parsing: $0) }
    }

    @Test("Ranges and values are those of the table in Tests/CameraVM/uvc/controls.py")
    func capabilities() async throws {
      try await withCamera { _, device in
        let found = try device.capabilities().map {
          "\($0.key.rawValue): \($0.range ?? "–") = \($0.value ?? "–")"
        }
        #expect(
          found == [
            "focus: auto, locked, 0…250 by 5, 0%…100% = auto", "exposure: auto, locked, 0.0001s…1s = auto",
            "ev: – = –", "gain: 0…100 = 0", "iso: – = –", "white-balance: auto, locked, 2800K…6500K = auto",
            "zoom: 1x…5x, 0%…100%, 100…500 = 1x", "power-line: – = –",
            "focus-point: – = –", "exposure-point: – = –",
          ])
      }
    }

    @Test("Several settings reach the camera in an order that it accepts, and are told before and after")
    func apply() async throws {
      try await withCamera { emulated, device in
        let settings = try settings(
          "zoom=2.5x", "focus=120", "exposure=1/50s", "white-balance=5200K", "gain=40", "brightness=-12")
        let changes = try device.configure { try $0.apply(settings) }
        #expect(
          changes.map { "\($0.name): \($0.before ?? "–") → \($0.after ?? "–")" } == [
            "zoom: 1x → 2.5x", "focus: auto → 120", "exposure: auto → 0.02s", "white-balance: auto → 5200K",
            "gain: 0 → 40", "brightness: 0 → -12",
          ])
        let said = emulated.said()
        for line in [
          "auto_exposure 1", "exposure_time_absolute 200", "focus_absolute 120",
          "white_balance_temperature 5200",
          "gain 40", "zoom_absolute 250", "brightness -12",
        ] {
          #expect(said.contains("set \(line)"), "\(said)")
        }
        let values = try device.cameraValues()
        #expect(values.exposureMode == .manual && values.exposureSeconds == 0.02 && values.gain == 40)
        #expect(values.whiteBalanceKelvin == 5200 && values.focusPosition == 120 && values.zoomFactor == 2.5)
      }
    }

    @Test("Of settings one of which is refused, none reaches the camera")
    func allOrNothing() async throws {
      try await withCamera { emulated, device in
        for texts in [["gain=40", "zoom=6x"], ["focus=120", "iso=400"], ["brightness=3", "gain=101"]] {
          let settings = try texts.map { try CameraSetting(parsing: $0) }
          #expect(try device.configure { try $0.problem(with: settings) } != nil)
          #expect(throws: SafelightError.self) { try device.configure { try $0.apply(settings) } }
        }
        #expect(emulated.said().isEmpty)
      }
    }

    @Test("Only one holder configures a camera at a time")
    func lock() async throws {
      try await withCamera { _, device in
        let other = try CaptureDevice.camera()
        let configuration = try device.lockForConfiguration()
        let refusal = #expect(throws: CaptureFailure.self) { try other.configure { _ = try $0.controls } }
        #expect(refusal?.reason == .busy)
        configuration.unlock()
        try other.configure { _ = try $0.controls }
        // As another program of Safelight would.
        #expect(
          try Shell.run("flock -n \(device.path) true && echo free").contains("free"))
      }
    }

    @Test("Controls are put back after work that fails, modes too")
    func restoring() async throws {
      struct Failed: Error {}
      try await withCamera { emulated, device in
        _ = try device.configure { try $0.apply(try settings("gain=7", "focus=50", "zoom=2x")) }
        let before = try device.capabilities().map(\.value)
        await #expect(throws: Failed.self) {
          try await device.restoringControls {
            _ = try device.configure { try $0.apply(try settings("exposure=8ms", "gain=90", "focus=auto")) }
            throw Failed()
          }
        }
        #expect(try device.capabilities().map(\.value) == before)
        #expect(emulated.said().contains("set auto_exposure 8"))
      }
    }

    @Test("A ramp zooms step by step to its end, while another holder's lock stops no step for good")
    func ramp() async throws {
      try await withCamera { emulated, device in
        try await device.rampZoom(to: .factor(4), over: 1)
        let steps = emulated.said().compactMap { line in
          line.hasPrefix("set zoom_absolute ") ? Int(line.dropFirst(18)) : nil
        }
        #expect(steps.last == 400)
        #expect(steps.count > 2 && zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "\(steps)")
        await #expect(throws: SafelightError.self) { try await device.rampZoom(to: .factor(9), over: 1) }
      }
    }
  }
}
