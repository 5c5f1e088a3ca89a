import Capture
import FrameCore
import Testing

extension CameraTests {
  @Suite("What vivid's cameras say about themselves", .driver(.vivid))
  struct VividDiscovery {
    @Test("The three cameras are listed, each with an id of its own")
    func cameras() throws {
      let cameras = CaptureDevice.cameras()
      #expect(cameras.count == 3)
      #expect(Set(cameras.map(\.id)).count == 3)
      #expect(cameras.allSatisfy { $0.driver == "vivid" && $0.name == "vivid" && $0.failure == nil })
      #expect(Set(cameras.map(\.bus)) == ["platform:vivid-000", "platform:vivid-001", "platform:vivid-002"])
      #expect(cameras.map(\.path) == cameras.map(\.path).sorted())
    }

    @Test("Formats, sizes and rates are those that v4l2-ctl lists")
    func formats() throws {
      let node = try VividCamera.webcam.node
      let formats = try CaptureDevice.camera(node).formats()
      // Lines such as `[0]: 'YUYV' (YUYV 4:2:2, …)`.
      let listed = try Shell.run("v4l2-ctl -d \(node) --list-formats").split(separator: "\n")
        .filter { $0.contains("]: '") }
        .map { line in line.split(separator: "'")[1].filter { $0 != " " } }
      #expect(formats.map { $0.fourCC.description.filter { $0 != " " } } == listed)

      let yuyv = try #require(formats.first { $0.encoding == .raw(.yuyv422) })
      // The kernel's vivid-vid-cap.c, webcam_sizes.
      let sizes = [(320, 180), (640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)]
      let expected = sizes.map { PixelSize(width: $0.0, height: $0.1) }
      #expect(yuyv.sizes.map(\.largest) == expected.filter { yuyv.sizes.map(\.largest).contains($0) })
      #expect(yuyv.sizes.count >= 5)
      let vga = try #require(yuyv.sizes.first { $0.largest == PixelSize(width: 640, height: 480) })
      let rates = try Shell.run(
        "v4l2-ctl -d \(node) --list-frameintervals width=640,height=480,pixelformat=YUYV"
      ).split(separator: "(").compactMap { Double($0.prefix { $0 != " " }) }
      #expect(!rates.isEmpty)
      #expect(vga.intervals.map(\.framesPerSecond) == rates)
    }

    @Test("Controls have the ranges, menus and flags of the driver")
    func controls() throws {
      let controls = try CaptureDevice.camera(try VividCamera.webcam.node).controls()
      // The kernel's vivid-ctrls.c, and what v4l2-ctl -L prints.
      let hue = try #require(controls.first { $0.id == ControlID.hue })
      #expect(hue.kind == .integer)
      #expect([hue.minimum, hue.maximum, hue.step, hue.defaultValue] == [-128, 128, 1, 0])
      let gain = try #require(controls.first { $0.id == ControlID.gain })
      #expect(gain.isInactive && gain.isVolatile)
      let pattern = try #require(controls.first { $0.key == "test_pattern" })
      #expect(pattern.kind == .menu)
      #expect(pattern.menu.prefix(2).map(\.name) == ["75% Colorbar", "100% Colorbar"])
      let menu = try #require(controls.first { $0.key == "menu" })
      #expect(menu.menu.map(\.value) == [1, 3, 4])
      let readOnly = try #require(controls.first { $0.key == "read_only_integer_32_bits" })
      #expect(readOnly.isReadOnly)
    }

    @Test("A control that is set has its value in the driver")
    func setting() throws {
      let camera = try CaptureDevice.camera(try VividCamera.webcam.node)
      _ = try camera.configure { try $0.set(ControlID.brightness, to: 100) }
      #expect(try VividCamera.webcam.value(of: "brightness") == 100)
      _ = try camera.configure { try $0.set(ControlID.brightness, to: 128) }
      #expect(throws: SafelightError.self) {
        _ = try camera.configure { try $0.set(ControlID.brightness, to: 256) }
      }
      #expect(try VividCamera.webcam.value(of: "brightness") == 128)
    }
  }
}
