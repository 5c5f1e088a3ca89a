import FrameCore
import Libc
import MovieIO
import TestSupport
import Testing

/// A Matroska file of a test.
final class WrittenMovie {
  let path: String
  let writer: MatroskaWriter
  private let descriptor: Int32

  init(_ scratch: Scratch, _ name: String = "movie.mkv", tracks: [MovieTrack]) throws {
    path = scratch(name)
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    writer = try MatroskaWriter(descriptor: descriptor, path: path, tracks: tracks)
  }

  deinit { close(descriptor) }

  func write(_ packets: [EncodedPacket], track: Int = 0) throws {
    for packet in packets { try writer.write(packet, track: track) }
  }
}

/// A stream of pictures as an encoder gave it.
struct EncodedMovie {
  var format: EncodedVideoFormat
  var packets: [EncodedPacket] = []
  var delay = 0
  var sources: [PixelBuffer] = []

  /// Encodes `count` pictures of a scene at the ticks that `tick` gives.
  init(
    _ settings: VideoEncoderSettings, count: Int, noise: Int = 4, keepsSources: Bool = true,
    tick: (Int) -> Int64 = { Int64($0) * 3000 }, before: (Int, VideoEncoder) throws -> Void = { _, _ in }
  ) throws {
    let encoder = try VideoEncoder(settings)
    format = encoder.format
    let scene = MovieScene(size: settings.size, format: settings.pixelFormat, noise: noise)
    for index in 0..<count {
      let frame = try scene.frame(index, tags: settings.tags)
      try before(index, encoder)
      packets += try encoder.encode(frame, at: tick(index))
      if keepsSources { sources.append(frame) }
    }
    packets += try encoder.finish()
    delay = encoder.delay
  }
}
