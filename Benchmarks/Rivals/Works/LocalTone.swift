import BenchmarkSupport
import Safelight

/// What looks at the surroundings or at the place of a pixel: local tone, grain, sharpening, noise reduction.
extension Work {
  static func localTone() -> [Work] {
    [
      light("1080p", Workshop.fullHD), light("4k", Workshop.ultraHD), sharpening(), denoising(),
      denoising24(),
      lightPlan(), photo24(), memory108(),
    ]
  }

  /// Light that depends on the place and on the surroundings.
  private static let places: [any Filter] = [
    Tone(highlights: -40, shadows: 40), Clarity(20), Vignette(amount: -30), Grain(25),
  ]

  private static func colors(_ workshop: Workshop) throws -> [any Filter] {
    [
      Exposure(stops: 0.3), WhiteBalance(temperature: 6900), Contrast(10), Saturation(15), try workshop.lut(),
    ]
  }

  private static func light(_ name: String, _ size: PixelSize) -> Work {
    func ours(_ id: String, _ title: String, _ more: [any Filter], threads: Int = 2) -> Contender {
      .ours(id, title) { workshop in
        try Rendering(
          colors(workshop) + more, on: workshop.picture(size, .yuyv422), threads: threads
        ).runner()
      }
    }
    return Work(
      id: "light-\(name)", kind: .frame,
      title: "Local tone on live frames, \(size) YUYV to 8-bit RGBX, two threads",
      note: """
        Highlights, shadows, clarity, a vignette and grain, then exposure, white balance, contrast, saturation and a 33³ \
        table. The light around the pixels is measured anew in each frame. No rival does this on live frames.
        """,
      pixels: size.pixelCount,
      contenders: [
        ours("ours", "safelight", places), ours("ours-1", "safelight, one thread", places, threads: 1),
        ours("sharpened", "the same, sharpened", places + [Sharpen(60)]),
        ours("colors", "safelight, the colours alone", []),
        Contender(id: "memcpy", title: "memcpy of the frame and of its RGBX", role: .yardstick) { workshop in
          try copying {
            [
              (try $0.picture(size, .yuyv422), try PixelBuffer(size: size, format: .yuyv422)),
              (try $0.picture(size), try PixelBuffer(size: size, format: .rgba8)),
            ]
          }(workshop)
        },
      ])
  }

  private static func ffmpeg(
    _ id: String, _ title: String, _ chain: String, _ size: PixelSize, threads: Int = 2, frames: Int = 4
  ) -> Contender {
    // Their formulas differ, so the pictures are not compared.
    .rival(id, title, needs: .program("ffmpeg"), tolerance: nil) { workshop in
      FFmpegRunner(
        workshop, chain, source: try workshop.rawFile(size, .rgba8), size: size, format: "rgb0",
        threads: threads, frames: frames)
    }
  }

  private static func sharpening() -> Work {
    let size = Workshop.fullHD
    return Work(
      id: "sharpen", kind: .frame, title: "Sharpening, 1920×1080 of 8-bit RGBX, two threads",
      note: """
        Safelight: unsharp mask of luma with σ 1, halos limited. FFmpeg's unsharp: a window of 7 pixels on luma, and the \
        conversions from and to RGB that it needs.
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours { try Rendering([Sharpen(60)], on: $0.picture(size), threads: 2).runner() },
        ffmpeg("ffmpeg", "FFmpeg unsharp", "format=yuv444p,unsharp=7:7:1:7:7:0,format=rgb0", size),
      ])
  }

  private static func denoising() -> Work {
    let size = Workshop.fullHD
    return Work(
      id: "denoise", kind: .frame, title: "Noise reduction, 1920×1080 of 8-bit RGBX, two threads",
      note: """
        Safelight: DCT of 8 × 8 and Wiener, luma and colour. FFmpeg: dctdnoiz is the DCT without a second pass, nlmeans \
        with its smallest useful windows, hqdn3d a filter of differences along rows, columns and time, which keeps no detail.
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours {
          try Rendering(
            [NoiseReduction(luminance: 100, color: 100)], on: $0.picture(size), threads: 2
          ).runner()
        },
        ffmpeg("dctdnoiz", "FFmpeg dctdnoiz", "format=gbrp,dctdnoiz=s=8:n=3,format=rgb0", size, frames: 1),
        ffmpeg(
          "nlmeans", "FFmpeg nlmeans", "format=yuv444p,nlmeans=s=3:p=7:r=9,format=rgb0", size, frames: 1),
        ffmpeg("hqdn3d", "FFmpeg hqdn3d", "format=yuv444p,hqdn3d,format=rgb0", size),
      ])
  }

  private static func denoising24() -> Work {
    let size = PixelSize(width: 6000, height: 4000)
    var opencv = Contender.rival(
      "opencv", "OpenCV fastNlMeansDenoisingColored", needs: .module("cv2"), tolerance: nil
    ) { workshop in
      try LibraryRunner(
        workshop, "opencv-denoise", source: workshop.rawFile(size, .rgba8), size: size, ["threads": 2])
    }
    opencv.leastRuns = 1
    return Work(
      id: "denoise-24", title: "Noise reduction of 24 megapixels, two threads",
      note: "OpenCV: windows of 7 and 21 pixels, its defaults.", pixels: size.pixelCount,
      contenders: [
        .ours {
          try Rendering(
            [NoiseReduction(luminance: 100, color: 100)], on: $0.picture(size), threads: 2
          ).runner()
        }, opencv,
      ])
  }

  private static func lightPlan() -> Work {
    Work(
      id: "light-plan", title: "A plan with local tone from scratch: lower, bake, prove, compile",
      note: "Without a cache of tables.",
      contenders: [
        .ours { workshop in
          let recipe = Recipe(filters: try places + colors(workshop))
          let renderer = CPURenderer()
          return FunctionRunner {
            _ = try renderer.prepare(
              renderer.plan(recipe, input: PlanInput(size: Workshop.ultraHD), output: PlanOutput()))
          }
        }
      ])
  }

  /// Flags of the same edit.
  private static let colorFlags = [
    "--exposure", "0.3", "--temperature", "6900", "--contrast", "10", "--saturation", "15",
  ]
  private static let placeFlags = [
    "--highlights", "-40", "--shadows", "40", "--clarity", "20", "--vignette", "-30", "--grain", "25",
    "--sharpen",
    "60",
  ]

  private static func exported(
    _ id: String, _ title: String, _ size: PixelSize, _ flags: [String], value: ProgramRunner.Value = .seconds
  ) -> Contender {
    .ours(id, title) { workshop in
      let output = "\(workshop.folder)/light-\(id).jpg"
      return ProgramRunner(
        workshop,
        [
          [workshop.program, "edit", try workshop.photo(size), "-o", output, "--quality", "92"] + colorFlags
            + ["--lut", try workshop.table()] + flags
        ], output: output, value: value)
    }
  }

  private static func rival(
    _ program: String, _ title: String, _ size: PixelSize, denoises: Bool
  ) -> Contender {
    let id = denoises ? program + "-denoised" : program
    let command = program == "darktable" ? "darktable-cli" : "rawtherapee-cli"
    var contender = Contender.rival(id, title, needs: .program(command), tolerance: nil) { workshop in
      let (output, photo) = ("\(workshop.folder)/\(id).jpg", try workshop.photo(size))
      let arguments =
        if program == "darktable" {
          [
            photo, try workshop.textFile("\(id).xmp", DarktableSidecar.localTone(denoises: denoises)), output,
            "--core", "--configdir", workshop.folder + "/darktable", "--library", ":memory:", "--conf",
            "opencl=FALSE", "--conf", "plugins/imageio/format/jpeg/quality=92",
          ]
        } else {
          [
            "-q", "-Y", "-o", output, "-p",
            try workshop.textFile("\(id).pp3", RawTherapeeProfile.localTone(denoises: denoises)), "-j92",
            "-js3", "-c", photo,
          ]
        }
      return ProgramRunner(workshop, [[command] + arguments], output: output)
    }
    contender.leastRuns = 1
    return contender
  }

  private static func photo24() -> Work {
    let size = PixelSize(width: 6000, height: 4000)
    return Work(
      id: "light-24", kind: .photo,
      title: "24-megapixel JPEG with local tone, JPEG of quality 92, whole processes",
      note: """
        Exposure, white balance, contrast, saturation and a 33³ table; with highlights, shadows, clarity, a vignette, grain \
        and sharpening; with noise reduction too. The rivals do the same in their own ways: darktable with its tone equalizer, \
        local contrast, vignette, grain, sharpening and non-local means, RawTherapee with its shadows and highlights, local \
        contrast, vignette, sharpening and noise reduction.
        """,
      pixels: size.pixelCount,
      contenders: [
        exported("ours", "safelight, all", size, placeFlags),
        exported("colors", "safelight, the colours alone", size, []),
        exported(
          "denoised", "safelight, all and noise reduction", size,
          placeFlags + ["--noise-reduction", "50", "--color-noise-reduction", "50"]),
        rival("darktable", "darktable, all but the table", size, denoises: false),
        rival("darktable", "darktable, the same and noise reduction", size, denoises: true),
        rival("rawtherapee", "RawTherapee, all but table and grain", size, denoises: false),
        rival("rawtherapee", "RawTherapee, the same and noise reduction", size, denoises: true),
      ])
  }

  private static func memory108() -> Work {
    let size = PixelSize(width: 12_000, height: 9000)
    return Work(
      id: "light-memory-108", kind: .photo, title: "Peak memory of local tone on a 108-megapixel JPEG",
      note: "As above, without noise reduction; the most that was resident, as the kernel tells.",
      quantity: .bytes,
      contenders: [exported("ours", "safelight", size, placeFlags, value: .peakMemory)])
  }
}
