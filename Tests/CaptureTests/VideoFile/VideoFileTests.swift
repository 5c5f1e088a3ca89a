import Capture
import FrameCore
import TestSupport
import Testing

@Suite("Video files", .installed(.ffmpeg, .ffprobe))
struct VideoFileTests {
  private func open(_ path: String, paced: Bool = false, loops: Bool = false) throws -> any FrameStream {
    try VideoFileInput(path: path, paced: paced, loops: loops).openStream(StreamRequest())
  }

  /// A format by our name and FFmpeg's, with a codec and container that keep every sample.
  struct Lossless: Sendable, CustomTestStringConvertible {
    let format: PixelFormat
    let name: String
    let codec: String
    let container: String
    var testDescription: String { "\(name) in \(container)" }
  }

  static let lossless = [
    Lossless(format: .i420, name: "yuv420p", codec: "ffv1", container: "mkv"),
    Lossless(format: .i422, name: "yuv422p", codec: "ffv1", container: "mkv"),
    Lossless(format: .i444, name: "yuv444p", codec: "ffv1", container: "avi"),
    Lossless(format: .gray8, name: "gray", codec: "ffv1", container: "mkv"),
    Lossless(format: .nv12, name: "nv12", codec: "rawvideo", container: "nut"),
    Lossless(format: .nv21, name: "nv21", codec: "rawvideo", container: "nut"),
    Lossless(format: .yuyv422, name: "yuyv422", codec: "rawvideo", container: "nut"),
    Lossless(format: .uyvy422, name: "uyvy422", codec: "rawvideo", container: "nut"),
    Lossless(format: .rgba8, name: "rgba", codec: "rawvideo", container: "nut"),
  ]

  @Test(
    "Samples are those that ffmpeg itself decodes, at even and odd sizes", arguments: lossless,
    ["64x48", "37x23"])
  func samples(_ shape: Lossless, size: String) throws {
    let scratch = try Scratch()
    let path = scratch("video.\(shape.container)")
    try FFmpegTool.make(
      path, source: "testsrc2=size=\(size):rate=25:duration=0.4",
      ["-pix_fmt", shape.name, "-c:v", shape.codec])
    let expected = try FFmpegTool.decode(path, format: shape.name)
    let stream = try open(path)
    #expect(stream.format.pixelFormat == shape.format)
    #expect(stream.format.framesPerSecond == 25)
    let frames = StreamRecord(stream).frames
    #expect(frames.count == 10)
    #expect(frames.map(\.sequence) == Array(0..<10))
    #expect(frames.flatMap(\.bytes) == expected)
  }

  @Test(
    "Compressed video is decoded to the samples that ffmpeg decodes",
    arguments: [("mpeg4", "mp4"), ("mjpeg", "avi"), ("mpeg2video", "ts"), ("libx264", "mp4")])
  func compressed(codec: String, container: String) throws {
    let scratch = try Scratch()
    let path = scratch("video.\(container)")
    try FFmpegTool.make(
      path, source: "testsrc2=size=160x96:rate=25:duration=1",
      ["-pix_fmt", codec == "mjpeg" ? "yuvj420p" : "yuv420p", "-c:v", codec, "-g", "10"])
    let expected = try FFmpegTool.decode(path, format: codec == "mjpeg" ? "yuvj420p" : "yuv420p")
    let stream = try open(path)
    #expect(stream.format.tags.range == (codec == "mjpeg" ? .full : .limited))
    let frames = StreamRecord(stream).frames
    #expect(frames.count == 25)
    #expect(frames.flatMap(\.bytes) == expected)
  }

  @Test("SMPTE's bars have the luma and colour differences that Rec. 601 gives their colours")
  func bars() throws {
    let scratch = try Scratch()
    let path = scratch("bars.mkv")
    try FFmpegTool.make(
      path, source: "smptebars=size=70x60:rate=25:duration=0.04", ["-pix_fmt", "yuv444p", "-c:v", "ffv1"])
    let frame = try #require(StreamRecord(try open(path)).frames.first)
    // SMPTE EG 1: white, yellow, cyan, green, magenta, red, blue at 75 %.
    let colors: [(r: Double, g: Double, b: Double)] = [
      (0.75, 0.75, 0.75), (0.75, 0.75, 0), (0, 0.75, 0.75), (0, 0.75, 0), (0.75, 0, 0.75), (0.75, 0, 0),
      (0, 0, 0.75),
    ]
    for (index, color) in colors.enumerated() {
      // ITU-R BT.601-7, limited range.
      let y: Double = 0.299 * color.r + 0.587 * color.g + 0.114 * color.b
      let blue: Double = (color.b - y) / 1.772
      let red: Double = (color.r - y) / 1.402
      for (plane, expected) in [16 + 219 * y, 128 + 224 * blue, 128 + 224 * red].enumerated() {
        let row = plane * 60 + 10
        let sample = Double(frame.bytes[row * 70 + index * 10 + 5])
        #expect(abs(sample - expected) <= 1, "bar \(index), plane \(plane)")
      }
    }
  }

  @Test("Colour tags are the stream's own, and what it leaves open stays unspecified")
  func tags() throws {
    let scratch = try Scratch()
    let source = "testsrc2=size=64x48:rate=25:duration=0.2"
    try FFmpegTool.make(
      scratch("tagged.mp4"), source: source,
      [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-color_primaries", "bt2020", "-color_trc", "bt709",
        "-colorspace", "bt2020nc", "-color_range", "pc",
      ])
    #expect(
      try open(scratch("tagged.mp4")).format.tags
        == ColorTags(
          primaries: .bt2020, transfer: .bt709, matrix: .bt2020NonConstant, range: .full, chromaSiting: .left)
    )
    try FFmpegTool.make(
      scratch("plain.mp4"), source: source, ["-pix_fmt", "yuv420p", "-c:v", "libx264"])
    #expect(
      try open(scratch("plain.mp4")).format.tags
        == ColorTags(
          primaries: .unspecified, transfer: .unspecified, matrix: .unspecified, range: .limited,
          chromaSiting: .left))
  }

  @Test("Tags that the engine does not know are noted")
  func unknownTags() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("log.mp4"), source: "testsrc2=size=64x48:rate=25:duration=0.2",
      ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-color_trc", "log"])
    let input = VideoFileInput(path: scratch("log.mp4"), paced: false)
    let stream = try input.openStream(StreamRequest())
    #expect(stream.format.tags.transfer == .unspecified)
    #expect(
      input.notes == [
        "The video's transfer function (code point 9 of H.273) is not supported and is treated as unspecified"
      ])
  }

  @Test(
    "Deep video becomes 8-bit, as ffmpeg converts it to within a code, and says so",
    arguments: [
      ("yuv420p10le", PixelFormat.i420, "yuv420p"), ("yuv422p10le", .i422, "yuv422p"),
      ("yuv444p12le", .i444, "yuv444p"), ("gray10le", .gray8, "gray"), ("bgr0", .rgba8, "rgba"),
    ])
  func converted(stored: String, format: PixelFormat, name: String) throws {
    let scratch = try Scratch()
    let path = scratch("deep.mkv")
    try FFmpegTool.make(
      path, source: "testsrc2=size=64x48:rate=25:duration=0.2", ["-pix_fmt", stored, "-c:v", "ffv1"])
    let expected = try FFmpegTool.decode(
      path, format: name, ["-vf", "scale=flags=bilinear+accurate_rnd:in_range=auto"])
    let input = VideoFileInput(path: path, paced: false)
    let stream = try input.openStream(StreamRequest())
    #expect(stream.format.pixelFormat == format)
    #expect(input.notes == ["The video's \(stored) is converted to 8-bit \(format.rawValue)"])
    let bytes = StreamRecord(stream).frames.flatMap(\.bytes)
    try #require(bytes.count == expected.count)
    #expect(zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test(
    "A phone's rotation is the frames' orientation, which applied gives what ffmpeg shows",
    arguments: [0, 90, 180, 270])
  func rotation(degrees: Int) throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("level.mp4"), source: "testsrc2=size=64x48:rate=25:duration=0.04",
      ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-qp", "0"])
    try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-i", scratch("level.mp4"), "-c", "copy", "-metadata:s:v", "rotate=\(degrees)"]
        + [scratch("turned.mp4")])
    let frame = try #require(StreamRecord(try open(scratch("turned.mp4"))).frames.first)
    #expect(frame.size == PixelSize(width: 64, height: 48))
    // Which way the option turns differs between versions of ffmpeg; what it then shows does not lie.
    #expect(frame.orientation.quarterTurns % 2 == degrees / 90 % 2)
    #expect((frame.orientation == .up) == (degrees == 0))
    let shown = try FFmpegTool.decode(scratch("turned.mp4"), format: "yuv420p")
    let size = frame.orientation.applied(to: frame.size)
    var different = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (column, row): (Int, Int) =
          switch frame.orientation {
          case .right: (y, 47 - x)
          case .down: (63 - x, 47 - y)
          case .left: (63 - y, x)
          default: (x, y)
          }
        if frame.bytes[row * 64 + column] != shown[y * size.width + x] { different += 1 }
      }
    }
    #expect(different == 0)
  }

  @Test("Times are the file's own, from the first frame on, at a variable rate too")
  func times() throws {
    let scratch = try Scratch()
    let path = scratch("variable.mkv")
    try FFmpegTool.make(
      path, source: "testsrc2=size=64x48:rate=25:duration=1",
      ["-vf", "setpts=(N+mod(N\\,3)*0.3+10)/25/TB", "-fps_mode", "passthrough", "-c:v", "ffv1"])
    let text = try ExternalProgram.ffprobe.run([
      "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path,
    ]).text
    let stamps: [Double] =
      text.split { (letter: Character) in letter == "," || letter == "\n" }.compactMap { Double($0) }
    try #require(stamps.count == 25)
    for paced in [false, true] {
      let frames = StreamRecord(try open(path, paced: paced)).frames
      try #require(frames.count == 25)
      for (frame, stamp) in zip(frames, stamps) {
        let error: Double = frame.time.seconds(since: frames[0].time) - (stamp - stamps[0])
        #expect(abs(error) < 1e-6)
      }
    }
  }

  @Test("A paced file gives no frame before its time")
  func pacing() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("video.mkv"), source: "testsrc2=size=64x48:rate=50:duration=0.3", ["-c:v", "ffv1"])
    let stream = try open(scratch("video.mkv"), paced: true)
    var count = 0
    while case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) {
      #expect(frame.time <= .now)
      count += 1
    }
    #expect(count == 15)
  }

  @Test("A looping file goes on: sequence and time rise by a frame where it starts again")
  func looping() throws {
    let scratch = try Scratch()
    for (name, codec) in [("video.mp4", "libx264"), ("video.mkv", "ffv1"), ("video.nut", "rawvideo")] {
      try FFmpegTool.make(
        scratch(name), source: "testsrc2=size=64x48:rate=25:duration=0.4",
        ["-c:v", codec, "-pix_fmt", "yuv420p"])
      let frames = StreamRecord(try open(scratch(name), loops: true), limit: 35).frames
      try #require(frames.count == 35, "\(name)")
      #expect(frames.map(\.sequence) == Array(0..<35))
      for (earlier, later) in zip(frames, frames.dropFirst()) {
        #expect(abs(later.time.seconds(since: earlier.time) - 0.04) < 0.0011, "\(name) \(later.sequence)")
      }
    }
  }

  @Test("What the consumer holds is not written over; a paced stream then runs out of buffers")
  func outOfBuffers() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("video.mkv"), source: "testsrc=size=64x48:rate=100:duration=0.2", ["-c:v", "ffv1"])
    let stream = try open(scratch("video.mkv"), paced: true)
    let all = try heldEvents(stream)
    let held = all.compactMap(\.frame)
    let drops = all.compactMap(\.drop)
    #expect(held.count + drops.count == 20)
    #expect(drops.count == 12)
    for drop in drops { #expect(drop.first.reason == .outOfBuffers && drop.count == 1) }
    let pictures = held.map { tightBytes($0.buffer) }
    #expect(Set(pictures).count == held.count)
  }

  @Test("Waking ends a wait at once, and closing ends the stream")
  func wakeAndClose() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("slow.mkv"), source: "testsrc2=size=64x48:rate=0.01:duration=300", ["-c:v", "ffv1"])
    let stream = try open(scratch("slow.mkv"), paced: true)
    guard case .frame = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
      Issue.record("no first frame")
      return
    }
    stream.wake()
    guard case .idle = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
      Issue.record("not woken")
      return
    }
    stream.close()
    guard case .finished = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
      Issue.record("not closed")
      return
    }
  }
}
