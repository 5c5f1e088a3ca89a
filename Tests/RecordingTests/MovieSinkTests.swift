import FrameCore
import LiveVideo
import Testing

@testable import Recording

@Suite("Pictures for movies")
struct MovieSinkTests {
  @Test("Samples are copied where the codec stores them as they are; others are converted from RGB")
  func pictures() throws {
    let sink = try MovieSink(MovieSettings(), to: MovieNames("./"))
    for format in [PixelFormat.i420, .nv12, .nv21, .gray8] { #expect(sink.pictures(of: format) == .samples) }
    // Webcams and the synthetic scene send these.
    for format in [PixelFormat.yuyv422, .uyvy422, .i422, .i444, .rgba8] {
      #expect(sink.pictures(of: format) == .video)
    }
  }
}
