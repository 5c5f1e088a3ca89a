import Foundation
import Safelight

/// A camera's part without a camera: a few prepared pictures at a fixed rate, stamped when they are due, so that
/// what is measured is the photo output and not the painting of a scene.
final class PacedInput: CaptureInput, @unchecked Sendable {
  let id = "paced"
  let name = "paced"
  let facing = CameraFacing.external
  fileprivate let pictures: [PixelBuffer]
  fileprivate let rate: Double

  /// - Parameter seed: of the pictures' detail, which encoders have to work on.
  init(size: PixelSize, rate: Double, count: Int = 4, seed: UInt64 = 1) throws {
    self.rate = rate
    var state = seed
    pictures = try (0..<count).map { number in
      let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
      let buffer = try PixelBuffer(size: size, format: .nv12, tags: tags)
      for y in 0..<size.height {
        let row = buffer.row(y, of: 0, as: UInt8.self)
        for x in 0..<size.width {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let wave = sin(Double(x + 40 * number) / 37) * cos(Double(y) / 53)
          row[x] = UInt8(120 + 70 * wave + Double(state >> 60))
        }
      }
      for y in 0..<size.height / 2 {
        let row = buffer.row(y, of: 1, as: UInt8.self)
        for x in row.indices { row[x] = UInt8(118 + 20 * (x + y) / (size.width + size.height)) }
      }
      return buffer
    }
  }

  func openStream(_ request: StreamRequest) throws -> any FrameStream { PacedStream(self) }

  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool { false }
}

private final class PacedStream: FrameStream {
  private let input: PacedInput
  private var sequence: UInt64 = 0
  private var begin: Timestamp?

  init(_ input: PacedInput) { self.input = input }

  var format: StreamFormat {
    let picture = input.pictures[0]
    return StreamFormat(
      size: picture.size, encoding: .raw(picture.format), pixelFormat: picture.format, tags: picture.tags,
      framesPerSecond: input.rate)
  }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    let first = begin ?? .now
    begin = first
    let due = first.advanced(bySeconds: Double(sequence) / input.rate)
    guard due <= deadline else {
      sleep(until: deadline)
      return .idle
    }
    sleep(until: due)
    defer { sequence += 1 }
    let picture = input.pictures[Int(sequence) % input.pictures.count]
    return .frame(Frame(buffer: picture, time: due, sequence: sequence))
  }

  private func sleep(until moment: Timestamp) {
    let seconds = moment.seconds(since: .now)
    if seconds > 0 { usleep(UInt32(seconds * 1e6)) }
  }

  func wake() {}
  func close() {}
}
