import FrameCore
import Libc
import Testing

@testable import Capture

@Suite("A camera during a bracket")
struct BracketCameraTests {
  @Test("Gets its exposures with its automatic modes off, and everything back")
  func course() throws {
    let driver = SimulatedCamera(SimulatedCamera.webcamControls)
    let before = driver.values
    let camera = try BracketCamera(ExposureBracket([-2, 0, 2]), driver)
    #expect(driver.writes.isEmpty)
    for index in 0..<3 {
      let values = try camera.set(index)
      #expect(values.exposureMode == .manual)
      #expect(values.exposureSeconds == [0.0039, 0.0156, 0.0624][index])
    }
    try camera.putBack()
    #expect(driver.values[ControlID.autoExposure] == before[ControlID.autoExposure])
    #expect(driver.values[ControlID.gain] == before[ControlID.gain])
    // The simulated automatic exposure finds its own time again.
    #expect(try driver.control(ControlID.exposureTime)?.isInactive == true)
  }

  @Test("Keeps an exposure that was set by hand")
  func manual() throws {
    var controls = SimulatedCamera.webcamControls
    controls[0].value = 1
    let driver = SimulatedCamera(controls)
    let before = driver.values
    let camera = try BracketCamera(ExposureBracket([-1, 1]), driver)
    _ = try camera.set(0)
    #expect(driver.values[ControlID.exposureTime] == 78)
    _ = try camera.set(1)
    try camera.putBack()
    #expect(driver.values == before)
  }

  @Test("Holds automatic gain and ISO, which would make up for the exposure")
  func sensitivity() throws {
    let driver = SimulatedCamera(SimulatedCamera.sensorControls)
    let before = driver.values
    let camera = try BracketCamera(ExposureBracket([-1, 1]), driver)
    _ = try camera.set(1)
    #expect(driver.values[ControlID.autoGain] == 0)
    #expect(driver.values[ControlID.autoISO] == 0)
    #expect(driver.values[ControlID.exposureTime] == 200)
    try camera.putBack()
    for id in [ControlID.autoGain, ControlID.autoISO, ControlID.autoExposure] {
      #expect(driver.values[id] == before[id])
    }
  }

  @Test("That is unplugged says what it keeps, and gets it back with the next connection")
  func unplugged() throws {
    let driver = SimulatedCamera(SimulatedCamera.webcamControls)
    var noted: [UInt32: Int64] = [:]
    var unrestored: [UInt32: Int64]?
    var isUnlocked = false
    let camera = try BracketCamera(
      ExposureBracket([-1, 1]), driver,
      memory: BracketCamera.Memory(note: { noted[$0] = $1 }, forget: { unrestored = $0 }),
      unlock: { isUnlocked = true })
    _ = try camera.set(0)
    #expect(noted[ControlID.exposureTime] == 78)
    driver.failsAfter = 0
    #expect(throws: SafelightError.self) { _ = try camera.set(1) }
    do {
      try camera.putBack()
      Issue.record("nothing was wrong")
    } catch {
      #expect(
        "\(error)"
          == "Cam keeps the bracket’s values of exposure_time_absolute, auto_exposure; connect it again, and set them "
          + "with safelight devices --set.")
    }
    #expect(unrestored == [ControlID.autoExposure: 3, ControlID.exposureTime: 156])
    #expect(isUnlocked)
  }

  @Test("That was reconnected meanwhile gets its values at its new place")
  func reconnected() throws {
    let driver = SimulatedCamera(SimulatedCamera.webcamControls)
    let again = SimulatedCamera(SimulatedCamera.webcamControls)
    try again.apply([.exposure(.manual(seconds: 0.5))])
    let camera = try BracketCamera(ExposureBracket([-1, 1]), driver, reopen: { again })
    _ = try camera.set(0)
    driver.failsAfter = 0
    try camera.putBack()
    #expect(again.values[ControlID.autoExposure] == 3)
  }
}
