import LibraryTestSupport
import FoundationEssentials
import Safelight
import Testing

/// Video files through `live`, made by the program ffmpeg.
@Suite("safelight live on video files", .installed(.ffmpeg))
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
      "$SAFELIGHT" live --source cut.\(container) --to stdout:y4m 2> message > cut.y4m; code=$?
      cat message >&2
      exit $code
      """, in: scratch)
    #expect(run.exitCode == 1)
    // The summary of the whole file, then what was said of the other.
    let lines = run.errors.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(run.errors)")
    #expect(lines[1].contains(" frames in "))
    #expect(lines[2].hasPrefix("Error: The video cut.\(container) is cut off after "), "\(run.errors)")
    let (cut, whole) = (try scratch.read("cut.y4m"), try scratch.read("whole.y4m"))
    let count = cut.count / Self.frameBytes
    #expect(whole.count / Self.frameBytes == 120 && (20..<110).contains(count), "\(count)")
    // All but the last, of which a part may be lost.
    let kept = cut.count - 2 * Self.frameBytes
    #expect(cut.prefix(kept) == whole.prefix(kept))
  }

  /// `cut.mkv` with `count` frames of deep samples, of twice as many that its header promises.
  private func makeCut(in scratch: Scratch) throws -> (count: Int, bytes: Int) {
    let run = try Program.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=30:duration=2 \
        -c:v ffv1 -pix_fmt yuv420p10le deep.mkv || exit 9
      head -c $(($(stat -c %s deep.mkv) / 2)) deep.mkv > cut.mkv
      "$SAFELIGHT" live --source cut.mkv --to stdout:y4m > cut.y4m
      """, in: scratch)
    let bytes = try scratch.read("cut.y4m").count
    let count = bytes / Self.frameBytes
    try #require(run.exitCode == 1 && (20..<50).contains(count), "\(count) frames; \(run.errors)")
    return (count, bytes)
  }

  @Test("that are cut off are not waited for, however slowly their last frames are taken")
  func slowReader() throws {
    let scratch = try Scratch()
    let cut = try makeCut(in: scratch)
    // A pipe holds 14 of the last 17 frames. The others wait in the program, which knows of the cut then.
    let run = try Program.shell(
      """
      "$SAFELIGHT" live --source cut.mkv --to stdout:y4m |
        { head -c \(cut.bytes - 17 * Self.frameBytes) > slow.y4m; sleep 1; cat >> slow.y4m; }
      cmp slow.y4m cut.y4m
      """, in: scratch)
    #expect(run.exitCode == 0, "\(run.output)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(run.errors)")
    #expect(lines[0] == "The video's yuv420p10le is converted to 8-bit i420")
    #expect(lines[1].hasPrefix("\(cut.count) frames in "))
    #expect(lines[2].hasPrefix("Error: The video cut.mkv is cut off after "))
  }

  @Test("that are cut off are no error where the frames that were asked for came before")
  func limitBeforeTheCut() throws {
    let scratch = try Scratch()
    let cut = try makeCut(in: scratch)
    for frames in cut.count - 2...cut.count + 1 {
      let run = try Program.run(
        ["live", "--source", "cut.mkv", "--to", "null", "--frames", "\(frames)"], in: scratch)
      let isEnough = frames <= cut.count
      #expect(run.exitCode == (isEnough ? 0 : 1), "\(frames) of \(cut.count): \(run.errors)")
      #expect(run.errors.contains("is cut off") == !isEnough, "\(frames) of \(cut.count): \(run.errors)")
    }
  }

  @Test("that are cut off end a paced run with a report and the error")
  func pacedCut() throws {
    let scratch = try Scratch()
    let cut = try makeCut(in: scratch)
    let run = try Program.run(
      ["live", "--source", "cut.mkv", "--to", "stream:0", "--json", "--stats", "10"], in: scratch)
    #expect(run.exitCode == 1)
    #expect(run.errors.split(separator: "\n").last?.hasPrefix("Error: The video cut.mkv is cut off") == true)
    let report = try JSONReport(run.output)
    #expect(report["kind"] as? String == "end" && report["end"] as? String == "failed", "\(run.output)")
    #expect(report["captured"] as? Int == cut.count)
  }

  @Test("say once what they lack where they begin again, beside what was converted")
  func loopedCut() throws {
    let scratch = try Scratch()
    _ = try makeCut(in: scratch)
    let run = try Program.run(
      ["live", "--source", "cut.mkv", "--loop", "--to", "null", "--frames", "200"], in: scratch)
    #expect(run.exitCode == 0)
    let lines = run.errors.split(separator: "\n")
    try #require(lines.count == 3, "\(run.errors)")
    #expect(lines[0] == "The video's yuv420p10le is converted to 8-bit i420")
    #expect(lines[1].hasPrefix("The video cut.mkv is cut off after "))
    #expect(lines[2].hasPrefix("200 frames in "))
  }

  /// A disk of which a part cannot be read: what the program is given in place of the system's own functions.
  private static let diskSource = """
    #define _GNU_SOURCE
    #include <errno.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static ssize_t part(int file, void *out, size_t count, long place) {
      if (place >= 200000 && place < 300000) return errno = EIO, -1;
      return syscall(SYS_pread64, file, out, count, place);
    }
    ssize_t pread(int file, void *out, size_t count, long place) { return part(file, out, count, place); }
    ssize_t pread64(int file, void *out, size_t count, long place) { return part(file, out, count, place); }
    """

  @Test(
    "that cannot be read to their end are an error, and do not begin again",
    .enabled(if: Program.succeeds("command -v cc"), "there is no C compiler"))
  func failingDisk() throws {
    let scratch = try Scratch()
    try scratch.write(Self.diskSource, to: "disk.c")
    let run = try Program.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc2=size=64x48:rate=30:duration=4 \
        -c:v rawvideo -pix_fmt yuv420p clip.nut || exit 9
      cc -shared -fPIC -o disk.so disk.c || exit 8
      LD_PRELOAD=$PWD/disk.so "$SAFELIGHT" live --source clip.nut --loop --to null --frames 1000
      """, in: scratch)
    #expect(run.exitCode == 1, "\(run.errors)")
    let last = run.errors.split(separator: "\n").last.map(String.init) ?? ""
    #expect(last.hasPrefix("Error: Cannot read clip.nut beyond "), "\(run.errors)")
    #expect(last.contains(": Input/output error; check the disk"), "\(run.errors)")
  }
}
