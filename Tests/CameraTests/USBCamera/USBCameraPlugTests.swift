import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("A USB camera is unplugged and plugged in", .driver(.uvc))
  struct USBCameraPlug {
    let request = StreamRequest(
      size: PixelSize(width: 320, height: 240), framesPerSecond: 30, encoding: .raw(.yuyv422))

    @Test("Its pictures have the bars, which move by one with every frame")
    func pictures() async throws {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      let recording = try await Recording(DeviceInput(.camera()), request)
      try await emulated.expect("stream YUYV 320x240 30")
      var offset: Int?
      for _ in 0..<16 {
        let frame = try await recording.frame()
        let first = try #require(ColorBars.first(in: frame.buffer), "\(ColorBars.row(of: frame.buffer))")
        // The camera counts its frames from the beginning of the stream, as the driver does.
        let difference = (first - Int(frame.sequence % 8) + 8) % 8
        #expect(offset ?? difference == difference, "order is kept")
        offset = difference
      }
      await recording.session.stop()
      try await emulated.expect("stopped")
      try await emulated.unplug()
    }

    @Test("After unplugging and plugging in, frames come again and the controls are as they were set")
    func replug() async throws {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      let device = try CaptureDevice.camera()
      let recording = try await Recording(DeviceInput(device), request)
      try await recording.waitUntilRunning()
      try device.configure {
        try $0.setExposure(.manual(seconds: 0.02))
        try $0.setGain(.manual(33))
      }
      _ = try await recording.take(3)

      try await emulated.unplug()
      try await recording.waitForInterruption(.disconnected)
      _ = emulated.said()
      // Its controls have their defaults now.
      try await emulated.plug()
      try await recording.waitUntilRunning()
      _ = try await recording.take(3)
      let said = emulated.said()
      for line in ["set auto_exposure 1", "set exposure_time_absolute 200", "set gain 33"] {
        #expect(said.contains(line), "\(said)")
      }
      let controls = try CaptureDevice.camera().controls()
      #expect(controls.first { $0.id == ControlID.gain }?.value == 33)
      #expect(recording.session.statistics.interruptions == 1)
      await recording.session.stop()
      try await emulated.unplug()
    }

    @Test("A camera on another port is not taken for the one that was unplugged")
    func twoCameras() async throws {
      let (one, other) = (
        try EmulatedCamera(port: 0, serial: "A1"), try EmulatedCamera(port: 1, serial: "B2")
      )
      try await one.plug()
      let device = try CaptureDevice.camera()
      try await other.plug()
      let ids = CaptureDevice.cameras().map(\.id)
      #expect(ids.count == 2 && Set(ids).count == 2)
      #expect(ids.contains(device.id))

      let recording = try await Recording(DeviceInput(device), request)
      try await recording.waitUntilRunning()
      try await one.unplug()
      try await recording.waitForInterruption(.disconnected)
      #expect(CaptureDevice.cameras().map(\.id) == ids.filter { $0 != device.id })
      #expect(!other.said().contains { $0.hasPrefix("stream") })
      try await one.plug()
      try await recording.waitUntilRunning()
      #expect(!other.said().contains { $0.hasPrefix("stream") })
      await recording.session.stop()
      try await one.unplug()
      try await other.unplug()
    }

    @Test("A camera that sends nothing is stalled, and frames come again when it sends")
    func stall() async throws {
      let emulated = try EmulatedCamera()
      try await emulated.plug()
      let recording = try await Recording(DeviceInput(.camera()), request)
      try await recording.waitUntilRunning()
      _ = try await recording.take(3)
      emulated.send("stall")
      try await recording.waitForInterruption(.stalled)
      emulated.send("resume")
      try await recording.waitUntilRunning()
      _ = try await recording.take(3)
      await recording.session.stop()
      try await emulated.unplug()
    }
  }
}
