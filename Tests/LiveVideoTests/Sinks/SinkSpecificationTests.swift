import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@Suite("Targets of live pictures")
struct SinkSpecificationTests {
  @Test(
    "are read as written, and written as they are read",
    arguments: [
      ("preview", .preview, "preview"),
      ("null", .null, "null"),
      ("virtual:/dev/video9", .virtualCamera(device: "/dev/video9"), "virtual:/dev/video9"),
      ("stdout", .standardOutput(.y4m), "stdout:y4m"),
      ("stdout:y4m", .standardOutput(.y4m), "stdout:y4m"),
      ("stdout:rgb", .standardOutput(.rgb), "stdout:rgb"),
      ("stream:8080", .stream(host: "127.0.0.1", port: 8080), "stream:8080"),
      ("stream:localhost:0", .stream(host: "127.0.0.1", port: 0), "stream:0"),
      ("stream:0.0.0.0:8080", .stream(host: "0.0.0.0", port: 8080), "stream:0.0.0.0:8080"),
      ("stream:[::1]:81", .stream(host: "::1", port: 81), "stream:[::1]:81"),
      ("frames:out", .frames(folder: "out", format: .jpeg), "frames:out"),
      ("frames:a:b/", .frames(folder: "a:b", format: .jpeg), "frames:a:b"),
      ("frames:/", .frames(folder: "/", format: .jpeg), "frames:/"),
      ("frames:png:out", .frames(folder: "out", format: .png), "frames:png:out"),
    ] as [(String, SinkSpecification, String)])
  func reading(text: String, target: SinkSpecification, written: String) throws {
    #expect(try SinkSpecification(text) == target)
    #expect(target.description == written)
    #expect(try SinkSpecification(written) == target)
  }

  @Test("mean the same when they are written again, or are refused with a sentence, whatever is drawn")
  func random() {
    var random = SeededRandom(seed: 0x5AFE_1174)
    let pieces = [
      "preview", "virtual", "stdout", "stream", "frames", "null", ":", ":", ":", "png", "y4m", "rgb", "0",
      "8080", "65536",
      "-1", "/", "/dev/video9", "..", "[", "]", "::1", "localhost", "0.0.0.0", " ", "ä", "\u{0}", "\n",
    ]
    for round in 0..<20_000 {
      let count = Int.random(in: 0...5, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      do {
        let target = try SinkSpecification(text)
        #expect(try SinkSpecification(target.description) == target, "round \(round): \(text)")
      } catch {
        #expect(error is SafelightError, "round \(round): \(text)")
      }
    }
  }

  private static let known =
    "preview, virtual:/dev/videoN, stdout:y4m, stdout:rgb, stream:PORT, frames:DIR, movie:FILE, null"

  @Test(
    "are refused with a sentence that helps",
    arguments: [
      ("previw", "Unknown target “previw”; did you mean “preview”? Known: \(known)."),
      ("steam:8080", "Unknown target “steam:8080”; did you mean “stream:8080”? Known: \(known)."),
      (
        "virtaul:/dev/video2",
        "Unknown target “virtaul:/dev/video2”; did you mean “virtual:/dev/video9”? Known: \(known)."
      ),
      ("obs", "Unknown target “obs”; known: \(known)."),
      ("", "Unknown target “”; known: \(known)."),
      ("/dev/video2", "“/dev/video2” is a device, not a target; write virtual:/dev/video2."),
      ("virtual", "The target “virtual” names no destination; write virtual:/dev/video9."),
      ("virtual:", "The target “virtual” names no destination; write virtual:/dev/video9."),
      ("virtual:2", "The target “virtual:2” names no device; write virtual:/dev/video2."),
      ("stream", "The target “stream” names no destination; write stream:8080."),
      ("frames:", "The target “frames” names no destination; write frames:out."),
      ("frames:png:", "The target “frames:png:” names no destination; write frames:png:out."),
      (
        "preview:big",
        "The target “preview” takes nothing after it, but “preview:big” was given; write preview."
      ),
      ("stdout:yuv", "Unknown encoding of stdout “yuv”; did you mean “y4m”? Known: y4m, rgb."),
      ("stdout:mp4", "Unknown encoding of stdout “mp4”; known: y4m, rgb."),
      (
        "stream:http",
        "The port of “stream:http” is not a number in 0…65535; write stream:8080, or stream:0 for any free port."
      ),
      (
        "stream:65536",
        "The port of “stream:65536” is not a number in 0…65535; write stream:8080, or stream:0 for any free port."
      ),
      (
        "stream:-1",
        "The port of “stream:-1” is not a number in 0…65535; write stream:8080, or stream:0 for any free port."
      ),
      (
        "stream::8080",
        "The target “stream::8080” names no host before its port; "
          + "write stream:8080 for this machine only, or stream:0.0.0.0:8080 for the network."
      ),
      (
        "stream:::1:80",
        "The target “stream:::1:80” holds an IPv6 address that cannot be told from its port; "
          + "write stream:[ADDRESS]:PORT."
      ),
    ])
  func messages(text: String, sentence: String) {
    #expect { try SinkSpecification(text) } throws: { "\($0)" == sentence }
  }

  @Test("may not write into one place twice")
  func together() throws {
    try SinkSpecification.checkTogether([
      .preview, .null, .null, .standardOutput(.y4m), .stream(host: "127.0.0.1", port: 0),
      .stream(host: "127.0.0.1", port: 0), .frames(folder: "a", format: .jpeg),
      .frames(folder: "b", format: .png),
    ])
    #expect {
      try SinkSpecification.checkTogether([.standardOutput(.y4m), .preview, .standardOutput(.rgb)])
    } throws: {
      "\($0)" == "The targets stdout:y4m and stdout:rgb both write to standard output; name each place once."
    }
  }
}
