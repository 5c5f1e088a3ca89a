import Foundation
import FrameCore
import MovieIO
import Testing

/// Streams of FFmpeg's encoders, a few packets each: `Fixtures/packets`.
struct TestStream {
  let track: MovieTrack
  let packets: [EncodedPacket]

  /// - Parameter name: of a file there; what it was made from stands in `make.py`.
  init(_ name: String, orientation: Orientation = .up, aspect: SampleAspect = .square) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/packets")
    let text = try String(
      contentsOf: folder.appending(path: "\(name).txt").standardizedFileURL, encoding: .utf8)
    var configuration: [UInt8] = []
    var packets: [EncodedPacket] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let bytes = Array(try #require(Data(base64Encoded: words[words.count - 1])))
      guard words[0] != "configuration" else {
        configuration = bytes
        continue
      }
      let numbers = try words.dropLast().map { try #require(Int64($0)) }
      packets.append(
        EncodedPacket(
          bytes: bytes, presentation: numbers[0], decode: numbers[1], duration: numbers[2],
          isKey: numbers[3] == 1))
    }
    self.packets = packets
    if let codec = VideoCodec(rawValue: name) {
      track = .video(
        EncodedVideoFormat(
          codec: codec, size: PixelSize(width: 64, height: 48), configuration: configuration,
          fourCC: codec == .prores ? "apco" : "",
          tags: ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited),
          sampleAspect: aspect, orientation: orientation))
    } else {
      track = .audio(
        EncodedAudioFormat(
          codec: try #require(AudioCodec(rawValue: name)),
          format: AudioFormat(sampleRate: 48_000, layout: .mono), configuration: configuration,
          priming: Int(-(packets.first?.presentation ?? 0)), samplesPerPacket: Int(packets[0].duration),
          bitsPerSample: name == "flac" ? 16 : 0))
    }
  }

  init(track: MovieTrack, packets: [EncodedPacket]) { (self.track, self.packets) = (track, packets) }

  /// A ramp of PCM in packets of 10 ms.
  static func pcm(bits: Int, layout: ChannelLayout, seconds: Double) -> TestStream {
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    let packets = (0..<Int(seconds * 100)).map { index in
      var bytes: [UInt8] = []
      for sample in 0..<480 {
        for channel in 0..<layout.channelCount {
          let value = (index * 480 + sample) % 1000 * (channel + 1)
          switch bits {
          case 32: withUnsafeBytes(of: Float(value) / 8192) { bytes += $0 }
          case 24: withUnsafeBytes(of: Int32(value << 8).littleEndian) { bytes += $0[0..<3] }
          default: withUnsafeBytes(of: Int16(value).littleEndian) { bytes += $0 }
          }
        }
      }
      return EncodedPacket(bytes: bytes, presentation: Int64(index) * 480, duration: 480)
    }
    let audio = EncodedAudioFormat(codec: .pcm, format: format, configuration: [], bitsPerSample: bits)
    return TestStream(track: .audio(audio), packets: packets)
  }

  /// The packets of several streams in the order in which a recording has them: by the time of decoding.
  static func interleaved(_ streams: [TestStream]) -> [(track: Int, packet: EncodedPacket)] {
    streams.enumerated()
      .flatMap { index, stream in stream.packets.map { (track: index, packet: $0) } }
      .sorted { first, second in
        Double(first.packet.decode) / Double(streams[first.track].track.timeScale)
          < Double(second.packet.decode) / Double(streams[second.track].track.timeScale)
      }
  }
}

/// What a movie is written with in tests: nothing that depends on the clock.
func testOptions(_ change: (inout MP4Writer.Options) -> Void = { _ in }) -> MP4Writer.Options {
  var options = MP4Writer.Options()
  options.creationTime = 1_700_000_000
  options.tool = nil
  change(&options)
  return options
}
