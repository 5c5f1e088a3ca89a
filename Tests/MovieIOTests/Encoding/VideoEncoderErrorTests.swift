import FrameCore
import MovieIO
import TestSupport
import Testing

/// What encoders refuse, and what they say.
@Suite("Refusals of video encoders")
struct VideoEncoderErrorTests {
  private func refusal(_ change: (inout VideoEncoderSettings) -> Void) -> String? {
    var settings = VideoEncoderSettings(size: PixelSize(width: 64, height: 48), tags: MovieScene.tags)
    change(&settings)
    return message { _ = try VideoEncoder(settings) }
  }

  @Test("Settings that make no sense are refused with the bounds")
  func settings() {
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.size = PixelSize(width: 1, height: 48) }?.contains("edges of 2…16384") == true)
    #expect(refusal { $0.quality = .constant(52) }?.contains("use 0 (best) … 51") == true)
    #expect(refusal { $0.quality = .constant(.nan) } != nil)
    #expect(refusal { $0.quality = .bitRate(1) }?.contains("1 bits per second") == true)
    #expect(refusal { $0.framesPerSecond = 0 }?.contains("use 0.01…1000") == true)
    #expect(refusal { $0.keyFrameInterval = -1 }?.contains("A key frame every -1 s") == true)
    #expect(refusal { $0.sampleAspect = SampleAspect(width: 0, height: 1) } != nil)
    #expect(refusal { $0.tags.transfer = .pq }?.contains("High dynamic range") == true)
    #expect(
      refusal {
        $0.codec = .ffv1
        $0.quality = .constant(3)
      } == "FFV1 has neither a quality nor a bit rate to choose; leave them out.")
    #expect(
      refusal {
        $0.codec = .prores
        $0.pixelFormat = .i444
      }?.contains("use p4444 for i444") == true)
  }

  @Test("A layout that an encoder does not take is refused with those that it takes")
  func layouts() {
    for codec in VideoCodec.allCases {
      for format in PixelFormat.allCases where !VideoEncoder.pixelFormats(for: codec).contains(format) {
        let text = refusal {
          $0.codec = codec
          $0.pixelFormat = format
        }
        #expect(text != nil, "\(codec) \(format)")
      }
    }
    #expect(
      refusal { $0.pixelFormat = .rgba8 }
        == "libx264 takes no pictures in rgba8; deliver them in gray8, yuyv422, uyvy422, nv12, nv21, nv16, "
        + "i420, i422, i444.")
  }

  @Test("An encoder that is not there is named, and so are those that are")
  func unknown() {
    #expect(
      refusal { $0.choice = .named("x264") }?.hasPrefix(
        "There is no such encoder for H.264; use one of libx264")
        == true)
  }

  @Test("The probe and the trial agree: hardware opens, or every reason is told")
  func hardware() {
    let probes = MovieEncoderProbe.all()
    #expect(Set(probes.map(\.name)).isSuperset(of: ["libx264", "h264_vaapi", "h264_nvenc", "ffv1"]))
    let usable = probes.contains { $0.codec == .h264 && $0.isHardware && $0.isUsable }
    let text = refusal {
      $0.size = PixelSize(width: 640, height: 480)
      $0.choice = .hardware
    }
    #expect((text == nil) == usable)
    if let text {
      for probe in probes where probe.codec == .h264 && probe.isHardware {
        #expect(text.contains("\(probe.name): \(probe.reason ?? "")"))
      }
    }
    // Software needs no device.
    #expect(probes.first { $0.name == "ffv1" }?.isUsable == true)
    var automatic = VideoEncoderSettings(size: PixelSize(width: 640, height: 480), tags: MovieScene.tags)
    automatic.choice = .automatic
    #expect((try? VideoEncoder(automatic))?.isHardware == usable)
  }

  @Test("A picture of another size or layout, or one that is not later, is refused and harms nothing")
  func pictures() throws {
    let encoder = try VideoEncoder(
      VideoEncoderSettings(size: PixelSize(width: 64, height: 48), tags: MovieScene.tags))
    let scene = MovieScene(size: PixelSize(width: 64, height: 48))
    var packets = try encoder.encode(try scene.frame(0), at: 10)
    #expect(
      message { _ = try encoder.encode(try scene.frame(1), at: 10) }?.contains(
        "is not after that of the last") == true)
    let other = try MovieScene(size: PixelSize(width: 66, height: 48)).frame(0)
    #expect(
      message { _ = try encoder.encode(other, at: 20) }
        == "A picture of 66×48 in i420 does not fit into a movie of 64×48 in i420; "
        + "start a new file when the source changes.")
    packets += try encoder.encode(try scene.frame(1), at: 30)
    packets += try encoder.finish()
    #expect(packets.map(\.presentation) == [10, 30])
  }

  @Test("An encoder that got no picture ends without a packet", arguments: VideoCodec.allCases)
  func empty(codec: VideoCodec) throws {
    let settings = VideoEncoderSettings(
      codec: codec, size: PixelSize(width: 64, height: 64), pixelFormat: .i420, tags: MovieScene.tags)
    #expect(try VideoEncoder(settings).finish().isEmpty)
  }

  @Test("Pictures are released when the encoder is done with them")
  func release() throws {
    weak var weakBuffer: PixelBuffer?
    let encoder = try VideoEncoder(
      VideoEncoderSettings(size: PixelSize(width: 64, height: 48), tags: MovieScene.tags))
    do {
      let buffer = try MovieScene(size: PixelSize(width: 64, height: 48)).frame(0)
      weakBuffer = buffer
      _ = try encoder.encode(buffer, at: 0)
    }
    _ = try encoder.finish()
    #expect(weakBuffer == nil)
  }
}
