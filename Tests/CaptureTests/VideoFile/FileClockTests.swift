import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("The clock of a video file")
struct FileClockTests {
  @Test("goes on by a frame where a stamp jumps, and tells of one that lies more than an hour ahead")
  func jumps() {
    var clock = FileClock(rate: 10)
    var (seconds, told): ([Int], [Int]) = ([], [])
    for (index, stamp) in [5, 5.1, 9, nil, 4000, 4000.1, 9.3, 9.4, -8, .nan].enumerated() {
      if clock.advance(to: stamp) { told.append(index) }
      seconds.append(Int((clock.seconds * 10).rounded()))
    }
    #expect(seconds == [0, 1, 40, 41, 42, 43, 44, 45, 46, 47])
    #expect(told == [4])
    // A file that begins again has not jumped.
    clock.startAgain()
    let isTold = clock.advance(to: 90_000)
    #expect(!isTold)
  }

  @Test(
    "lets a video tell once of a gap that it leaves out",
    .installed(.ffmpeg, .ffprobe))
  func note() throws {
    let scratch = try Scratch()
    let path = scratch("gap.mkv")
    try FFmpegTool.make(
      path, source: "testsrc2=size=64x48:rate=25:duration=0.4",
      [
        "-vf", "setpts=(N+gte(N\\,3)*100000+gte(N\\,6)*100000)/25/TB", "-fps_mode", "passthrough", "-c:v",
        "ffv1",
      ])
    let input = VideoFileInput(path: path, paced: false)
    let frames = StreamRecord(try input.openStream(StreamRequest())).frames
    try #require(frames.count == 10)
    #expect(frames[9].time.seconds(since: frames[0].time) < 1)
    #expect(
      input.notes == [
        "The video's time stamps jump ahead by more than 3600 s, which is left out; sound may be out of step from "
          + "there on"
      ])
  }
}
