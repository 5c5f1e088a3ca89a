import LibraryTestSupport
import Testing

/// Clips whose pixels are not square or whose frames have fields, made by the program ffmpeg.
@Suite(
  "safelight live on pixels that are not square, and fields",
  .enabled(
    if: Program.succeeds("command -v ffmpeg && command -v ffprobe"), "ffmpeg or ffprobe is not installed"))
struct LiveVideoShapeTests {
  /// A clip like PAL's DV: wide pixels, the lower field first.
  private static let clip = """
    ffmpeg -v error -f lavfi -i testsrc2=size=72x58:rate=25:duration=0.2 -vf setsar=16/15,setfield=bff \
      -pix_fmt yuv420p -c:v ffv1 -field_order bb clip.mkv
    """

  /// The header of what `live` makes of the clip, and what it says.
  private func run(_ options: String) throws -> (header: String, errors: String) {
    let scratch = try Scratch()
    let run = try Program.shell(
      "\(Self.clip) && \"$SAFELIGHT\" live --source clip.mkv \(options) --to stdout:y4m > out.y4m",
      in: scratch)
    #expect(run.exitCode == 0, "\(run.errors)")
    let header = try scratch.read("out.y4m").prefix { $0 != 10 }
    return (String(decoding: header, as: UTF8.self), run.errors)
  }

  @Test("hands both on, with an edit of colours and without")
  func kept() throws {
    for options in ["", "--exposure 0.5"] {
      let (header, errors) = try run(options)
      #expect(header.contains(" Ib A16:15 "), "\(header)")
      #expect(!errors.contains("square") && !errors.contains("interlaced"), "\(errors)")
    }
  }

  @Test("exchanges the numbers with a quarter turn, and says that it mixes the fields")
  func turned() throws {
    let (header, errors) = try run("--rotate 90")
    #expect(header.contains(" W58 H72 ") && header.contains(" Ip A15:16 "), "\(header)")
    #expect(!errors.contains("square") && errors.contains("the edit mixes rows of two moments"), "\(errors)")
  }

  @Test("says that a small turn skews the picture")
  func straightened() throws {
    let (_, errors) = try run("--straighten 2")
    #expect(errors.contains("(16:15), so turning the picture skews it"), "\(errors)")
  }

  @Test("is read by ffmpeg as the clip was")
  func readBack() throws {
    let scratch = try Scratch()
    let entries = "-show_entries stream=sample_aspect_ratio,field_order -of csv=p=0"
    let run = try Program.shell(
      """
      \(Self.clip) && "$SAFELIGHT" live --source clip.mkv --to stdout:y4m > out.y4m || exit 9
      for name in clip.mkv out.y4m; do ffprobe -v error -select_streams v:0 \(entries) $name; done
      """, in: scratch)
    let lines = run.output.split(separator: "\n")
    #expect(lines == ["16:15,bb", "16:15,bb"], "\(run.output)")
  }

  @Test("says so where a target has square pixels and whole frames")
  func silentTargets() throws {
    let scratch = try Scratch()
    let run = try Program.shell(
      "\(Self.clip) && \"$SAFELIGHT\" live --source clip.mkv --to frames:out", in: scratch)
    #expect(run.exitCode == 0 && run.errors.contains("not square (16:15), which frames:out cannot say"))
    #expect(run.errors.contains("The video is interlaced, which frames:out cannot say"), "\(run.errors)")
  }
}
