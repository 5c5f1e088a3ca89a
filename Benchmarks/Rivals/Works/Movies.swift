import BenchmarkSupport
import FoundationEssentials
import Glibc
import Safelight

/// Frames on their way into a movie, and whole recordings.
extension Work {
  static func movies() -> [Work] { [look(), grading(), recording()] }

  /// Of a look without geometry, which everybody has.
  private static func lookFilters(_ workshop: Workshop) throws -> [any Filter] {
    [
      Exposure(stops: 0.3), WhiteBalance(temperature: 6900), Contrast(10), Saturation(15), try workshop.lut(),
    ]
  }

  private static func look() -> Work {
    let size = Workshop.fullHD
    func ours(_ threads: Int) -> (Workshop) throws -> any Runner {
      { workshop in
        let rendering = try Rendering(
          lookFilters(workshop), on: workshop.picture(size, .yuyv422), threads: threads,
          output: PlanOutput(format: .i420, videoTags: Workshop.cameraTags))
        return FunctionRunner { try rendering.render() }
      }
    }
    return Work(
      id: "movie-look", kind: .frame,
      title: "A look and the encoder's Y'CbCr, 1080p YUYV to i420, two threads",
      note: """
        Exposure, white balance, contrast, saturation and a 33³ table, in one pass; in two, with 8-bit RGBX between; FFmpeg's \
        exposure, colortemperature, eq and lut3d.
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours(prepare: ours(2)),
        .ours("ours-1", "safelight, one thread", prepare: ours(1)),
        .ours("ours-two", "safelight, RGBX between") { workshop in
          let rendering = try Rendering(
            lookFilters(workshop), on: workshop.picture(size, .yuyv422), threads: 2)
          let planes = try PixelBuffer(size: size, format: .i420, tags: Workshop.cameraTags)
          let converter = PixelConverter(threads: 2)
          return FunctionRunner {
            try rendering.render()
            try converter.convert(rendering.output, into: planes)
          }
        },
        .rival("ffmpeg", "FFmpeg, two threads", needs: .program("ffmpeg"), tolerance: nil) { workshop in
          FFmpegRunner(
            workshop,
            "scale=in_color_matrix=bt601:in_range=tv,format=gbrpf32,exposure=exposure=0.3,"
              + "colortemperature=temperature=6300,format=yuv444p,eq=contrast=1.1:saturation=1.15,format=rgb0,"
              + "lut3d=file=\(try workshop.table()):interp=tetrahedral,format=yuv420p",
            source: try workshop.rawFile(size, .yuyv422), size: size, format: "yuyv422", threads: 2)
        },
      ])
  }

  /// A clip of five seconds of the synthetic scene; made once.
  private static func clip(_ workshop: Workshop) throws -> String {
    let path = workshop.folder + "/clip.mp4"
    guard fileSize(path) == 0 else { return path }
    let command = [
      workshop.program, "live", "--source", "synthetic", "--unpaced", "--size", "1920x1080", "--frames",
      "150",
      "--to", "movie:" + path,
    ]
    let log = workshop.folder + "/clip.txt"
    guard try ProcessGroup.run([command], log: log, timeLimit: ProgramRunner.timeLimit).isSuccess else {
      throw SafelightError(.unsupported, "The clip cannot be made: \(lastWords(ofLog: log))")
    }
    return path
  }

  private static func grading() -> Work {
    Work(
      id: "movie-grade", title: "A clip of 150 pictures of 1080p through a 33³ table, x264 veryfast, CRF 23",
      note: "Whole programs: decoding, the table, encoding, an index in front.",
      contenders: [
        .ours { workshop in
          let output = workshop.folder + "/graded.mp4"
          return ProgramRunner(
            workshop,
            [
              ["rm", "-f", output],
              [
                workshop.program, "live", "--source", try clip(workshop), "--lut", try workshop.table(),
                "--crf",
                "23", "--to", "movie:" + output,
              ],
            ])
        },
        .rival("ffmpeg", "FFmpeg, lut3d", needs: .program("ffmpeg"), tolerance: nil) { workshop in
          ProgramRunner(
            workshop,
            [
              [
                "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", try clip(workshop), "-vf",
                "lut3d=file=\(try workshop.table()):interp=tetrahedral,format=yuv420p", "-c:v", "libx264",
                "-preset",
                "veryfast", "-crf", "23", "-movflags", "+faststart", workshop.folder + "/graded-ffmpeg.mp4",
              ]
            ])
        },
      ])
  }

  private static func recording() -> Work {
    Work(
      id: "movie-drops", title: "Pictures lost in 60 s of 1080p at 30 a second with a preset and sound, x264",
      note: "The synthetic scene, which is painted beside, and its beeps.", quantity: .number,
      contenders: [
        Contender(id: "ours", title: "safelight record", role: .ours, leastRuns: 1) { workshop in
          ValueRunner {
            let (output, log) = (workshop.folder + "/recorded.mp4", workshop.folder + "/recorded.txt")
            unlink(output)
            unlink(log)
            let command = [
              workshop.program, "record", "--source", "synthetic", "--size", "1920x1080", "--fps", "30",
              "--microphone", "synthetic", "--preset", "teal-orange", "--max-duration", "60s", "--json", "-o",
              output,
            ]
            guard try ProcessGroup.run([command], log: log, timeLimit: ProgramRunner.timeLimit).isSuccess
            else {
              throw SafelightError(.unsupported, "record failed: \(lastWords(ofLog: log))")
            }
            struct End: Decodable { let dropped: [String: Int] }
            let last = (textFile(log) ?? "").split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
            let end = try JSONDecoder().decode(End.self, from: Data(last.utf8))
            return [Double(end.dropped.values.reduce(0, +))]
          }
        }
      ])
  }
}
