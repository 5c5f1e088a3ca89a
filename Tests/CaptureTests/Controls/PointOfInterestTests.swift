import FrameCore
import Testing

@testable import Capture

@Suite("Points of interest")
struct PointOfInterestTests {
  /// A sensor of 1920×1080 whose smallest region is 64×64.
  private static func camera(modes: Int64 = 0b1001, set: Int64 = 0) -> SimulatedCamera {
    func packed(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Int64 {
      ControlRectangle(left: left, top: top, width: width, height: height).packed ?? 0
    }
    return SimulatedCamera(
      SimulatedCamera.webcamControls + [
        DeviceControl(
          id: ControlID.regionOfInterest, name: "Region of Interest Rectangle", kind: .rectangle,
          minimum: packed(0, 0, 64, 64), maximum: packed(0, 0, 1920, 1080), step: 0, defaultValue: 0,
          value: packed(0, 0, 1920, 1080)),
        DeviceControl(
          id: ControlID.regionOfInterestModes, name: "Region of Interest Auto Ctrls", kind: .bitmask,
          minimum: 0,
          maximum: modes, step: 0, defaultValue: 0, value: set),
      ])
  }

  private func region(_ camera: SimulatedCamera) -> ControlRectangle? {
    camera.values[ControlID.regionOfInterest].map(ControlRectangle.init(packed:))
  }

  @Test("The numbers are those of the kernel’s headers")
  func numbers() {
    // <linux/v4l2-controls.h>: V4L2_CID_USER_UVC_BASE is V4L2_CID_USER_BASE + 0x11e0; <linux/uvcvideo.h>: + 1, + 2.
    #expect(ControlID.regionOfInterest == 0x0098_1AE1)
    #expect(ControlID.regionOfInterestModes == 0x0098_1AE2)
  }

  @Test("Rectangles are packed without loss")
  func packing() {
    for rectangle in [
      ControlRectangle(left: 0, top: 0, width: 0, height: 0),
      ControlRectangle(left: 65535, top: 1, width: 40000, height: 65535),
    ] {
      #expect(rectangle.packed.map(ControlRectangle.init(packed:)) == rectangle)
    }
    #expect(ControlRectangle(left: -1, top: 0, width: 1, height: 1).packed == nil)
    #expect(ControlRectangle(left: 0, top: 65536, width: 1, height: 1).packed == nil)
  }

  @Test("A point is the middle of a fifth of the picture, inside it, for its automatic mode")
  func point() throws {
    let camera = Self.camera()
    _ = try camera.written("focus-point=0.5,0.4")
    #expect(region(camera) == ControlRectangle(left: 768, top: 324, width: 384, height: 216))
    #expect(camera.values[ControlID.regionOfInterestModes] == 8)
    #expect(try ControlSet(camera).text(.focusPoint) == "0.5,0.4")
    #expect(try ControlSet(camera).text(.exposurePoint) == "auto")
    _ = try camera.written("exposure-point=1,1")
    #expect(region(camera) == ControlRectangle(left: 1536, top: 864, width: 384, height: 216))
    #expect(camera.values[ControlID.regionOfInterestModes] == 9)
    _ = try camera.written("focus-point=auto")
    #expect(camera.values[ControlID.regionOfInterestModes] == 1)
  }

  @Test("A region has its own size, but not less than the camera’s smallest")
  func regions() throws {
    let camera = Self.camera()
    _ = try camera.written("exposure-point=0.25,0.5,0.5,0.25")
    #expect(region(camera) == ControlRectangle(left: 480, top: 540, width: 960, height: 270))
    _ = try camera.written("exposure-point=0.99,0.99,0.01,0.01")
    #expect(region(camera) == ControlRectangle(left: 1856, top: 1016, width: 64, height: 64))
  }

  @Test("Both may have one point, and not two")
  func both() throws {
    let camera = Self.camera()
    #expect(
      camera.refusal("focus-point=0.5,0.5", "exposure-point=0.2,0.5")
        == "Cam has one point of interest for focus and exposure, and two were given; give both settings the same one."
    )
    #expect(camera.writes.isEmpty)
    _ = try camera.written("focus-point=0.5,0.5", "exposure-point=0.5,0.5")
    #expect(camera.values[ControlID.regionOfInterestModes] == 9)
  }

  @Test("What lies outside the picture, or is no point, is refused")
  func refusals() {
    let camera = Self.camera()
    for text in ["1.1,0", "0,-0.1", "0.5,0.5,0.6,0.1", "0,0,0,1"] {
      #expect(
        camera.refusal("focus-point=\(text)").hasPrefix("The focus-point lies outside the picture; "),
        "\(text)")
    }
    for text in ["0.5", "0.5,0.5,0.5", "a,b", "0.5,", "nan,0"] {
      #expect(camera.refusal("focus-point=\(text)").contains("is not a value of focus-point"), "\(text)")
    }
    #expect(
      camera.refusal("region_of_interest_rectangle=5")
        == "Region of Interest Rectangle of Cam is not a number; set focus-point or exposure-point.")
    #expect(camera.writes.isEmpty)
  }

  @Test("A camera or a kernel without them says so before anything is set")
  func missing() throws {
    let without = SimulatedCamera(SimulatedCamera.webcamControls)
    #expect(
      without.refusal("gain=3", "focus-point=0.5,0.5").hasPrefix(
        "Cam has no focus-point control; it has focus,"))
    #expect(without.writes.isEmpty)
    let exposureOnly = try ControlSet(Self.camera(modes: 1)).capabilities
    #expect(exposureOnly.first { $0.key == .focusPoint }?.isSupported == false)
    let point = exposureOnly.first { $0.key == .exposurePoint }
    #expect(point?.range == "auto, 0,0…1,1" && point?.value == "auto")
    #expect(try ControlSet(Self.camera()).knownNames.contains("focus-point"))
    #expect(try !ControlSet(Self.camera()).knownNames.contains("region_of_interest_rectangle"))
  }

  @Test(
    "A point in a picture that is seen turned is the same place in the one that is sent",
    arguments: Orientation.allCases)
  func seen(orientation: Orientation) {
    // Where the places of the sent picture are seen: mirrored first, then turned clockwise.
    func display(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      var (x, y) = (orientation.isMirrored ? 1 - x : x, y)
      for _ in 0..<orientation.quarterTurns { (x, y) = (1 - y, x) }
      return (x, y)
    }
    let seen = display(0.25, 0.125)
    #expect(
      PointOfInterestSetting.point(x: seen.x, y: seen.y).seen(with: orientation) == .point(x: 0.25, y: 0.125))
    let (a, b) = (display(0.25, 0.125), display(0.5, 0.75))
    let region = PointOfInterestSetting.region(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    #expect(region.seen(with: orientation) == .region(x: 0.25, y: 0.125, width: 0.25, height: 0.625))
    #expect(PointOfInterestSetting.automatic.seen(with: orientation) == .automatic)
  }
}
