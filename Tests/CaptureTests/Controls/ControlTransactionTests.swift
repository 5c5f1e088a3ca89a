import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("All settings or none")
struct ControlTransactionTests {
  private let texts = [
    "focus=120", "exposure=1/50s", "white-balance=5200K", "gain=40", "zoom=2x", "brightness=9",
  ]

  private func settings() throws -> [CameraSetting] { try texts.map { try CameraSetting(parsing: $0) } }

  @Test("Wherever a driver fails, everything has its former value and mode", arguments: [true, false])
  func rollback(startsAutomatic: Bool) throws {
    // Six values and three automatic modes are written.
    for count in 0..<9 {
      let camera = SimulatedCamera(SimulatedCamera.webcamControls)
      if !startsAutomatic {
        try camera.apply([.focus(.manual(position: 30)), .exposure(.manual(seconds: 0.0321))])
      }
      let before = camera.values
      camera.failsAfter = count
      var remembered: [UInt32] = []
      let failing = FailingOnce(camera)
      let plan = try ControlPlan(try settings(), for: ControlSet(camera), device: "Cam")
      #expect(throws: SafelightError.self) {
        try ControlTransaction(driver: failing, remember: { id, _ in remembered.append(id) }).run(plan)
      }
      var after = camera.values
      if startsAutomatic {
        // What an automatic mode that is on again has found by then is its own.
        for id in [ControlID.focus, ControlID.exposureTime, ControlID.whiteBalanceTemperature] {
          after[id] = before[id]
        }
      } else {
        after[ControlID.whiteBalanceTemperature] = before[ControlID.whiteBalanceTemperature]
      }
      #expect(after == before, "after \(count) writes: \(camera.writes)")
      #expect(remembered.isEmpty)
    }
  }

  @Test("A value that an automatic mode has overwritten comes back with the manual mode")
  func overwritten() throws {
    let camera = SimulatedCamera(SimulatedCamera.webcamControls)
    try camera.apply([.exposure(.manual(seconds: 0.0321)), .gain(.manual(7))])
    // The exposure mode is written; what follows it fails.
    camera.failsAfter = 2
    let plan = try ControlPlan(
      [.exposure(.automatic), .focus(.automatic), .gain(.manual(9))], for: ControlSet(camera), device: "Cam")
    #expect(throws: SafelightError.self) {
      try ControlTransaction(driver: FailingOnce(camera), remember: { _, _ in }).run(plan)
    }
    #expect(camera.values[ControlID.autoExposure] == 1)
    #expect(camera.values[ControlID.exposureTime] == 321)
    #expect(camera.values[ControlID.gain] == 7)
  }

  @Test("What cannot be put back either is named")
  func lost() throws {
    let camera = SimulatedCamera(SimulatedCamera.webcamControls)
    camera.failsAfter = 2
    let refusal = #expect(throws: SafelightError.self) {
      try camera.apply([.gain(.manual(3)), .zoom(.manual(200)), .focus(.manual(position: 5))])
    }
    #expect(
      refusal?.description == "errno 5; gain, focus_automatic_continuous could not be put back.",
      "\(camera.writes)")
  }

  @Test("What was set is remembered once all of it was, a button never")
  func remembers() throws {
    let camera = SimulatedCamera(SimulatedCamera.sensorControls)
    var remembered: [UInt32: Int64] = [:]
    try camera.apply([.focus(.once), .gain(.manual(9))]) { remembered[$0] = $1 }
    #expect(remembered == [ControlID.autoFocus: 0, ControlID.autoGain: 0, ControlID.gain: 9])
  }

  @Test("Random settings and a snapshot: what is put back is what was there, in every mode")
  func snapshots() throws {
    var random = SeededRandom(seed: 17)
    let choices = [
      "focus=auto", "focus=120", "focus=5", "focus=locked", "exposure=auto", "exposure=8ms",
      "exposure=locked",
      "white-balance=auto", "white-balance=3000K", "white-balance=locked", "gain=9", "zoom=3x",
      "brightness=-3",
    ]
    for _ in 0..<300 {
      let camera = SimulatedCamera(SimulatedCamera.webcamControls)
      for _ in 0..<4 { _ = try camera.written(choices.randomElement(using: &random) ?? "gain=1") }
      let before = try ControlSet(camera)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        _ = try camera.written(choices.randomElement(using: &random) ?? "gain=1")
      }
      let failed = ControlTransaction(driver: camera, remember: { _, _ in }).restore(before.settable)
      #expect(failed.isEmpty)
      let after = try ControlSet(camera)
      for control in before.all where !control.isInactive {
        #expect(after[control.id]?.value == control.value, "\(control.key) after \(camera.writes)")
      }
      #expect(before.all.map(\.isInactive) == after.all.map(\.isInactive))
    }
  }

  @Test("A camera that comes back gets what was set, whatever its defaults are")
  func reconnection() throws {
    let camera = SimulatedCamera(SimulatedCamera.webcamControls)
    var remembered: [UInt32: Int64] = [:]
    try camera.apply([.focus(.manual(position: 55)), .exposure(.manual(seconds: 0.02))]) {
      remembered[$0] = $1
    }
    try camera.apply([.exposure(.automatic), .zoom(.factor(3))]) { remembered[$0] = $1 }
    let returned = SimulatedCamera(SimulatedCamera.webcamControls)
    #expect(ControlTransaction(driver: returned, remember: { _, _ in }).restore(remembered).isEmpty)
    #expect(
      returned.writes == ["focus_automatic_continuous 0", "focus_absolute 55", "zoom_absolute 300"],
      "\(returned.writes)")
  }
}

/// Passes on to a camera that fails once and then works again, as after a stall on the bus.
private final class FailingOnce: ControlDriver {
  let camera: SimulatedCamera
  var name: String { camera.name }

  init(_ camera: SimulatedCamera) { self.camera = camera }

  func controls() throws -> [DeviceControl] { try camera.controls() }
  func control(_ id: UInt32) throws -> DeviceControl? { try camera.control(id) }
  func check(_ status: Int32) throws { try camera.check(status) }
  func write(_ value: Int64, to control: DeviceControl) -> Int32 {
    let status = camera.write(value, to: control)
    if status != 0 { camera.failsAfter = nil }
    return status
  }
}
