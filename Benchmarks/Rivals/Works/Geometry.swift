import BenchmarkSupport
import Safelight

/// Only rotating and scaling, on one thread.
extension Work {
  static func geometry() -> [Work] { [turn(), reduce()] }

  private static let size = Workshop.ultraHD

  private static func turn() -> Work {
    let filters: [any Filter] = [Straighten(2)]
    func job(_ kind: String, _ method: String) -> (Workshop) throws -> any Runner {
      { workshop in
        let rendering = try Rendering(filters, on: workshop.picture(size))
        return try LibraryRunner(
          workshop, kind, source: workshop.rawFile(size), size: size,
          [
            "method": .text(method), "map": .numbers(rendering.mapOfCentres),
            "toWidth": .number(rendering.output.width), "toHeight": .number(rendering.output.height),
          ])
      }
    }
    func openCV(_ id: String, _ method: String, _ title: String, samples: Int) -> Contender {
      Contender.rival(
        id, "OpenCV warpAffine, \(title)", needs: .module("cv2"), tolerance: .resampling,
        prepare: job("opencv-warp", method)
      ).weighing(samples)
    }
    func vips(_ id: String, _ method: String, samples: Int? = nil) -> Contender {
      Contender.rival(
        id, "vips affine, \(method)", needs: .module("pyvips"), tolerance: .resampling,
        prepare: job("vips-affine", method)
      ).weighing(samples)
    }
    return Work(
      id: "turn", title: "Turn by 2° and crop, 8-bit RGBX, 3840×2160, one thread",
      note: """
        Safelight's kernel is a Kaiser-windowed sinc over 6×6 pixels, as wide as Lanczos-3. OpenCV has no Lanczos-3 but \
        Lanczos-4 over 8×8; vips has no Lanczos in its affine, bicubic (4×4) and nohalo are its sharp ones. All use the same \
        map and the same output size. FFmpeg's rotate is bilinear and has fixed-point coordinates. A sample is one that the \
        kernel weighs, per pixel of the frame.
        """,
      pixels: size.pixelCount,
      contenders: [
        Contender.ours("ours", "safelight, sharp") {
          try Rendering(filters, on: $0.picture(size)).runner()
        }.weighing(36),
        Contender.ours("ours-bilinear", "safelight, bilinear", tolerance: .resampling) {
          try Rendering(filters, on: $0.picture(size), output: PlanOutput(interpolation: .bilinear)).runner()
        }.weighing(4),
        openCV("opencv-linear", "linear", "bilinear", samples: 4),
        openCV("opencv-lanczos4", "lanczos4", "Lanczos-4", samples: 64),
        vips("vips-bilinear", "bilinear", samples: 4), vips("vips-bicubic", "bicubic", samples: 16),
        vips("vips-nohalo", "nohalo"),
        Contender.rival(
          "ffmpeg", "FFmpeg rotate, bilinear, rgb0", needs: .program("ffmpeg"), tolerance: .resampling
        ) {
          workshop in
          let rendering = try Rendering(filters, on: workshop.picture(size))
          return FFmpegRunner(
            workshop, "rotate=2*PI/180:ow=\(rendering.output.width):oh=\(rendering.output.height)",
            source: try workshop.rawFile(size), size: size, format: "rgb0", outputSize: rendering.output.size)
        }.weighing(4),
      ])
  }

  private static func reduce() -> Work {
    let filters: [any Filter] = [Resize(longEdge: 1920)]
    let target = Workshop.fullHD
    func library(
      _ id: String, _ title: String, _ kind: String, _ method: String, _ module: String,
      _ tolerance: Tolerance
    )
      -> Contender
    {
      .rival(id, title, needs: .module(module), tolerance: tolerance) { workshop in
        try LibraryRunner(
          workshop, kind, source: workshop.rawFile(size), size: size,
          ["method": .text(method), "toWidth": .number(target.width), "toHeight": .number(target.height)])
      }
    }
    func ffmpeg(_ id: String, _ title: String, _ chain: String, _ tolerance: Tolerance, before: String = "")
      -> Contender
    {
      .rival(id, title, needs: .program("ffmpeg"), tolerance: tolerance) { workshop in
        FFmpegRunner(
          workshop, chain, ahead: before, source: try workshop.rawFile(size), size: size, format: "rgb0",
          outputSize: target)
      }
    }
    return Work(
      id: "reduce", title: "3840×2160 to 1920×1080, 8-bit RGBX, one thread",
      note: """
        Safelight averages linear light and so do those that say so; the others average encoded samples, which is less work \
        and darkens fine texture. zimg works on planes (gbrp).
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours { try Rendering(filters, on: $0.picture(size)).runner() },
        ffmpeg(
          "zimg-linear", "zimg (FFmpeg zscale), Lanczos-3, linear light",
          "zscale=transferin=iec61966-2-1:transfer=linear,format=gbrpf32,zscale=1920:1080:filter=lanczos,"
            + "zscale=transferin=linear:transfer=iec61966-2-1,format=gbrp", .resampling, before: "format=gbrp"
        ),
        ffmpeg(
          "zimg", "zimg (FFmpeg zscale), Lanczos-3", "zscale=1920:1080:filter=lanczos", .resampling,
          before: "format=gbrp"),
        ffmpeg(
          "swscale", "swscale, Lanczos-3", "scale=1920:1080:flags=lanczos", .resampling),
        library(
          "vips-linear", "vips resize, Lanczos-3, linear light", "vips-resize", "linear-light", "pyvips",
          .resampling),
        library("vips", "vips resize, Lanczos-3", "vips-resize", "lanczos3", "pyvips", .resampling),
        library("pillow", "pillow-simd or Pillow, Lanczos-3", "pillow-resize", "lanczos", "PIL", .resampling),
        library("opencv", "OpenCV resize, area", "opencv-resize", "area", "cv2", .resampling),
      ])
  }
}

extension Contender {
  /// The same, with the number of source samples that its kernel weighs per pixel.
  fileprivate func weighing(_ samples: Int?) -> Contender {
    var contender = self
    contender.samplesPerPixel = samples
    return contender
  }
}

extension Tolerance {
  /// For other resampling kernels: textures and edges differ, smooth parts and means do not.
  static let resampling = Tolerance(mean: 6)
}
