import Testing

@testable import Capture

@Suite("The exposures of a bracket")
struct ExposureBracketTests {
  @Test("Are numbers or fractions between commas, in the order given")
  func parsing() throws {
    #expect(try ExposureBracket(parsing: "-2,0,2").stops == [-2, 0, 2])
    #expect(try ExposureBracket(parsing: "0,+1/2,-1/2").stops == [0, 0.5, -0.5])
    #expect(try ExposureBracket(parsing: "-5,5").stops == [-5, 5])
  }

  @Test(
    "Are refused with what would be right",
    arguments: [
      ("", "“” is not an exposure"), ("-2,,2", "“” is not an exposure"), ("a,b", "“a” is not an exposure"),
      ("1/0,2", "“1/0” is not"), ("nan,1", "“nan” is not"), ("0x1,2", "“0x1” is not"),
      ("1/2/3,0", "“1/2/3” is not"),
      ("2", "A bracket of 1 exposure was"), ("0,1,2,3,4,5,-1,-2,-3,-4", "A bracket of 10 exposures"),
      ("-6,0", "-6 EV"), ("0,5.1", "5.1 EV"), ("0,1,0", "0 EV is twice"), ("-2 ,0", "“-2 ” is not"),
    ])
  func refusals(text: String, part: String) {
    do {
      _ = try ExposureBracket(parsing: text)
      Issue.record("\(text) was accepted")
    } catch {
      #expect("\(error)".contains(part))
    }
  }
}

@Suite("What a bracket means for a camera")
struct BracketPlanTests {
  private func plan(_ controls: [DeviceControl], _ stops: [Double]) throws -> BracketPlan {
    try BracketPlan(ExposureBracket(stops), for: ControlSet(SimulatedCamera(controls)), device: "Cam")
  }

  private func refusal(_ controls: [DeviceControl], _ stops: [Double]) -> String {
    do {
      _ = try plan(controls, stops)
      return "accepted"
    } catch { return "\(error)" }
  }

  /// A camera with automatic exposure, and nothing else of it but `control`.
  private func automatic(_ control: DeviceControl) -> [DeviceControl] {
    [SimulatedCamera.menu(ControlID.autoExposure, "Auto Exposure", [(0, "Auto Mode")], value: 0), control]
  }

  private let bias = SimulatedCamera.menu(
    ControlID.exposureBias, "Auto Exposure, Bias",
    [(0, "-2000"), (1, "-1000"), (2, "0"), (3, "1000"), (4, "2000")],
    value: 2, kind: .integerMenu)

  @Test("Each stop doubles the exposure time, from the one that automatic exposure has found")
  func time() throws {
    let plan = try plan(SimulatedCamera.webcamControls, [-2, 0, 2])
    #expect(plan.means == .exposureTime)
    #expect(plan.steps.map(\.seconds) == [0.0039, 0.0156, 0.0624])
    #expect(plan.steps.map(\.stops) == [-2, 0, 2])
    #expect(plan.steps[0].settings == [.exposure(.manual(seconds: 0.0039)), .gain(.locked)])
  }

  @Test("Rounding to the camera's steps is told, and too much of it refused")
  func rounding() throws {
    var controls = SimulatedCamera.webcamControls
    controls[1].value = 3
    #expect(abs(try plan(controls, [-1, 0]).steps[0].stops + 0.585) < 0.001)
    #expect(
      refusal(controls, [-3, 0])
        == "Cam cannot expose −3 EV by its exposure time (0.0003 s now, 0.0001…1 s); choose exposures from "
        + "−1.5 EV to +11.7 EV.")
  }

  @Test("An exposure beyond the camera's range is refused with the range that is left")
  func range() {
    #expect(
      refusal(SimulatedCamera.sensorControls, [0, 3])
        == "Cam cannot expose +3 EV by its exposure time (0.01 s now, 0.0001…0.033 s); choose exposures from "
        + "−6.6 EV to +1.7 EV.")
  }

  @Test("Without an exposure time, automatic exposure is biased, from its present bias")
  func exposureBias() throws {
    let plan = try plan(automatic(bias), [-1, 0, 1])
    #expect(plan.means == .exposureBias)
    #expect(plan.steps.map(\.settings) == [-1, 0, 1].map { [.exposureBias(stops: $0)] })
    var biased = bias
    biased.value = 3
    #expect(
      try self.plan(automatic(biased), [-2, 1]).steps.map(\.settings)
        == [-1, 2].map { [.exposureBias(stops: $0)] })
    #expect(refusal(automatic(biased), [-2, 2]).contains("from −3 EV to +1 EV"))
  }

  @Test("A camera with neither has a gain, which is doubled for each stop")
  func gain() throws {
    let gain = SimulatedCamera.integer(ControlID.gain, "Gain", 0...255, value: 100)
    let plan = try plan([gain], [-2, 1])
    #expect(plan.means == .gain)
    #expect(plan.steps.map(\.settings) == [[.gain(.manual(25))], [.gain(.manual(200))]])
    #expect(refusal([gain], [-2, 2]).contains("(100 now, 0…255)"))
    // Automatic exposure, which nothing holds, would make up for it.
    #expect(refusal(automatic(gain), [-1, 1]).contains("no exposure time, exposure bias or gain"))
  }

  @Test("A camera without any of them, or with one that can only be read, says so")
  func nothing() {
    let sentence =
      "Cam has no exposure time, exposure bias or gain that can be set for a bracket; use another camera, or take a "
      + "photo without a bracket."
    #expect(refusal([], [-1, 1]) == sentence)
    var time = SimulatedCamera.integer(ControlID.exposureTime, "Exposure Time, Absolute", 1...100, value: 10)
    time.isReadOnly = true
    #expect(refusal([time], [-1, 1]) == sentence)
  }
}
