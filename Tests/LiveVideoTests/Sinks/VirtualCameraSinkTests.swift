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

  @Test("take 4:2:0 of a 4:2:0 source, and YUYV of all others, unless told otherwise")
  func pictures() {
    let sink = VirtualCameraSink(path: "/dev/video9")
    for format in PixelFormat.allCases {
      let isHalved = [.i420, .nv12, .nv21].contains(format)
      #expect(sink.pictures(of: format) == .planes(isHalved ? .i420 : .yuyv422), "\(format)")
    }
    let other = VirtualCameraSink(path: "/dev/video9", format: .yuyv422)
    #expect(other.pictures(of: .i420) == .planes(.yuyv422))
  }
}
