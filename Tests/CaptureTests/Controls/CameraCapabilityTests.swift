import FrameCore
import Testing

@testable import Capture

@Suite("What a camera has of the field's settings")
struct CameraCapabilityTests {
  private static let noPoints = ["focus-point", "exposure-point"].map {
    "\($0): the driver tells no region of interest, which takes a camera of UVC 1.5 and Linux 6.16 or so []"
  }

  private func lines(_ controls: [DeviceControl]) throws -> [String] {
    try ControlSet(SimulatedCamera(controls)).capabilities.map {
      "\($0.key.rawValue): " + ($0.unsupported ?? "\($0.range ?? "") = \($0.value ?? "–")")
        + " [\($0.driverKeys.joined(separator: " "))]"
    }
  }

  @Test("Each setting has its range and value as they would be set, or the reason why it is missing")
  func capabilities() throws {
    #expect(
      try lines(SimulatedCamera.webcamControls) == [
        "focus: auto, locked, 0…250 by 5, 0%…100% = auto [focus_automatic_continuous focus_absolute]",
        "exposure: auto, locked, 0.0001s…1s = auto [auto_exposure exposure_time_absolute]",
        "ev: the driver has no such control []", "gain: 0…100 = 0 [gain]",
        "iso: the driver has no such control []",
        "white-balance: auto, locked, 2800K…6500K = auto [white_balance_automatic white_balance_temperature]",
        "zoom: 1x…5x, 0%…100%, 100…500 = 1x [zoom_absolute]",
        "power-line: off, 50Hz, 60Hz = 60Hz [power_line_frequency]",
      ] + Self.noPoints)
    #expect(
      try lines(SimulatedCamera.sensorControls) == [
        "focus: auto, once, locked = – [focus_automatic_continuous auto_focus_start]",
        "exposure: auto, locked, 0.0001s…0.033s = auto [auto_exposure exposure_time_absolute]",
        "ev: -2, -1, -0.333, 0, 0.333, 1, 2 = 0 [auto_exposure_bias]",
        "gain: auto, locked, 0…255 = auto [gain_automatic gain]",
        "iso: auto, 100, 200, 400 = auto [iso_sensitivity_auto iso_sensitivity]",
        "white-balance: auto, locked = auto [white_balance_auto_preset]",
        "zoom: 0%…100%, 0…100 = 0 [zoom_absolute]", "power-line: the driver has no such control []",
      ] + Self.noPoints)
  }

  @Test("What the driver only lets be read is not supported")
  func readOnly() throws {
    var zoom = SimulatedCamera.integer(ControlID.zoom, "Zoom, Absolute", 100...500, value: 100)
    zoom.isReadOnly = true
    let capability = try #require(ControlSet([zoom]).capabilities.first { $0.key == .zoom })
    #expect(!capability.isSupported && capability.unsupported == "the driver only lets it be read")
    #expect(ControlSet([zoom]).supportedKeys.isEmpty)
  }

  @Test("Every value that is told can be set, and is told again")
  func roundTrip() throws {
    let camera = SimulatedCamera(SimulatedCamera.webcamControls)
    for text in [
      "focus=120", "exposure=0.02s", "gain=33", "white-balance=5200K", "zoom=2.5x", "power-line=50Hz",
      "focus=auto", "exposure=auto", "white-balance=auto",
    ] {
      let setting = try CameraSetting(parsing: text)
      try camera.apply([setting])
      let told = try ControlSet(camera).text(setting)
      #expect("\(setting.name)=\(told ?? "")" == text)
    }
  }

  @Test("The values of a photo's metadata are in the field's units")
  func values() throws {
    let camera = SimulatedCamera(SimulatedCamera.webcamControls)
    try camera.apply([
      .exposure(.manual(seconds: 0.025)), .focus(.manual(position: 50)), .zoom(.factor(2.5)),
      .gain(.manual(7)),
      .whiteBalance(.manual(kelvin: 3200)),
    ])
    var expected = CameraValues()
    (expected.exposureMode, expected.exposureSeconds, expected.gain) = (.manual, 0.025, 7)
    (expected.whiteBalanceMode, expected.whiteBalanceKelvin) = (.manual, 3200)
    (expected.focusMode, expected.focusPosition, expected.lensPosition) = (.manual, 50, 0.8)
    var found = CameraValues(try ControlSet(camera))
    // log 2.5 / log 5
    #expect(abs((found.zoomPosition ?? 0) - 0.56932344) < 1e-8)
    (expected.zoomFactor, expected.zoomPosition) = (2.5, found.zoomPosition)
    #expect(found == expected)
    // Reading only what is needed finds the same.
    found = CameraValues(ControlSet(try CameraValues.controlIDs.compactMap { try camera.control($0) }))
    #expect(found == expected)

    let sensor = SimulatedCamera(SimulatedCamera.sensorControls)
    try sensor.apply([.exposure(.locked), .iso(.manual(200)), .exposureBias(stops: -1)])
    let values = CameraValues(try ControlSet(sensor))
    #expect(values.exposureMode == .locked && values.whiteBalanceMode == .automatic)
    #expect(values.iso == 200 && values.isISOAutomatic == false && values.exposureBias == -1)
    #expect(values.isGainAutomatic == true && values.zoomFactor == nil && values.zoomPosition == 0)
    #expect(CameraValues(ControlSet([])) == CameraValues())
  }
}
