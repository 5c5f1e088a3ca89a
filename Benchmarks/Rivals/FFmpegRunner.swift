import BenchmarkSupport
import Glibc
import Safelight

/// FFmpeg's filters on one frame, repeatedly: its own `bench` filter measures the time of a frame in the chain,
/// so that neither start-up nor reading counts.
final class FFmpegRunner: Runner {
  private let workshop: Workshop
  private let chain: String
  private let ahead: String
  private let input: [String]
  private let outputSize: PixelSize
  private let threads: Int
  private let frames: Int

  /// - Parameters:
  ///   - chain: filters; their output must be RGBX or planar GBR.
  ///   - ahead: filters whose time does not count.
  ///   - source: raw rows of a frame without padding.
  ///   - format: FFmpeg's name of its pixel format.
  ///   - frames: the number measured by each run, after one that is not counted.
  init(
    _ workshop: Workshop, _ chain: String, ahead: String = "", source: String, size: PixelSize,
    format: String,
    outputSize: PixelSize? = nil, threads: Int = 1, frames: Int = 4
  ) {
    self.workshop = workshop
    self.chain = chain
    self.ahead = ahead.isEmpty ? "" : ahead + ","
    self.outputSize = outputSize ?? size
    self.threads = threads
    self.frames = frames
    input = ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(size.width)x\(size.height)", "-i", source]
  }

  func run() throws -> [Double] {
    let log = workshop.folder + "/ffmpeg.txt"
    unlink(log)
    try start(
      filters: "\(ahead)loop=loop=-1:size=1,bench=start,\(chain),bench=stop",
      output: ["-frames:v", "\(frames + 1)", "-f", "null", "-"], log: log)
    // [bench @ 0x…] t:0.012345 avg:…
    let times = (textFile(log) ?? "").split(separator: "\n").compactMap { line -> Double? in
      guard line.contains("bench @") else { return nil }
      let word = line.split(separator: " ").first { $0.hasPrefix("t:") }
      return word.flatMap { Double($0.dropFirst(2)) }
    }
    guard times.count > 1 else {
      throw SafelightError(
        .unsupported, "FFmpeg's bench filter said no times: \(lastWords(ofLog: log))")
    }
    // The first frame has to allocate buffers and tables.
    return Array(times.dropFirst())
  }

  func picture() throws -> Picture? {
    let file = workshop.folder + "/ffmpeg.raw"
    defer { unlink(file) }
    try start(
      filters: ahead + chain, output: ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgba", "-y", file],
      log: workshop.folder + "/ffmpeg.txt")
    return try Picture(file: file, size: outputSize)
  }

  private func start(filters: String, output: [String], log: String) throws {
    let command =
      ["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "info", "-filter_threads", "\(threads)"] + input
      + ["-vf", filters] + output
    guard try ProcessGroup.run([command], log: log, timeLimit: ProgramRunner.timeLimit).isSuccess else {
      throw SafelightError(.unsupported, "FFmpeg failed: \(lastWords(ofLog: log))")
    }
  }
}
