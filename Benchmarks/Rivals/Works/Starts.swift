import Safelight

/// The time until the first result.
extension Work {
  static func starts() -> [Work] {
    [
      Work(
        id: "version", title: "Start of the program: `--version`",
        contenders: [
          .ours { ProgramRunner($0, [[$0.program, "--version"]]) },
          .rival("ffmpeg", "ffmpeg -version", needs: .program("ffmpeg"), tolerance: nil) {
            ProgramRunner($0, [["ffmpeg", "-version"]])
          },
          .rival("vips", "vips --version", needs: .program("vips"), tolerance: nil) {
            ProgramRunner($0, [["vips", "--version"]])
          },
        ]),
      Work(
        id: "first-frame", title: "Start of the program to the first live frame of 1080p and its end",
        note: "The synthetic scene through a preset; FFmpeg: its test picture through lut3d alone.",
        contenders: [
          .ours { workshop in
            ProgramRunner(
              workshop,
              [
                [
                  workshop.program, "live", "--source", "synthetic", "--size", "1920x1080", "--preset",
                  "teal-orange",
                  "--to", "null", "--frames", "1",
                ]
              ])
          },
          .rival(
            "ffmpeg", "FFmpeg, one frame of testsrc2 with lut3d", needs: .program("ffmpeg"), tolerance: nil
          ) {
            workshop in
            ProgramRunner(
              workshop,
              [
                [
                  "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=1920x1080", "-vf",
                  "format=rgb0,lut3d=file=\(try workshop.table())", "-frames:v", "1", "-f", "null", "-",
                ]
              ])
          },
        ]),
    ]
  }
}
