import BenchmarkSupport
import Glibc
import Safelight

/// A program that edits the corpus, in one of the ways it can be run.
struct Contender {
  /// The competitor; only the best of its ways counts.
  var rival: String
  var way: String
  /// Returns the commands to run in parallel for these photos and this output folder.
  var commands: (_ photos: [String], _ output: String) -> [[String]]
  var environment: [String: String] = [:]
  /// The number of photos that is enough to measure its speed; nil uses the whole corpus.
  var photos: Int?
  /// A required program, found through `PATH`.
  var program: String
  /// Why it cannot run; nil if it can.
  var obstacle: String?

  var name: String { "\(rival), \(way)" }
}

/// The files that contenders need besides the corpus.
struct Workshop {
  let folder: String
  /// The 3D table as a file, and as a Hald image.
  let table: String
  let hald: String

  /// - Parameter program: Safelight's program.
  init(in folder: String, program: String) throws {
    self.folder = folder
    table = folder + "/look.cube"
    hald = folder + "/look.png"
    try FileContents.write(
      ShippedFiles.contents(ShippedFiles.prefix + "luts/teal-orange.cube"), to: table, overwrite: true)
    try Self.writeIdentityHald(to: folder + "/identity.png")
    let cost = try ProcessGroup.run(
      [[program, "edit", folder + "/identity.png", "-o", hald, "--lut", table]], log: folder + "/log.txt")
    guard cost.isSuccess else {
      throw SafelightError(.file, "\(program) made no Hald picture; see \(folder)/log.txt")
    }
    try FileContents.write(Array(VipsScript.text.utf8), to: folder + "/vips.py", overwrite: true)
    try FileContents.write(
      Array(RawTherapeeProfile.text(longEdge: 2048).utf8), to: folder + "/edit.pp3", overwrite: true)
    try FileContents.write(Array(DarktableSidecar.text.utf8), to: folder + "/edit.xmp", overwrite: true)
  }

  /// Level 8: 512 × 512 pixels with 64³ colours, red varying fastest.
  private static func writeIdentityHald(to path: String) throws {
    let picture = try PixelBuffer(size: PixelSize(width: 512, height: 512), format: .rgba8)
    for index in 0..<64 * 64 * 64 {
      let pixel = picture.planes[0].row(index / 512).assumingMemoryBound(to: UInt8.self) + 4 * (index % 512)
      let color = SIMD3(index % 64, index / 64 % 64, index / 4096)
      for channel in 0..<3 { pixel[channel] = UInt8((color[channel] * 255 + 31) / 63) }
      pixel[3] = 255
    }
    try picture.write(to: path, overwrite: true)
  }
}

extension Contender {
  /// Returns Safelight with a number of jobs.
  static func safelight(_ program: String, _ workshop: Workshop, jobs: Int, isolates: Bool = true)
    -> Contender
  {
    Contender(
      rival: "safelight", way: "--jobs \(jobs)" + (isolates ? "" : " --no-isolate"),
      commands: { photos, output in
        [
          [program, "batch"] + photos
            + [
              "-o", output, "--exposure", "0.3", "--temperature", "6900", "--contrast", "10", "--lut",
              workshop.table, "--straighten", "2", "--resize", "2048", "--quality", "92", "--jobs", "\(jobs)",
            ] + (isolates ? [] : ["--no-isolate"])
        ]
      }, program: program)
  }

  static func rivals(_ workshop: Workshop) -> [Contender] {
    vips(workshop) + imageMagick(workshop) + [darktable(workshop), rawTherapee(workshop)]
  }

  // MARK: vips

  /// Exposure and white balance as one matrix, contrast, rotation with bicubic interpolation, crop and
  /// reduction. vips has no 3D tables.
  private static func vips(_ workshop: Workshop) -> [Contender] {
    let cores = processorCount
    let obstacle = succeeds(["python3", "-c", "import pyvips"]) ? nil : "pyvips is not installed"
    // From the least work to the work that Safelight does.
    let reductions = [
      ("thumbnail", "vips, JPEGs decoded at a fraction"), ("resize", "vips, all pixels averaged"),
      ("linear", "vips, all pixels averaged in linear light"),
    ]
    return reductions.flatMap { reduction, rival in
      [("own threads", 1, "\(cores)"), ("\(cores) processes", cores, "1")].map { way, processes, threads in
        Contender(
          rival: rival, way: way,
          commands: { photos, output in
            split(photos, processes).map {
              ["python3", workshop.folder + "/vips.py", reduction, output] + $0
            }
          }, environment: ["VIPS_CONCURRENCY": threads],
          photos: reduction == "thumbnail" ? nil : 48, program: "python3", obstacle: obstacle)
      }
    }
  }

  // MARK: ImageMagick

  private static func imageMagick(_ workshop: Workshop) -> [Contender] {
    let cores = processorCount
    let program = ["magick", "/usr/bin/convert"].first { Machine.isInstalled($0) } ?? "convert"
    // `jpeg:size` lets libjpeg decode at a fraction, and the picture is rotated after it was reduced: both are
    // in its favour.
    func edit(_ photo: String, _ output: String) -> String {
      let name = photo.split(separator: "/").last.map(String.init) ?? photo
      let (size, edge) = result(of: photo)
      return [
        program, "-define jpeg:size=\(edge)x\(edge)", "'\(photo)'", "-resize \(edge)x\(edge)",
        "-color-matrix '1.14 0 0 0 1.1 0 0 0 1.05'", "-sigmoidal-contrast 1.5x50%",
        "'\(workshop.hald)'", "-hald-clut", "-virtual-pixel edge -distort SRT 2", "-gravity center",
        "-crop \(size)+0+0 +repage", "-sampling-factor 4:4:4 -quality 92", "'\(output)/\(name)'",
      ].joined(separator: " ")
    }
    return [("own threads", 1, "\(cores)"), ("\(cores) processes", cores, "1")].map {
      way, processes, threads in
      Contender(
        rival: "ImageMagick", way: way,
        commands: { photos, output in
          split(photos, processes).map { part in
            ["sh", "-c", part.map { edit($0, output) }.joined(separator: "\n")]
          }
        }, environment: ["OMP_NUM_THREADS": threads, "MAGICK_THREAD_LIMIT": threads], photos: 12,
        program: program)
    }
  }

  // MARK: Raw developers

  private static func darktable(_ workshop: Workshop) -> Contender {
    Contender(
      rival: "darktable", way: "one process, own threads",
      commands: { photos, output in
        // A folder of links, because darktable-cli takes only one file or one folder.
        let links = workshop.folder + "/links"
        removeFolder(links)
        mkdir(links, 0o777)
        for photo in photos {
          symlink(absolute(photo), "\(links)/\(photo.split(separator: "/").last ?? "")")
        }
        return [
          [
            "darktable-cli", links, workshop.folder + "/edit.xmp", output, "--width", "2048", "--height",
            "2048", "--out-ext", "jpg", "--core", "--configdir", workshop.folder + "/darktable", "--library",
            ":memory:", "--conf", "opencl=FALSE", "--conf", "plugins/imageio/format/jpeg/quality=92",
          ]
        ]
      }, photos: 12, program: "darktable-cli")
  }

  private static func rawTherapee(_ workshop: Workshop) -> Contender {
    Contender(
      rival: "RawTherapee", way: "one process, own threads",
      commands: { photos, output in
        [
          [
            "rawtherapee-cli", "-q", "-Y", "-o", output, "-p", workshop.folder + "/edit.pp3", "-j92", "-js3",
            "-c",
          ] + photos
        ]
      }, photos: 6, program: "rawtherapee-cli")
  }

  // MARK: Helpers

  /// Returns the size of a photo after the edit, as text, and the long edge before the rotation that contains
  /// it.
  private static func result(of photo: String) -> (size: String, edge: Int) {
    guard let size = try? PhotoHeader.read(photo).size else { return ("2048x2048", 2200) }
    let proportion = Double(size.longEdge) / Double(min(size.width, size.height))
    let turn = 2 * Double.pi / 180
    let short = Int((2048 / proportion).rounded())
    return (
      size.width > size.height ? "2048x\(short)" : "\(short)x2048",
      Int((2048 * (cos(turn) + sin(turn) * proportion)).rounded(.up))
    )
  }

  /// Distributes photos to processes.
  private static func split(_ photos: [String], _ count: Int) -> [[String]] {
    (0..<count).map { part in
      photos.enumerated().filter { $0.offset % count == part }.map(\.element)
    }.filter { !$0.isEmpty }
  }

  private static func succeeds(_ command: [String]) -> Bool {
    (try? ProcessGroup.run([command]).isSuccess) ?? false
  }

  private static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
