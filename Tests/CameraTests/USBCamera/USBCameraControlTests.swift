import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("Controls of a USB camera", .driver(.uvc))
  struct USBCameraControls {
    /// Plugs a camera in for the time of a test.
    private func withCamera(_ body: (EmulatedCamera, CaptureDevice) async throws -> Void) async throws {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      try await body(emulated, try CaptureDevice.camera())
      try await emulated.unplug()
    }

    @Test("Ranges, defaults and flags are those that the camera declares")
    func ranges() async throws {
      try await withCamera { _, device in
        let controls = try device.controls()
        func range(_ id: UInt32) throws -> [Int64] {
          let control = try #require(controls.first { $0.id == id })
          return [control.minimum, control.maximum, control.step, control.defaultValue]
        }
        // The table in Tests/CameraVM/uvc/controls.py.
        #expect(try range(ControlID.exposureTime) == [1, 10000, 1, 156])
        #expect(try range(ControlID.focus) == [0, 250, 5, 10])
        #expect(try range(ControlID.gain) == [0, 100, 1, 0])
        #expect(try range(ControlID.whiteBalanceTemperature) == [2800, 6500, 10, 4600])
        #expect(try range(ControlID.zoom) == [100, 500, 1, 100])
        #expect(try range(ControlID.brightness) == [-64, 64, 1, 0])
        // Everything begins with its automatic on.
        let inactive = Set(controls.filter(\.isInactive).map(\.id))
        #expect(
          inactive == [ControlID.exposureTime, ControlID.focus, ControlID.whiteBalanceTemperature])
        let exposure = try #require(controls.first { $0.id == ControlID.autoExposure })
        #expect(exposure.menu.map(\.value) == [1, 3])
      }
    }

    @Test("Exposure, focus, gain, white balance and zoom reach the camera and are read back")
    func setting() async throws {
      try await withCamera { emulated, device in
        try device.configure {
          try $0.setExposure(.manual(seconds: 0.03))
          try $0.setFocus(.manual(position: 120))
          try $0.setGain(.manual(40))
          try $0.setWhiteBalance(.manual(kelvin: 5200))
          try $0.setZoom(250)
        }
        // UVC counts exposure in units of 100 µs.
        let expected = [
          "auto_exposure 1", "exposure_time_absolute 300", "focus_automatic_continuous 0",
          "focus_absolute 120", "gain 40", "white_balance_automatic 0", "white_balance_temperature 5200",
          "zoom_absolute 250",
        ]
        let said = emulated.said()
        for line in expected { #expect(said.contains("set \(line)"), "\(said)") }

        let controls = try device.controls()
        func value(_ id: UInt32) -> Int64? { controls.first { $0.id == id }?.value }
        #expect(value(ControlID.exposureTime) == 300)
        #expect(value(ControlID.focus) == 120)
        #expect(value(ControlID.gain) == 40)
        #expect(value(ControlID.whiteBalanceTemperature) == 5200)
        #expect(value(ControlID.zoom) == 250)
        #expect(controls.allSatisfy { !$0.isInactive })

        try device.configure {
          try $0.setExposure(.automatic)
          try $0.setFocus(.automatic)
          try $0.setWhiteBalance(.automatic)
        }
        let after = emulated.said()
        for line in ["auto_exposure 8", "focus_automatic_continuous 1", "white_balance_automatic 1"] {
          #expect(after.contains("set \(line)"), "\(after)")
        }
        #expect(try device.controls().filter(\.isInactive).count == 3)
      }
    }

    @Test(
      "An inactive control, a value outside the range and one between two steps are refused with a remedy")
    func refusals() async throws {
      try await withCamera { emulated, device in
        func refusal(_ id: UInt32, _ value: Int) -> String {
          do {
            _ = try device.configure { try $0.set(id, to: value) }
            return "accepted"
          } catch { return "\(error)" }
        }
        let inactive = refusal(ControlID.exposureTime, 300)
        #expect(inactive.lowercased().contains("auto exposure"), "\(inactive)")
        let outside = refusal(ControlID.gain, 101)
        #expect(outside.contains("101") && outside.contains("100"), "\(outside)")
        try device.configure { try $0.setFocus(.manual(position: 100)) }
        let between = refusal(ControlID.focus, 103)
        #expect(between.contains("103") && between.contains("steps of 5"), "\(between)")
        #expect(
          emulated.said() == ["set focus_automatic_continuous 0", "set focus_absolute 100"],
          "what is refused never reaches the camera")
      }
    }
  }
}
