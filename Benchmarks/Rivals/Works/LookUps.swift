import BenchmarkSupport
import Safelight

/// 3D tables and per-channel tables on a 4K picture, on one thread.
extension Work {
  static func lookUps() -> [Work] { [table33(), table65(), table16Bit(), tableFloat(), channelTables()] }

  private static let size = Workshop.ultraHD
  /// ImageMagick takes seconds for what others do in milliseconds.
  private static let small = PixelSize(width: 960, height: 540)

  private static func ours(_ nodes: Int, _ format: PixelFormat = .rgba8, limit: InstructionSet? = nil)
    -> (Workshop) throws -> any Runner
  {
    { workshop in
      try Rendering(
        [workshop.lut(nodes)], on: workshop.picture(size, format), output: PlanOutput(format: format)
      ).runner(limit)
    }
  }

  private static func memcpy(_ format: PixelFormat = .rgba8) -> Contender {
    Contender(id: "memcpy", title: "memcpy of the same bytes", role: .yardstick) { workshop in
      try copying { [(try $0.picture(size, format), try PixelBuffer(size: size, format: format))] }(workshop)
    }
  }

  private static func openColorIO(_ id: String, _ title: String, _ nodes: Int, _ format: PixelFormat)
    -> Contender
  {
    .rival(id, title, needs: .module("PyOpenColorIO"), tolerance: .rounding) { workshop in
      let sample = format == .rgba16 ? "u16" : format == .rgbaF32 ? "f32" : "u8"
      return try LibraryRunner(
        workshop, "ocio-lut", source: workshop.rawFile(size, format), size: size,
        ["table": .text(workshop.table(nodes)), "sample": .text(sample)])
    }
  }

  /// - Parameter ahead: the conversion to the filter's pixel format, which is not counted.
  private static func ffmpeg(_ id: String, _ title: String, _ nodes: Int, ahead: String = "") -> Contender {
    .rival(id, title, needs: .program("ffmpeg"), tolerance: .rounding) { workshop in
      FFmpegRunner(
        workshop, "lut3d=file=\(try workshop.table(nodes)):interp=tetrahedral", ahead: ahead,
        source: try workshop.rawFile(size), size: size, format: "rgb0", frames: 3)
    }
  }

  private static func table33() -> Work {
    Work(
      id: "lut33", title: "33³ table, 8-bit RGBX, 3840×2160, one thread",
      note: """
        Tetrahedral interpolation but for Pillow and ImageMagick, which only have trilinear, so their colours differ more. \
        OpenColorIO and FFmpeg read and write the same bytes as Safelight, FFmpeg also planes of floats, where its filter \
        is fastest and whose conversion is not counted; Pillow makes a new picture each time; ImageMagick \
        is a whole process on a picture of a sixteenth of the pixels, and samples the table from a Hald picture of 64³ \
        colours. vips, darktable's command line and OpenCV have no 3D tables.
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours(prepare: ours(33)),
        .ours(
          "ours-avx2", "safelight with AVX2", needs: .instructions(.avx2), tolerance: .rounding,
          prepare: ours(33, limit: .avx2)),
        .ours(
          "ours-sse4", "safelight with SSE4", needs: .instructions(.sse4), tolerance: .rounding,
          prepare: ours(33, limit: .sse4)),
        ClockCycles.contender(pixels: size.pixelCount),
        memcpy(),
        openColorIO("ocio-u8", "OpenColorIO, uint8", 33, .rgba8),
        openColorIO("ocio-f32", "OpenColorIO, float", 33, .rgbaF32),
        .rival("pillow", "pillow-simd or Pillow, trilinear", needs: .module("PIL"), tolerance: .interpolation)
        { workshop in
          try LibraryRunner(
            workshop, "pillow-lut", source: workshop.rawFile(size), size: size,
            ["table": .text(workshop.table())])
        },
        ffmpeg("ffmpeg", "FFmpeg lut3d, rgb0", 33),
        ffmpeg("ffmpeg-float", "FFmpeg lut3d, gbrpf32", 33, ahead: "format=gbrpf32"),
        .rival(
          "imagemagick", "ImageMagick -hald-clut, 960×540, process", needs: .program(imageMagick),
          pixels: small.pixelCount, tolerance: .interpolation,
          reference: { workshop in
            let rendering = try Rendering([workshop.lut()], on: workshop.picture(small))
            try rendering.render()
            return Picture(rendering.output)
          }
        ) { workshop in
          ProgramRunner(
            workshop,
            [
              [
                imageMagick, "-limit", "thread", "1", "-size", "960x540", "-depth", "8",
                "rgba:" + (try workshop.rawFile(small)), try workshop.hald(), "-hald-clut",
                "rgba:\(workshop.folder)/hald.raw",
              ]
            ], output: "\(workshop.folder)/hald.raw", rawSize: small)
        },
      ])
  }

  private static func table65() -> Work {
    Work(
      id: "lut65", title: "65³ table, 8-bit RGBX, 3840×2160, one thread", pixels: size.pixelCount,
      contenders: [
        .ours(prepare: ours(65)), memcpy(),
        openColorIO("ocio-u8", "OpenColorIO, uint8", 65, .rgba8),
        openColorIO("ocio-f32", "OpenColorIO, float", 65, .rgbaF32),
        ffmpeg("ffmpeg", "FFmpeg lut3d, rgb0", 65),
        ffmpeg("ffmpeg-float", "FFmpeg lut3d, gbrpf32", 65, ahead: "format=gbrpf32"),
      ])
  }

  private static func table16Bit() -> Work {
    Work(
      id: "lut33-16", title: "33³ table, 16-bit RGBA, 3840×2160, one thread", pixels: size.pixelCount,
      contenders: [
        .ours(prepare: ours(33, .rgba16)), memcpy(.rgba16),
        openColorIO("ocio-u16", "OpenColorIO, uint16", 33, .rgba16),
        openColorIO("ocio-f32", "OpenColorIO, float", 33, .rgbaF32),
        ffmpeg("ffmpeg", "FFmpeg lut3d, gbrp16", 33, ahead: "format=gbrp16"),
        ffmpeg("ffmpeg-float", "FFmpeg lut3d, gbrpf32", 33, ahead: "format=gbrpf32"),
      ])
  }

  private static func tableFloat() -> Work {
    Work(
      id: "lut33-float", title: "33³ table, float RGBA, 3840×2160, one thread",
      pixels: size.pixelCount,
      contenders: [
        .ours(prepare: ours(33, .rgbaF32)), memcpy(.rgbaF32),
        openColorIO("ocio-f32", "OpenColorIO, float", 33, .rgbaF32),
        ffmpeg("ffmpeg", "FFmpeg lut3d, gbrpf32", 33, ahead: "format=gbrpf32"),
      ])
  }

  private static func channelTables() -> Work {
    let filters: [any Filter] = [Exposure(stops: 0.3)]
    func library(_ id: String, _ title: String, _ kind: String, _ module: String) -> Contender {
      .rival(id, title, needs: .module(module), tolerance: .rounding) { workshop in
        try LibraryRunner(
          workshop, kind, source: workshop.rawFile(size), size: size,
          ["tables": .text(workshop.channelTables(filters))])
      }
    }
    return Work(
      id: "tables", title: "A table for each channel (exposure), 8-bit RGBX, 3840×2160, one thread",
      note: "OpenCV and vips are given the tables; vips makes a new picture each time.",
      pixels: size.pixelCount,
      contenders: [
        .ours { workshop in try Rendering(filters, on: workshop.picture(size)).runner() }, memcpy(),
        library("opencv", "OpenCV LUT", "opencv-lut", "cv2"),
        library("vips", "vips maplut", "vips-maplut", "pyvips"),
      ])
  }
}
