import BenchmarkSupport
import Glibc
import Safelight

/// Photos from file to file: whole processes, on all cores.
extension Work {
  static func photos() -> [Work] { [chain24(), edit12(), memory108()] }

  /// Safelight's command line for the chain that rivals follow.
  private static func edit(_ workshop: Workshop, _ photo: String, _ more: [String], to output: String)
    -> [String]
  {
    [workshop.program, "edit", photo, "-o", output, "--quality", "92"] + more
  }

  private static func chain24() -> Work {
    let size = PixelSize(width: 6000, height: 4000)
    let light = ["--exposure", "0.3", "--temperature", "6900", "--contrast", "10"]
    let (saturation, turn) = (["--saturation", "15"], ["--straighten", "2", "--crop", "4:3"])
    func full(_ workshop: Workshop) throws -> [String] {
      light + saturation + ["--lut", try workshop.table()] + turn
    }
    let profile = RawTherapeeProfile.text(
      saturation: 15, crop: (488, 116, PixelSize(width: 5024, height: 3768)))
    func rival(
      _ id: String, _ title: String, _ program: Contender.Requirement, _ tolerance: Tolerance? = .edit,
      leastRuns: Int = 3, does flags: @escaping (Workshop) throws -> [String] = full,
      _ command: @escaping (_ workshop: Workshop, _ photo: String, _ output: String) throws -> [[String]]
    ) -> Contender {
      // The part of the chain that the rival has, done by Safelight.
      func reference(_ workshop: Workshop) throws -> Picture {
        let output = "\(workshop.folder)/24-part.jpg"
        defer { unlink(output) }
        let command = try edit(workshop, workshop.photo(size), flags(workshop), to: output)
        _ = try ProgramRunner(workshop, [command], output: output).run()
        return try Picture(photo: output)
      }
      var contender = Contender.rival(id, title, needs: program, tolerance: tolerance, reference: reference) {
        workshop in
        let output = "\(workshop.folder)/24-\(id).jpg"
        return ProgramRunner(
          workshop, try command(workshop, workshop.photo(size), output), output: output)
      }
      contender.leastRuns = leastRuns
      return contender
    }
    func libjpeg(_ id: String, _ title: String, _ sampling: String) -> Contender {
      var contender = rival(id, title, .program("djpeg"), nil) { workshop, photo, output in
        let picture = "\(workshop.folder)/24.ppm"
        return [
          ["djpeg", "-outfile", picture, photo],
          ["cjpeg", "-quality", "92", "-sample", sampling, "-outfile", output, picture],
        ]
      }
      contender.role = .yardstick
      return contender
    }
    return Work(
      id: "photo-24", kind: .photo,
      title: "24-megapixel JPEG, the full chain, JPEG of quality 92, whole processes",
      note: """
        Exposure, white balance, contrast, saturation, a 33³ table, straighten by 2°, crop. Rivals do what of it they have: \
        vips has no 3D tables and no saturation here; darktable's command line does none of these and not the turn, \
        RawTherapee's no tables. Exposure and contrast mean other things in each, so results are compared as edits, with \
        what Safelight makes of the same steps. vips is run by Python, whose start is part of \
        its time. ImageMagick has two runs. Safelight stores 4:4:4 at this quality; djpeg and then cjpeg, through a file in \
        memory, only decode and encode.
        """,
      pixels: size.pixelCount, unedited: { try Picture(photo: $0.photo(size)) },
      contenders: [
        .ours { workshop in
          let output = workshop.folder + "/24-ours.jpg"
          return ProgramRunner(
            workshop, [try edit(workshop, workshop.photo(size), full(workshop), to: output)], output: output)
        },
        libjpeg("libjpeg", "djpeg, then cjpeg (4:2:0), no edit", "2x2"),
        libjpeg("libjpeg-444", "djpeg, then cjpeg (4:4:4), no edit", "1x1"),
        rival("vips", "vips (pyvips), bicubic", .module("pyvips"), does: { _ in light + turn }) {
          workshop, photo, output in
          [[workshop.python, try workshop.textFile("vips.py", VipsScript.text), photo, output]]
        },
        rival("imagemagick", "ImageMagick, two runs", .program(imageMagick), leastRuns: 2) {
          workshop, photo, output in
          [
            [
              imageMagick, photo, "-color-matrix", "1.14 0 0 0 1.1 0 0 0 1.05", "-sigmoidal-contrast",
              "1.5x50%",
              "-modulate", "100,115", try workshop.hald(), "-hald-clut", "-virtual-pixel", "edge", "-distort",
              "SRT", "2",
              "-gravity", "center", "-crop", "5024x3768+0+0", "+repage", "-sampling-factor", "4:4:4",
              "-quality", "92",
              output,
            ]
          ]
        },
        rival("darktable", "darktable-cli", .program("darktable-cli"), does: { _ in light }) {
          workshop, photo, output in
          [
            [
              "darktable-cli", photo, try workshop.textFile("edit.xmp", DarktableSidecar.text), output,
              "--core",
              "--configdir", workshop.folder + "/darktable", "--library", ":memory:", "--conf",
              "opencl=FALSE",
              "--conf", "plugins/imageio/format/jpeg/quality=92",
            ]
          ]
        },
        rival(
          "rawtherapee", "rawtherapee-cli", .program("rawtherapee-cli"),
          does: { _ in light + saturation + turn }
        ) { workshop, photo, output in
          [
            [
              "rawtherapee-cli", "-q", "-Y", "-o", output, "-p",
              try workshop.textFile("edit.pp3", profile), "-j92", "-js3", "-c", photo,
            ]
          ]
        },
      ])
  }

  private static func edit12() -> Work {
    let size = PixelSize(width: 4000, height: 3000)
    return Work(
      id: "photo-12", kind: .photo, title: "Edit of a 12-megapixel JPEG, whole process",
      note: "Exposure, white balance, contrast, a 33³ table, straighten by 2°, crop 4:5, quality 92.",
      pixels: size.pixelCount,
      contenders: [
        .ours { workshop in
          let output = workshop.folder + "/12-ours.jpg"
          return ProgramRunner(
            workshop,
            [
              try edit(
                workshop, workshop.photo(size),
                [
                  "--exposure", "0.3", "--temperature", "6900", "--contrast", "10", "--lut", workshop.table(),
                  "--straighten", "2", "--crop", "4:5",
                ], to: output)
            ], output: output)
        },
        Contender(
          id: "libjpeg", title: "djpeg, then cjpeg (4:2:0), no edit", role: .yardstick,
          needs: .program("djpeg")
        ) {
          workshop in
          let picture = workshop.folder + "/12.ppm"
          return ProgramRunner(
            workshop,
            [
              ["djpeg", "-outfile", picture, try workshop.photo(size)],
              ["cjpeg", "-quality", "92", "-outfile", workshop.folder + "/12-copy.jpg", picture],
            ])
        },
      ])
  }

  private static func memory108() -> Work {
    let size = PixelSize(width: 12_000, height: 9000)
    return Work(
      id: "memory-108", kind: .photo, title: "Peak memory of an edit of a 108-megapixel JPEG",
      note:
        "Exposure, white balance, a 33³ table, straighten by 2°. The most that was resident, as the kernel tells; vips with Python.",
      quantity: .bytes,
      contenders: [
        .ours { workshop in
          let output = workshop.folder + "/108-ours.jpg"
          return ProgramRunner(
            workshop,
            [
              try edit(
                workshop, workshop.photo(size),
                [
                  "--exposure", "0.3", "--temperature", "6900", "--lut", workshop.table(), "--straighten",
                  "2",
                ], to: output)
            ], output: output, value: .peakMemory)
        },
        .rival("vips", "vips (pyvips), bicubic, no table", needs: .module("pyvips"), tolerance: nil) {
          workshop in
          let output = workshop.folder + "/108-vips.jpg"
          return ProgramRunner(
            workshop,
            [
              [
                workshop.python, try workshop.textFile("vips.py", VipsScript.text), try workshop.photo(size),
                output,
              ]
            ], output: output, value: .peakMemory)
        },
      ])
  }
}
