import LibraryTestSupport
import Safelight
import Testing
import Libc

@Suite("Virtual cameras")
struct VirtualCameraSinkTests {
  @Test(
    "that are not there, or are no video devices, are refused with a sentence",
    arguments: ["/dev/video987", "/dev/null"])
  func refusals(path: String) throws {
    let sink = VirtualCameraSink(path: path)
    #expect(sink.name == "virtual:\(path)")
    #expect {
      try sink.open(SinkFormat(size: PixelSize(width: 64, height: 48), framesPerSecond: 30))
    } throws: {
      $0 is SafelightError && "\($0)".contains(path)
    }
    #expect(sink.announcement == nil)
    sink.close()
  }

  @Test("take the source's samples where a format for them is read everywhere, and RGB else")
  func pictures() {
    let sink = VirtualCameraSink(path: "/dev/video9")
    for format in PixelFormat.allCases {
      let isTaken = !format.isRGBA && format != .i444
      #expect(sink.pictures(of: format) == (isTaken ? .samples : .video), "\(format)")
    }
    #expect(VirtualCameraSink(path: "/dev/video9", format: .yuyv422).pictures(of: .i420) == .video)
  }
}
