import Capture
import FrameCore
import TestSupport
import Testing

@Suite("Colour of video files", .installed(.ffmpeg, .ffprobe))
struct VideoFileColorTests {
  @Test(
    "The curves of HDR and of BT.470 are told",
    arguments: [("smpte2084", ColorTags.Transfer.pq), ("arib-std-b67", .hlg), ("gamma28", .gamma28)])
  func curves(name: String, transfer: ColorTags.Transfer) throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("a.mp4"), source: "testsrc2=size=64x48:rate=25:duration=0.2",
      ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-color_trc", name])
    let input = VideoFileInput(path: scratch("a.mp4"), paced: false)
    #expect(try input.openStream(StreamRequest()).format.tags.transfer == transfer)
    #expect(input.notes.isEmpty)
  }

  @Test(
    "Where chroma sits is the stream's own",
    arguments: [("left", ColorTags.ChromaSiting.left), ("center", .center), ("topleft", .topLeft)])
  func siting(name: String, siting: ColorTags.ChromaSiting) throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("a.mp4"), source: "testsrc2=size=64x48:rate=25:duration=0.2",
      ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-chroma_sample_location", name])
    #expect(
      try VideoFileInput(path: scratch("a.mp4"), paced: false).openStream(StreamRequest()).format.tags
        .chromaSiting == siting)
  }

  @Test("Grey that says nothing of its range has all of it, as FFmpeg reads it")
  func grey() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("grey.mkv"), source: "testsrc2=size=64x48:rate=25:duration=0.2",
      ["-pix_fmt", "gray", "-c:v", "ffv1"])
    let input = VideoFileInput(path: scratch("grey.mkv"), paced: false)
    #expect(try input.openStream(StreamRequest()).format.tags.range == .full)
  }
}
