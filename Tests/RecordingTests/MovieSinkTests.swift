import FrameCore
import LiveVideo
import Testing

@testable import Recording

@Suite("Pictures for movies")
struct MovieSinkTests {
  @Test("come in the planes that the codec stores, whatever the source's are")
  func pictures() throws {
    let sink = try MovieSink(MovieSettings(), to: MovieNames("./"))
    for format in [PixelFormat.i420, .nv12, .gray8, .yuyv422, .uyvy422, .i422, .i444, .rgba8] {
      #expect(sink.pictures(of: format) == .planes(.i420))
    }
    var settings = MovieSettings()
    settings.videoCodec = .prores
    #expect(settings.layout(of: .nv12) == .i422)
    settings.videoCodec = .ffv1
    #expect(settings.layout(of: .yuyv422) == .i422 && settings.layout(of: .i444) == .i444)
    #expect(settings.layout(of: .rgba8) == .i420)
  }
}
