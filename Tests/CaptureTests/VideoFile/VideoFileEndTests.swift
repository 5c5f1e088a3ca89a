import Capture
import Foundation
import FrameCore
import TestSupport
import Testing

@Suite("The end of video files", .installed(.ffmpeg, .ffprobe))
struct VideoFileEndTests {
  private func record(_ path: String) throws -> StreamRecord {
    StreamRecord(try VideoFileInput(path: path, paced: false).openStream(StreamRequest()))
  }

  /// Where the boxes of an ISO media file begin whose type this is.
  private func boxes(_ name: String, in bytes: [UInt8]) -> [Int] {
    var (position, found): (Int, [Int]) = (0, [])
    while position + 8 <= bytes.count {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      if bytes[position + 4..<position + 8].elementsEqual(name.utf8) { found.append(position) }
      position += max(size, 8)
    }
    return found
  }

  @Test("of an MP4 between two fragments is none where the header states more")
  func betweenFragments() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("whole.mp4"), source: "testsrc2=size=64x48:rate=10:duration=8",
      ["-c:v", "mpeg4", "-g", "10", "-movflags", "+frag_keyframe+empty_moov+default_base_moof+global_sidx"])
    #expect(try record(scratch("whole.mp4")).failure == nil)
    let bytes = try scratch.read("whole.mp4")
    let fragments = boxes("moof", in: bytes)
    try #require(fragments.count > 4)
    for more in [0, 5] {
      let path = try scratch.write(Array(bytes.prefix(fragments[3] + more)), to: "cut.mp4")
      let cut = try record(path)
      #expect(cut.frames.count == 30)
      #expect(cut.failure?.reason == .truncated, "\(more) bytes of the next fragment")
    }
  }

  @Test("of an FLV is where its frames end, whatever follows its last tag, and not where it is cut off")
  func flash() throws {
    let scratch = try Scratch()
    try FFmpegTool.make(
      scratch("whole.flv"), source: "testsrc2=size=64x48:rate=10:duration=8", ["-c:v", "flv"])
    let bytes = try scratch.read("whole.flv")
    let ends: [[UInt8]] = [
      bytes, Array(bytes.dropLast(4)), Array(bytes.dropLast(4)) + [0, 0, 0, 0],
      bytes + Array("garbage, which is text".utf8),
    ]
    for (index, end) in ends.enumerated() {
      let whole = try record(scratch.write(end, to: "end.flv"))
      #expect(whole.hasFinished && whole.frames.count >= 79, "\(index)")
    }
    let cut = try record(scratch.write(Array(bytes.prefix(bytes.count * 3 / 4)), to: "cut.flv"))
    #expect(cut.failure?.reason == .truncated)
  }

  @Test("of a later pass is told by what that pass has read")
  func laterPass() throws {
    let scratch = try Scratch()
    // Larger than what FFmpeg keeps in memory, so that it reads the file again.
    try FFmpegTool.make(
      scratch("video.avi"), source: "testsrc2=size=160x120:rate=25:duration=1",
      ["-pix_fmt", "yuv420p", "-c:v", "rawvideo"])
    let input = VideoFileInput(path: scratch("video.avi"), paced: false, loops: true)
    let stream = try input.openStream(StreamRequest())
    // The whole first pass, and the first frame of the second.
    #expect(StreamRecord(stream, limit: 26).frames.count == 26)
    #expect(input.notes.isEmpty)
    let size = try scratch.read("video.avi").count
    try #require(truncate(scratch("video.avi"), off_t(size / 2)) == 0)
    _ = StreamRecord(stream, limit: 60)
    stream.close()
    let note = try #require(input.notes.first)
    #expect(note.contains(" is cut off after 0.5 s"), "\(input.notes)")
  }
}
