import BenchmarkSupport
import Glibc
import Safelight

/// OpenCV's `fastNlMeansDenoisingColoredMulti` on the same frames: `opencv_nlm.py`.
struct NonLocalMeans {
  let python: String
  let script: String

  struct Result {
    let light: LightPlane
    let seconds: Double
    let version: String
  }

  /// - Parameter strength: OpenCV's h and hColor, in 8-bit codes.
  func denoise(_ burst: Burst, strength: Double) throws -> Result {
    let folder = "/tmp/safelight-merge-\(getpid())"
    mkdir(folder, 0o700)
    defer { remove(folder) }
    var files: [String] = []
    defer { for file in files { unlink(file) } }
    for (index, frame) in burst.frames.enumerated() {
      files.append("\(folder)/\(index).rgba")
      try FileContents.write(bytes(of: frame), to: files[index], overwrite: true)
    }
    let (output, log) = ("\(folder)/out.rgba", "\(folder)/log.txt")
    files += [output, log]
    let place = ["\(Burst.size.width)", "\(Burst.size.height)", "\(Burst.reference)"]
    let command = [python, "-B", script] + place + ["\(strength)", output]
    let cost = try ProcessGroup.run(
      [command + files.prefix(burst.frames.count)], log: log, timeLimit: 900)
    let words = (textFile(log) ?? "").split(whereSeparator: \.isWhitespace)
    guard cost.isSuccess, words.count == 2, let seconds = Double(words[1]) else {
      throw SafelightError(.unsupported, "OpenCV failed: \(lastWords(ofLog: log))")
    }
    let buffer = try PixelBuffer(size: Burst.size, format: .rgba8)
    guard let file = fopen(output, "r") else {
      throw SafelightError(.file, "OpenCV wrote no result")
    }
    defer { fclose(file) }
    for y in 0..<buffer.height {
      let row = buffer.row(y, as: UInt8.self)
      guard fread(row.baseAddress, 1, row.count, file) == row.count else {
        throw SafelightError(.file, "OpenCV's result is too short")
      }
    }
    return Result(light: try LightPlane(buffer), seconds: seconds, version: String(words[0]))
  }

  private func bytes(of frame: PixelBuffer) -> [UInt8] {
    (0..<frame.height).flatMap { Array(frame.row($0, as: UInt8.self)) }
  }
}
