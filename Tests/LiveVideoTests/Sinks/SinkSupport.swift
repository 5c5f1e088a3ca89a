import LibraryTestSupport
import Safelight
import Foundation

/// A program of the system, found on PATH.
enum Tool {
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs it to its end and returns what it printed, or nil where it failed.
  static func output(_ name: String, _ arguments: [String]) throws -> [UInt8]? {
    guard let path = path(name) else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? Array(data) : nil
  }
}

/// A picture of `rgba8` whose pixels are computed for each place.
func livePicture(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)) throws
  -> PixelBuffer
{
  let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
  for y in 0..<height {
    let row = buffer.row(y, as: UInt8.self)
    for x in 0..<width {
      (row[4 * x], row[4 * x + 1], row[4 * x + 2]) = color(x, y)
      row[4 * x + 3] = 255
    }
  }
  return buffer
}

func liveFrame(_ picture: PixelBuffer, _ sequence: UInt64 = 0) -> RenderedFrame {
  RenderedFrame(
    picture: picture, time: Timestamp(nanoseconds: Int64(sequence) * 33_333_333), sequence: sequence)
}

extension SinkFormat {
  init(_ picture: PixelBuffer, _ framesPerSecond: Double = 30) {
    self.init(size: picture.size, framesPerSecond: framesPerSecond)
  }
}

extension PixelBuffer {
  /// R, G, B of all pixels, row after row.
  var packedRGB: [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      let row = row(y, as: UInt8.self)
      for x in 0..<width { bytes += row[4 * x..<4 * x + 3] }
    }
    return bytes
  }
}
