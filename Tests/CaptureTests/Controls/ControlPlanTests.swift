import FrameCore
import Testing

@testable import Capture

/// Expected writes follow the kernel's documentation of user and camera controls.
@Suite("Settings become the driver's controls")
struct ControlPlanTests {
  private let webcam = SimulatedCamera(SimulatedCamera.webcamControls)
  private let sensor = SimulatedCamera(SimulatedCamera.sensorControls)

  @Test("A value turns its automatic mode off first, and an automatic mode comes last")
  func order() throws {
    #expect(
      try webcam.written("focus=120", "exposure=1/50s", "white-balance=5200K", "gain=40", "zoom=2x")
        == [
          "white_balance_automatic 0", "auto_exposure 1", "focus_automatic_continuous 0", "gain 40",
          "white_balance_temperature 5200", "exposure_time_absolute 200", "focus_absolute 120",
          "zoom_absolute 200",
        ])
    #expect(
      try webcam.written("exposure=auto", "brightness=5", "focus=auto")
        == ["brightness 5", "auto_exposure 3", "focus_automatic_continuous 1"])
  }

  @Test("Values are rounded to the device's steps and units")
  func rounding() throws {
    #expect(
      try webcam.written("exposure=1/60s") == ["auto_exposure 1", "exposure_time_absolute 167"])
    #expect(
      try webcam.written("white-balance=5204K")
        == ["white_balance_automatic 0", "white_balance_temperature 5200"])
    // 0 % is nearest, which is V4L2's largest value.
    #expect(try webcam.written("focus=0%").last == "focus_absolute 250")
    #expect(try webcam.written("focus=100%").last == "focus_absolute 0")
    #expect(try webcam.written("focus=49%").last == "focus_absolute 130")
    // The middle of a logarithmic scale from 1 to 5 is √5.
    #expect(try webcam.written("zoom=50%") == ["zoom_absolute 224"])
    #expect(try sensor.written("zoom=50%") == ["zoom_absolute 50"])
    #expect(try sensor.written("ev=0.3") == ["auto_exposure_bias 4"])
    #expect(try sensor.written("ev=-2.0") == ["auto_exposure_bias 0"])
    #expect(try sensor.written("iso=250") == ["iso_sensitivity_auto 0", "iso_sensitivity 1"])
  }

  @Test(
    "A lock keeps what was found: by the driver's lock, or with the automatic mode off and the value set again"
  )
  func locks() throws {
    #expect(try sensor.written("exposure=locked", "white-balance=locked") == ["3a_lock 3"])
    #expect(try sensor.written("focus=locked") == ["3a_lock 7"])
    // An automatic mode that is set again, or a value, opens its lock and no other.
    #expect(try sensor.written("exposure=auto") == ["auto_exposure 0", "3a_lock 6"])
    #expect(try sensor.written("exposure=10ms") == ["auto_exposure 1", "exposure_time_absolute 100"])

    webcam.drift(ControlID.exposureTime, to: 333)
    // The manual value equals what was found: only the mode is switched.
    #expect(try webcam.written("exposure=locked") == ["auto_exposure 1"])
    #expect(webcam.values[ControlID.exposureTime] == 333)
    #expect(try webcam.written("focus=locked") == ["focus_automatic_continuous 0"])
  }

  @Test("Focusing once ends continuous focus")
  func once() throws {
    #expect(try sensor.written("focus=once") == ["focus_automatic_continuous 0", "auto_focus_start 1"])
    #expect(webcam.refusal("focus=once") == "Cam has no way to focus once; use auto, then locked.")
  }

  @Test("Any control is set by its key, its name or its number, and a menu by its entries")
  func keys() throws {
    #expect(try webcam.written("brightness=-12", "0x980913=3") == ["brightness -12", "gain 3"])
    #expect(try webcam.written("power_line_frequency=50 hz") == ["power_line_frequency 1"])
    #expect(try webcam.written("power-line-frequency=2") == ["power_line_frequency 2"])
    #expect(try webcam.written("focus_automatic_continuous=off") == ["focus_automatic_continuous 0"])
    #expect(try sensor.written("auto_focus_start=1") == ["auto_focus_start 1"])
  }

  @Test(
    "What a device lacks, and what is out of range, is one sentence with the remedy, and nothing is written")
  func refusals() {
    let expected = [
      ("brightnes=3", "Cam has no control “brightnes”; did you mean “brightness”? In all, it has "),
      (
        "iso=200",
        "Cam has no iso control; it has focus, exposure, gain, white-balance, zoom, power-line, "
          + "brightness, white_balance_automatic, power_line_frequency, "
      ),
      ("ev=1", "Cam has no ev control; it has "),
      ("zoom=6x", "The zoom of Cam cannot be 6×; choose 1…5×."),
      ("zoom=99", "Zoom, Absolute of Cam cannot be 99; choose 100…500."),
      ("exposure=2s", "The exposure time of Cam cannot be 2 s; choose 0.0001…1 s."),
      ("gain=101", "Gain of Cam cannot be 101; choose 0…100."),
      ("gain=auto", "Cam has no automatic gain; set a number."),
      (
        "white-balance=9000K",
        "White Balance Temperature of Cam cannot be 9000; choose 2800…6500 in steps of 10."
      ),
      ("power-line=auto", "power-line of Cam cannot be auto; choose off, 50Hz, 60Hz."),
      ("brightness=bright", "brightness of Cam cannot be “bright”; give a whole number from -64 to 64."),
      ("white_balance_automatic=2", "White Balance, Automatic of Cam cannot be 2; choose 0…1."),
      (
        "focus_absolute=50",
        "Focus, Absolute of Cam has no effect while it is set automatically; turn off Focus, Automatic Continuous first."
      ),
    ]
    for (text, sentence) in expected {
      let refusal = webcam.refusal(text)
      #expect(refusal.hasPrefix(sentence), "\(text): \(refusal)")
    }
    #expect(
      sensor.refusal("zoom=2x")
        == "Cam has no zoom in factors, only 0…100 in a unit of its own; give a number of those or a percentage."
    )
    #expect(sensor.refusal("ev=3") == "Auto Exposure, Bias of Cam cannot be 3 EV; choose -2…2 EV.")
    #expect(
      sensor.refusal("white-balance=4000K")
        == "Cam has no white balance in kelvin; use auto, locked, or the driver's own keys.")
    #expect(webcam.writes.isEmpty && sensor.writes.isEmpty)
  }

  @Test("Settings that contradict each other are refused")
  func contradictions() {
    #expect(
      webcam.refusal("focus=auto", "focus=12") == "focus of Cam is set twice; give it one value.")
    #expect(
      webcam.refusal("exposure=auto", "auto_exposure=1")
        == "Two settings want different values of Auto Exposure of Cam; give one of them.")
    #expect(
      webcam.refusal("focus=auto", "focus_absolute=50").hasPrefix(
        "Focus, Absolute of Cam has no effect while"))
    #expect(webcam.refusal("gain=101", "zoom=2x", "focus=120") != "accepted")
    #expect(webcam.writes.isEmpty)
  }

  @Test("A device without controls says so")
  func none() {
    let empty = SimulatedCamera([])
    #expect(empty.refusal("focus=12") == "Cam has no focus control; it has no controls at all.")
    #expect(empty.refusal("brightness=12") == "Cam has no controls.")
  }
}
