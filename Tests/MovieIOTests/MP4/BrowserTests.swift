import Foundation
import FrameCore
import TestSupport
import Testing

@testable import MovieIO

/// What a browser makes of our files: headless Chromium plays them to their end.
@Suite("MP4 files in a browser", .installed(.chromium))
struct BrowserTests {
  @Test("Chromium plays finished, unfinished and turned files to their end")
  func playing() throws {
    let scratch = try Scratch()
    let streams = [try TestStream("h264"), try TestStream("aac")]
    let turned = [try TestStream("h264", orientation: .right), try TestStream("aac")]
    let marks = [MovieMark(time: 90_000, title: "Here")]
    let files: [(name: String, bytes: [UInt8], expected: String)] = [
      ("first", try MemoryStorage.movie(streams, marks: marks).storage.bytes, "ended 64x48 3.00 45"),
      (
        "last",
        try MemoryStorage.movie(
          streams,
          options: testOptions {
            $0.reservedBytes = 512
            $0.largestCopy = 0
          }, { $0.inserts = false }
        ).storage.bytes, "ended 64x48 3.00 45"
      ),
      ("turned", try MemoryStorage.movie(turned).storage.bytes, "ended 48x64 3.00 45"),
      // Its last picture waited for the time that it lasts.
      ("fragments", try MemoryStorage.movie(streams, finished: false).storage.bytes, "ended 64x48 2.93 44"),
    ]
    for file in files { try scratch.write(file.bytes, to: file.name + ".mp4") }
    let names = files.map { "\"\($0.name)\"" }.joined(separator: ",")
    try scratch.write(
      """
      <script>
      (async () => {
        for (const name of [\(names)]) {
          const v = document.createElement("video");
          v.muted = true;
          v.playbackRate = 4;
          v.src = name + ".mp4";
          document.documentElement.append(v);
          const end = await new Promise(done => {
            v.onended = () => done("ended");
            v.onerror = () => done(v.error.message);
            v.play().catch(error => done(String(error)));
          });
          const frames = v.getVideoPlaybackQuality().totalVideoFrames;
          const size = `${v.videoWidth}x${v.videoHeight}`;
          console.log(`RESULT ${name} ${end} ${size} ${v.duration.toFixed(2)} ${frames} ;`);
        }
        console.log("RESULTS COMPLETE");
      })();
      </script>
      """, to: "page.html")
    let output = try ExternalProgram.chromium.transcript(
      [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        "--allow-file-access-from-files", "--autoplay-policy=no-user-gesture-required",
        "--user-data-dir=\(scratch("profile"))", "file://\(scratch("page.html"))",
      ], until: "RESULTS COMPLETE")
    for file in files {
      #expect(
        output.contains("RESULT \(file.name) \(file.expected) ;"), "\(file.name): \(output.suffix(2000))")
    }
  }
}
