import Benchmark
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// FFmpeg with the same chain on the same frames: exposure, colour temperature, contrast and saturation, the same
/// table, rotation by 2° and the same crop. Its process, start-up included, works on `frames` frames.
func ffmpegBenchmarks() {
  for size in LiveSize.allCases {
    let frames = size == .fullHD ? 16 : 4
    Benchmark(
      "ffmpeg, the same chain on \(frames) frames of \(size.rawValue) YUYV",
      configuration: .init(warmupIterations: 0, maxDuration: .seconds(8), maxIterations: 2)
    ) { benchmark in
      let files = try FFmpegFiles(size.pixels, frames: frames)
      defer { files.remove() }
      benchmark.startMeasurement()
      let status = try files.run()
      benchmark.stopMeasurement()
      if status != 0 { benchmark.error("ffmpeg ended with status \(status); is it installed?") }
    }
  }
}

/// The frames and the table as files, and FFmpeg's command line for them.
private struct FFmpegFiles {
  private let frames: String
  private let table: String
  private let size: PixelSize
  private let crop: PixelSize

  init(_ size: PixelSize, frames count: Int) throws {
    self.size = size
    crop = try LiveRendering(size, .yuyv422, threads: 1).plan.plan.outputSize
    frames = "/tmp/safelight-live-\(getpid()).yuyv"
    table = "/tmp/safelight-live-\(getpid()).cube"
    let picture = try LivePictures.frame(size, .yuyv422)
    guard let file = fopen(frames, "w") else {
      throw SafelightError(.file, "\(frames) cannot be written: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    for _ in 0..<count {
      for y in 0..<size.height { fwrite(picture.planes[0].row(y), 1, 2 * size.width, file) }
    }
    try Self.writeTable(to: table)
  }

  /// A 33³ table; which one does not matter for the time.
  private static func writeTable(to path: String) throws {
    guard let file = fopen(path, "w") else {
      throw SafelightError(.file, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var text = "LUT_3D_SIZE 33\n"
    for b in 0..<33 {
      for g in 0..<33 {
        for r in 0..<33 {
          let color = SIMD3(Double(r), Double(g), Double(b)) / 32
          let bent = color * color * 0.3 + color * 0.7
          text += "\(bent.x) \(bent.y) \(bent.z)\n"
        }
      }
    }
    fputs(text, file)
  }

  func remove() {
    unlink(frames)
    unlink(table)
  }

  /// FFmpeg's exit status.
  func run() throws -> Int32 {
    let chain =
      "exposure=exposure=0.3,colortemperature=temperature=6900,eq=contrast=1.1:saturation=1.15,"
      + "lut3d=file=\(table):interp=tetrahedral,rotate=2*PI/180,crop=\(crop.width):\(crop.height)"
    let arguments = [
      "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuyv422", "-s",
      "\(size.width)x\(size.height)", "-i", frames, "-vf", chain, "-f", "null", "-",
    ]
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, "ffmpeg", nil, nil, &pointers, environ)
    guard failure == 0 else { return failure }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return (status >> 8) & 0xff
  }
}
