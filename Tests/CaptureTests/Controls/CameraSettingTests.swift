import FrameCore
import Testing

@testable import Capture

@Suite("Settings as text")
struct CameraSettingTests {
  private func refusal(_ text: String) -> String {
    do { return "\(try CameraSetting(parsing: text))" } catch { return "\(error)" }
  }

  @Test("Keys, numbers and units are read")
  func accepted() throws {
    let expected: [(String, CameraSetting)] = [
      ("focus=120", .focus(.manual(position: 120))), ("focus=auto", .focus(.automatic)),
      ("focus=continuous", .focus(.automatic)), ("focus=once", .focus(.once)),
      ("focus=LOCKED", .focus(.locked)), ("focus=50%", .focus(.lensPosition(0.5))),
      ("exposure=1/60s", .exposure(.manual(seconds: 1.0 / 60))),
      ("exposure=8ms", .exposure(.manual(seconds: 0.008))), ("exposure=2s", .exposure(.manual(seconds: 2))),
      ("exposure=500us", .exposure(.manual(seconds: 0.0005))), ("exposure=auto", .exposure(.automatic)),
      ("exposure=locked", .exposure(.locked)), ("ev=-1/3", .exposureBias(stops: -1.0 / 3)),
      ("ev=+0.7EV", .exposureBias(stops: 0.7)), ("gain=40", .gain(.manual(40))),
      ("gain=auto", .gain(.automatic)),
      ("iso=400", .iso(.manual(400))), ("iso=auto", .iso(.automatic)),
      ("white-balance=4600K", .whiteBalance(.manual(kelvin: 4600))),
      ("white-balance=locked", .whiteBalance(.locked)), ("zoom=2.5x", .zoom(.factor(2.5))),
      ("zoom=25%", .zoom(.position(0.25))), ("zoom=250", .zoom(.manual(250))),
      ("power-line=50Hz", .powerLineFrequency(.hertz50)), ("power-line=60", .powerLineFrequency(.hertz60)),
      ("power-line=off", .powerLineFrequency(.off)), ("power-line=auto", .powerLineFrequency(.automatic)),
      ("focus-point=0.5,1/4", .focusPoint(.point(x: 0.5, y: 0.25))),
      ("focus-point=auto", .focusPoint(.automatic)),
      ("exposure-point=0,0,0.5,1", .exposurePoint(.region(x: 0, y: 0, width: 0.5, height: 1))),
      ("brightness=-12", .control(key: "brightness", value: "-12")),
      ("test_pattern=a=b", .control(key: "test_pattern", value: "a=b")),
    ]
    for (text, setting) in expected { #expect(try CameraSetting(parsing: text) == setting, "\(text)") }
  }

  @Test("What is no setting says how one is written")
  func malformed() {
    for text in ["", "focus", "=120", "focus=", "="] {
      #expect(refusal(text) == "“\(text)” is not a setting; write KEY=VALUE, such as focus=120.")
    }
  }

  @Test("A value that a key cannot have says which it can have")
  func values() {
    #expect(
      refusal("exposure=120")
        == "“120” is not a value of exposure; give auto, locked or a time with its unit, such as 1/60s, 8ms or 500us."
    )
    for text in [
      "focus=near", "focus=1.5", "focus=101%", "focus=nan", "exposure=-1s", "exposure=0s", "exposure=1/0s",
      "exposure=1/2/3s", "exposure=s", "ev=bright", "ev=1e5", "gain=1.5", "iso=0", "iso=-100",
      "white-balance=warm", "white-balance=4600.5K", "zoom=0x", "zoom=-2x", "zoom=inf", "power-line=55Hz",
      "exposure=1/x", "zoom=99999999999999999999",
    ] {
      #expect(refusal(text).contains("is not a value of"), "\(text): \(refusal(text))")
    }
  }
}
