import Capture
import FrameCore
import TestSupport
import Testing

@Suite("Pixels and fields of video files", .installed(.ffmpeg, .ffprobe))
struct VideoFileShapeTests {
  private func firstFrame(_ path: String) throws -> Frame {
    let stream = try VideoFileInput(path: path, paced: false).openStream(StreamRequest())
    return try #require(heldEvents(stream, limit: 1).first?.frame)
  }

  @Test(
    "are what the file says",
    arguments: [
      ("setsar=16/15,setfield=tff", "tt", SampleAspect(width: 16, height: 15), FieldOrder.topFirst),
      ("setsar=8/9,setfield=bff", "bb", SampleAspect(width: 8, height: 9), .bottomFirst),
      ("setsar=1,setfield=prog", "progressive", .square, .progressive),
    ])
  func told(filters: String, order: String, aspect: SampleAspect, fields: FieldOrder) throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("video.mkv"), source: "testsrc2=size=64x48:rate=25:duration=0.12",
      ["-vf", filters, "-pix_fmt", "yuv420p", "-c:v", "ffv1", "-field_order", order])
    let frame = try firstFrame(scratch("video.mkv"))
    #expect(frame.sampleAspect == aspect && frame.fieldOrder == fields)
  }

  @Test("are those of the codec where the container is silent")
  func codec() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("video.h264"), source: "testsrc2=size=64x48:rate=25:duration=0.12",
      [
        "-vf", "setsar=4/3,setfield=tff", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-flags", "+ildct+ilme",
      ])
    let frame = try firstFrame(scratch("video.h264"))
    #expect(frame.sampleAspect == SampleAspect(width: 4, height: 3) && frame.fieldOrder == .topFirst)
  }

  @Test("are square and whole where nobody says anything")
  func silent() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("video.flv"), source: "testsrc2=size=64x48:rate=25:duration=0.12", ["-c:v", "flv"])
    let frame = try firstFrame(scratch("video.flv"))
    #expect(frame.sampleAspect == .square && frame.fieldOrder == .progressive)
  }
}
