import LibraryTestSupport
import Testing

@Suite("Colour of video through safelight live", .installed(.ffmpeg))
struct LiveColorTests {
  /// A clip whose samples ffmpeg keeps, tagged.
  private static func clip(_ format: String, _ tags: String) -> String {
    "ffmpeg -v error -f lavfi -i testsrc2=size=130x74:rate=25:duration=0.12 -pix_fmt \(format) -c:v libx264 -qp 0 "
      + "\(tags) clip.mp4"
  }

  private static let bt709 = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv"

  @Test(
    "Without an edit the samples that come out are those that went in",
    arguments: [
      ("yuv420p", bt709), ("yuv422p", bt709), ("yuv444p", bt709), ("yuv420p", ""),
      ("yuvj420p", bt709.replacing("tv", with: "pc")),
      (
        "yuv420p", "-color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m -color_range tv"
      ),
      ("yuv420p", "-color_primaries bt2020 -color_trc bt2020-10 -colorspace bt2020nc -color_range tv"),
      ("yuv420p", "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv"),
    ])
  func samples(format: String, tags: String) throws {
    let scratch = try Scratch()
    let outcome = try Program.shell(
      Self.clip(format, tags) + " && ffmpeg -v error -i clip.mp4 -f rawvideo in.yuv "
        + "&& \"$SAFELIGHT\" live --source clip.mp4 --to stdout:y4m > out.y4m "
        + "&& ffmpeg -v error -i out.y4m -f rawvideo out.yuv && cmp in.yuv out.yuv", in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.output) \(outcome.errors)")
    // Readers take pictures of so few lines for BT.601.
    let isTold = outcome.errors.contains("FFmpeg: -colorspace bt")
    #expect(isTold == (tags.contains("bt709") || tags.contains("bt2020")), "\(outcome.errors)")
    #expect(!outcome.errors.contains("HDR"))
  }

  @Test(
    "A table for Rec. 709 gives what ffmpeg's lut3d gives, within 2 of 255", arguments: ["srgb", "rec709"])
  func table(encoding: String) throws {
    let scratch = try Scratch()
    var text = "LUT_3D_SIZE 5\n"
    for index in 0..<125 {
      let (r, g, b) = (Double(index % 5) / 4, Double(index / 5 % 5) / 4, Double(index / 25) / 4)
      text += "\(0.1 + 0.8 * r * r + 0.1 * g * b) \(0.05 + 0.9 * g * (1 - 0.2 * r)) \(0.9 * b + 0.1 * g)\n"
    }
    try scratch.write(text, to: "a.cube")
    let outcome = try Program.shell(
      Self.clip("yuv444p", Self.bt709) + " && ffmpeg -v error -i clip.mp4 -vf "
        + "scale=flags=accurate_rnd+full_chroma_int,format=rgb24,lut3d=a.cube:interp=tetrahedral -f rawvideo wanted "
        + "&& \"$SAFELIGHT\" live --source clip.mp4 --lut a.cube --lut-encoding \(encoding) --to stdout:rgb > found",
      in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let (found, wanted) = try (scratch.read("found"), scratch.read("wanted"))
    try #require(found.count == wanted.count && found.count == 3 * 3 * 130 * 74)
    let largest = zip(found, wanted).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    #expect(largest <= 2)
  }

  @Test("A clip that names no matrix says which it has where its new size stands for another one")
  func untagged() throws {
    let scratch = try Scratch()
    _ = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=size=728x40:rate=25:duration=0.08 -pix_fmt yuv420p -c:v libx264 "
        + "clip.mp4", in: scratch)
    func errors(_ options: String) throws -> String {
      let run = try Program.shell(
        "\"$SAFELIGHT\" live --source clip.mp4 \(options) --to stdout:y4m > out.y4m", in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
      return run.errors
    }
    let turned = try errors("--rotate 90")
    #expect(turned.contains("(FFmpeg: -colorspace bt709 before -i -)"), "\(turned)")
    let mirrored = try errors("--mirror on")
    #expect(!mirrored.contains("-colorspace"), "\(mirrored)")
  }

  @Test("HDR that is edited is told of in one sentence, and what is converted is, too")
  func highDynamicRange() throws {
    let scratch = try Scratch()
    let tags = "-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc -color_range tv"
    let outcome = try Program.shell(
      Self.clip("yuv420p10le", tags)
        + " && \"$SAFELIGHT\" live --source clip.mp4 --exposure 0.5 --to stdout:y4m > out.y4m",
      in: scratch)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("HDR (HLG)") }.count == 1
        && lines.filter { $0.contains("yuv420p10le is converted to 8-bit i420") }.count == 1,
      "\(outcome.errors)")
  }
}
