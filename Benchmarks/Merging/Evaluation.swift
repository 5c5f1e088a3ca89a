import BenchmarkSupport
import Glibc
import Safelight

/// Measures what merging eight frames of 1080p gains and costs: on a drawn scene and on photos, with a still
/// camera and one in a hand, with and without things that move; beside OpenCV's non-local means on the same
/// frames.
///
///     swift run -c release --package-path Benchmarks MergeEvaluation --help
@main struct Evaluation {
  static func main() {
    do {
      if CommandLine.arguments.contains("--help") {
        print(Options.usage)
        return
      }
      try Machine.limitProcessors(to: 2)
      try Evaluation(options: try Options(CommandLine.arguments.dropFirst())).run()
    } catch {
      progress("MergeEvaluation: \(error)")
      exit(1)
    }
  }

  let options: Options
  private let report = MarkdownReport()

  private struct Scene {
    let name: String
    let light: LightPlane
  }

  private func run() throws {
    if let folder = options.pictures { mkdir(folder, 0o755) }
    report.title("Merging \(options.frames) frames of 1920×1080")
    report.say(
      "Noise is that of a sensor, in 8-bit sRGB. A hand shifts up to 20 pixels and turns up to a degree. "
        + "Gains are in dB of PSNR over the reference frame, against it without noise: of all pixels, of what "
        + "moves, and of all pixels that something moving covers in any frame. Seconds are the median of "
        + "\(options.runs) merges.")
    var rows: [[String]] = []
    var rivals: [[String]] = []
    for scene in try scenes() {
      for (camera, movers, noise) in Self.cases {
        let burst = try Burst(
          of: scene.light, camera: camera, movers: movers, noise: noise, frames: options.frames)
        let name = "\(scene.name), \(camera.rawValue)\(movers ? ", moving" : ""), \(noise.name)"
        progress(name)
        let merged = try measure(burst)
        let light = try LightPlane(merged.frames.buffer)
        let single = try LightPlane(burst.frames[Burst.reference])
        rows.append(row(name, burst, single, light, merged))
        try draw(name, single: burst.frames[Burst.reference], merged.frames.buffer)
        if noise.name == Burst.Noise.middle.name, !movers {
          rivals += try rival(name, burst, single, gain(burst, single, light, nil), merged.seconds)
        }
      }
    }
    report.table(
      [
        "scene", "one frame", "merged", "gain", "what moves", "around it", "rejected", "noise", "seconds",
        "of processors",
      ],
      rows)
    if !rivals.isEmpty {
      report.heading("Beside non-local means")
      report.table(["scene", "ours", "seconds", "OpenCV", "seconds", "strength", "version"], rivals)
    }
    if let path = options.report {
      try FileContents.write(Array(report.text.utf8), to: path, overwrite: true)
    }
  }

  private static let cases: [(Burst.Camera, Bool, Burst.Noise)] = [
    (.still, false, .low), (.still, false, .middle), (.still, false, .high), (.hand, false, .middle),
    (.hand, false, .high), (.still, true, .middle), (.hand, true, .middle),
  ]

  private func scenes() throws -> [Scene] {
    let look = PhotoPainter.Look(size: PixelSize(width: 4000, height: 2320), grain: 6, seed: 2)
    let drawn = try LightPlane(PhotoPainter(seed: 11).photo(look))
    return try [Scene(name: "drawn", light: drawn)]
      + options.photos.map { path in
        let photo = try Photo(contentsOf: path)
        guard photo.buffer.width >= 2000, photo.buffer.height >= 1160 else {
          throw SafelightError(
            .invalidValue, "\"\(path)\" has \(photo.buffer.size) pixels",
            remedy: "choose a photo of at least 2000×1160")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return Scene(name: name, light: try LightPlane(photo.buffer))
      }
  }

  private struct Measured {
    let frames: MergedFrames
    let seconds: Double
    /// Of all threads together.
    let processorSeconds: Double
  }

  private func measure(_ burst: Burst) throws -> Measured {
    var merge = FrameMerge()
    merge.threads = 2
    var result = try merge.merge(burst.frames, reference: Burst.reference)
    var seconds: [Double] = []
    let used = Self.processorSeconds()
    for _ in 0..<options.runs {
      let start = monotonicSeconds()
      result = try merge.merge(burst.frames, reference: Burst.reference)
      seconds.append(monotonicSeconds() - start)
    }
    return Measured(
      frames: result, seconds: median(seconds),
      processorSeconds: (Self.processorSeconds() - used) / Double(options.runs))
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func gain(_ burst: Burst, _ single: LightPlane, _ result: LightPlane, _ mask: PixelMask?) -> Double
  {
    result.quality(against: burst.clean, in: mask) - single.quality(against: burst.clean, in: mask)
  }

  private func row(
    _ name: String, _ burst: Burst, _ single: LightPlane, _ light: LightPlane, _ merged: Measured
  ) -> [String] {
    let statistics = merged.frames.statistics
    let rejected = statistics.frames.reduce(0) { $0 + $1.rejected } / Double(options.frames - 1)
    return [
      name, fixed(single.quality(against: burst.clean), 2), fixed(light.quality(against: burst.clean), 2),
      fixed(gain(burst, single, light, nil), 2),
      burst.moving.map { fixed(gain(burst, single, light, $0), 2) } ?? "–",
      burst.touched.map { fixed(gain(burst, single, light, $0), 2) } ?? "–",
      fixed(100 * rejected, 1) + " %", statistics.noise.map { fixed($0, 2) } ?? "–", fixed(merged.seconds, 3),
      fixed(merged.processorSeconds, 3),
    ]
  }

  /// The row of the strength that is best for OpenCV.
  private func rival(
    _ name: String, _ burst: Burst, _ single: LightPlane, _ ours: Double, _ seconds: Double
  ) throws -> [[String]] {
    guard let python = options.python else { return [] }
    let script = #filePath.replacing("Evaluation.swift", with: "opencv_nlm.py")
    var best: (gain: Double, strength: Double, result: NonLocalMeans.Result)?
    for strength in [3.0, 4] {
      let result = try NonLocalMeans(python: python, script: script).denoise(burst, strength: strength)
      let gain = gain(burst, single, result.light, nil)
      if gain > best?.gain ?? -.infinity { best = (gain, strength, result) }
    }
    guard let best else { return [] }
    return [
      [
        name, fixed(ours, 2), fixed(seconds, 3), fixed(best.gain, 2), fixed(best.result.seconds, 1),
        fixed(best.strength, 0), best.result.version,
      ]
    ]
  }

  private func draw(_ name: String, single: PixelBuffer, _ merged: PixelBuffer) throws {
    guard let folder = options.pictures else { return }
    for (kind, buffer) in [("one", single), ("merged", merged)] {
      let writer = try PhotoWriter(
        to: "\(folder)/\(name.replacing(", ", with: "-"))-\(kind).png", size: buffer.size,
        bitsPerSample: buffer.format.bitsPerSample, overwrite: true)
      try writer.write(buffer)
      try writer.finish()
    }
  }
}
