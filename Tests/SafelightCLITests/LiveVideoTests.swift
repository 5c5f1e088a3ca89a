import FoundationEssentials
import Safelight
import Testing

/// Video files through `live`, made by the program ffmpeg.
@Suite(
  "safelight live on video files",
  .enabled(if: Program.succeeds("command -v ffmpeg"), "ffmpeg is not installed"))
struct LiveVideoTests {
  private static let frameBytes = 64 * 48 * 3 / 2 + 6

  /// Frames in a Y4M file of 64×48.
  private func frames(_ name: String, in scratch: Scratch) throws -> Int {
    try scratch.read(name).count / Self.frameBytes
  }

  @Test("keep their time in a video of one rate, however unevenly their frames come")
  func variableRate() throws {
    let scratch = try Scratch()
    // Five frames at the rate of 30, then two and a half seconds of nothing, and so on.
    _ = try Program.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=30:duration=8 -vf "select='lt(mod(n,80),5)+eq(n,239)'" \
        -fps_mode vfr -c:v mpeg4 uneven.mp4
      """, in: scratch)
    let run = try Program.shell(
      "\"$SAFELIGHT\" live --source uneven.mp4 --to stdout:y4m --json > video.y4m", in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try frames("video.y4m", in: scratch) == 240)
    #expect(String(decoding: try scratch.read("video.y4m").prefix(80), as: UTF8.self).contains(" F30:1 "))
    #expect(run.errors.contains("\"repeated\":224,\"skipped\":0,\"written\":16"), "\(run.errors)")
    let summary = try Program.shell(
      "\"$SAFELIGHT\" live --source uneven.mp4 --fps 15 --to stdout:rgb > video.rgb", in: scratch)
    // The last picture lies between places 119 and 120.
    #expect(try [120, 121].contains(scratch.read("video.rgb").count / (64 * 48 * 3)))
    #expect(summary.errors.contains("stdout:rgb repeated "), "\(summary.errors)")
    // Pictures have no time to keep: each frame is one.
    let pictures = try Program.run(["live", "--source", "uneven.mp4", "--to", "frames:out"], in: scratch)
    #expect(pictures.exitCode == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("out")).count == 16)
  }

  @Test("that are cut off are an error after all frames that they have", arguments: ["mp4", "mkv", "avi"])
  func cutOff(container: String) throws {
    let scratch = try Scratch()
    let run = try Program.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=30:duration=4 -c:v mpeg4 -g 10 -b:v 300k \
        $([ \(container) = mp4 ] && echo -movflags +faststart) whole.\(container) || exit 9
      head -c $(($(stat -c %s whole.\(container)) / 2)) whole.\(container) > cut.\(container)
      "$SAFELIGHT" live --source whole.\(container) --to stdout:y4m > whole.y4m || exit 8
      "$SAFELIGHT" live --source cut.\(container) --to stdout:y4m > cut.y4m 2> message; code=$?
      tail -n 1 message >&2
      exit $code
      """, in: scratch)
    #expect(run.exitCode == 1)
    let last = run.errors.split(separator: "\n").last.map(String.init) ?? ""
    #expect(last.hasPrefix("Error: The video cut.\(container) is cut off after "), "\(run.errors)")
    let (cut, whole) = (try scratch.read("cut.y4m"), try scratch.read("whole.y4m"))
    let count = cut.count / Self.frameBytes
    #expect(whole.count / Self.frameBytes == 120 && (20..<110).contains(count), "\(count)")
    // All but the last, of which a part may be lost.
    let kept = cut.count - 2 * Self.frameBytes
    #expect(cut.prefix(kept) == whole.prefix(kept))
  }
}
