import FrameCore
import Testing

@testable import Capture

@Suite("Choosing a device's format")
struct FormatChoiceTests {
  private static func size(_ width: Int, _ height: Int, _ rates: UInt32...) -> DeviceFrameSize {
    DeviceFrameSize(
      .one(PixelSize(width: width, height: height)), intervals: rates.map { .one(.init(1, $0)) })
  }

  /// As most USB webcams: uncompressed up to what USB 2 carries, JPEG for the rest.
  private static let webcam = [
    DeviceFormat(
      fourCC: FourCC("MJPG"), name: "Motion-JPEG", encoding: .mjpeg,
      sizes: [size(1920, 1080, 30), size(1280, 720, 60, 30), size(640, 480, 30)]),
    DeviceFormat(
      fourCC: FourCC("YUYV"), name: "YUYV 4:2:2", encoding: .raw(.yuyv422),
      sizes: [size(1920, 1080, 5), size(1280, 720, 10), size(640, 480, 30, 15), size(320, 240, 30)]),
    DeviceFormat(fourCC: FourCC("H264"), name: "H.264", encoding: nil, sizes: [size(1920, 1080, 30)]),
  ]

  private func choose(
    _ width: Int?, _ height: Int? = nil, rate: Double? = nil, _ encoding: CaptureEncoding? = nil,
    from formats: [DeviceFormat] = webcam
  ) throws -> String {
    var request = StreamRequest(framesPerSecond: rate, encoding: encoding)
    if let width, let height { request.size = PixelSize(width: width, height: height) }
    let choice = try FormatChoice.choose(request, from: formats, device: "Cam")
    let frames = choice.interval.map { " \($0.numerator)/\($0.denominator)" } ?? ""
    return "\(choice.pixelFormat.fourCC) \(choice.size)\(frames)"
  }

  private func refusal(_ body: () throws -> String) -> String {
    do {
      return "chose \(try body())"
    } catch let failure as CaptureFailure {
      return "\(failure.reason.rawValue): \(failure)"
    } catch {
      return "\(error)"
    }
  }

  @Test("Uncompressed where it reaches the rate, JPEG where only that does")
  func encodings() throws {
    #expect(try choose(640, 480) == "YUYV 640×480 1/30")
    #expect(try choose(1280, 720) == "MJPG 1280×720 1/30")
    #expect(try choose(1280, 720, rate: 10) == "YUYV 1280×720 1/10")
    #expect(try choose(1280, 720, rate: 60) == "MJPG 1280×720 1/60")
    #expect(try choose(1920, 1080, rate: 60) == "MJPG 1920×1080 1/30")
    #expect(try choose(1920, 1080, rate: nil, .raw(.yuyv422)) == "YUYV 1920×1080 1/5")
  }

  @Test("Without a wish: 720p, or what is nearest to it, at 30 frames a second")
  func defaults() throws {
    #expect(try choose(nil) == "MJPG 1280×720 1/30")
    #expect(try choose(nil, from: [Self.webcam[1]]) == "YUYV 1280×720 1/10")
    #expect(try choose(nil, nil, .mjpeg) == "MJPG 1280×720 1/30")
  }

  @Test("A size that is not there is refused, and the nearest one is named")
  func nearest() {
    #expect(
      refusal { try choose(1300, 700) }
        == "unsupported: Cam does not deliver pictures of 1300×700; ask for the nearest, 1280×720 at 30 frames a second."
    )
    #expect(
      refusal { try choose(320, 240, .mjpeg) }
        == "unsupported: Cam does not deliver pictures of 320×240 as mjpeg; ask for the nearest, 640×480 at 30 frames a "
        + "second, or for 320×240 as yuyv422.")
  }

  @Test("An encoding that is not there is refused, and those that are there are named")
  func missingEncoding() {
    #expect(
      refusal { try choose(640, 480, .raw(.nv12)) }
        == "unsupported: Cam does not deliver nv12; ask for mjpeg or yuyv422.")
  }

  @Test("A device without a readable format says which it has")
  func unreadable() {
    #expect(
      refusal { try choose(640, 480, from: [Self.webcam[2]]) }
        == "unsupported: Cam offers only pixel formats that cannot be read (H264); choose another device.")
    #expect(
      refusal { try choose(640, 480, from: []) }
        == "unsupported: Cam offers no pixel formats; choose another device.")
  }

  @Test("A format that has to be converted is taken if it is asked for, or if there is no other")
  func converted() throws {
    let swapped = DeviceFormat(
      fourCC: FourCC("YVYU"), name: "YVYU 4:2:2", encoding: .converted(FourCC("YVYU")),
      sizes: [Self.size(1280, 720, 30), Self.size(641, 480, 30), Self.size(640, 480, 60)])
    #expect(try choose(1280, 720, rate: 30, from: [swapped, Self.webcam[1]]) == "YUYV 1280×720 1/10")
    #expect(
      try choose(1280, 720, rate: 30, .converted(FourCC("YVYU")), from: [swapped, Self.webcam[1]])
        == "YVYU 1280×720 1/30")
    #expect(try choose(640, 480, from: [swapped, Self.webcam[2]]) == "YVYU 640×480 1/60")
    #expect(
      refusal { try choose(641, 480, from: [swapped]) }
        == "unsupported: Cam does not deliver pictures of 641×480; ask for the nearest, 640×480 at 60 frames a second.",
      "odd sizes are not converted")
    #expect(
      refusal { try choose(640, 480, .converted(FourCC("NV61")), from: [swapped, Self.webcam[1]]) }
        == "unsupported: Cam does not deliver NV61; ask for yuyv422.")
  }

  @Test("A mosaic is taken if it is asked for, the deepest first, or if there is no finished picture")
  func mosaics() throws {
    func mosaic(_ code: StaticString, _ format: BayerFormat) -> DeviceFormat {
      DeviceFormat(
        fourCC: FourCC(code), name: "Bayer", encoding: .bayer(format),
        sizes: [Self.size(1920, 1080, 30), Self.size(641, 479, 30)])
    }
    let (eight, ten) = (
      mosaic("BA81", BayerFormat(.bggr, .bits8)), mosaic("pRAA", BayerFormat(.rggb, .bits10Packed))
    )
    let camera = [eight, ten] + Self.webcam
    #expect(try choose(1920, 1080, from: camera) == "MJPG 1920×1080 1/30")
    #expect(try choose(1920, 1080, .bayer(nil), from: camera) == "pRAA 1920×1080 1/30")
    #expect(try choose(1920, 1080, .bayer(BayerFormat(.bggr, .bits8)), from: camera) == "BA81 1920×1080 1/30")
    #expect(try choose(641, 479, from: [eight, ten]) == "pRAA 641×479 1/30")
    let converted = DeviceFormat(
      fourCC: FourCC("NV61"), name: "NV61", encoding: .converted(FourCC("NV61")),
      sizes: [Self.size(1920, 1080, 60)])
    #expect(try choose(1920, 1080, rate: 60, from: [converted, eight]) == "BA81 1920×1080 1/30")
    #expect(
      refusal { try choose(1280, 720, .bayer(nil), from: Self.webcam) }
        == "unsupported: Cam does not deliver its sensor's mosaic (Bayer), only mjpeg and yuyv422; use another format, or another camera."
    )
    #expect(
      refusal { try choose(1280, 720, .bayer(BayerFormat(.bggr, .bits12)), from: camera) }
        == "unsupported: Cam does not deliver BG12; ask for mjpeg or yuyv422.")
    #expect(
      refusal { try choose(640, 480, .bayer(nil), from: camera) }
        == "unsupported: Cam does not deliver pictures of 640×480 as bayer; ask for the nearest, 641×479 at 30 frames a second, or for 640×480 as mjpeg."
    )
  }

  @Test("Sizes from a range keep to its steps, and rates from a range are met exactly")
  func ranges() throws {
    let range = DeviceFrameSize(
      .range(
        smallest: PixelSize(width: 160, height: 120), largest: PixelSize(width: 1928, height: 1080),
        step: PixelSize(width: 16, height: 8)),
      intervals: [.range(shortest: .init(1, 120), longest: .init(1, 1))])
    #expect(range.nearest(to: PixelSize(width: 641, height: 483)) == PixelSize(width: 640, height: 480))
    #expect(range.nearest(to: PixelSize(width: 1, height: 1)) == PixelSize(width: 160, height: 120))
    // 1928 is 110½ steps above 160: it is in the range, but no step reaches it.
    #expect(range.nearest(to: PixelSize(width: 9999, height: 9999)) == PixelSize(width: 1920, height: 1080))
    let formats = [DeviceFormat(fourCC: FourCC("NV12"), name: "", encoding: .raw(.nv12), sizes: [range])]
    #expect(try choose(640, 480, rate: 25, from: formats) == "NV12 640×480 1000/25000")
    #expect(try choose(640, 480, rate: 29.97, from: formats) == "NV12 640×480 1001/30000")
    #expect(try choose(640, 480, rate: 500, from: formats) == "NV12 640×480 1/120")
  }

  @Test("A device that enumerates no rates is taken at whatever rate it has")
  func noRates() throws {
    let formats = [
      DeviceFormat(
        fourCC: FourCC("UYVY"), name: "", encoding: .raw(.uyvy422),
        sizes: [DeviceFrameSize(.one(PixelSize(width: 720, height: 576)))])
    ]
    #expect(try choose(nil, from: formats) == "UYVY 720×576")
  }
}
