import LibraryTestSupport
import Safelight
import Testing

@testable import Editing

@Suite("Analyses of photos") struct PhotoAnalysisTests {
  /// Left half (255, 128, 0), upper right quarter black, lower right quarter (128, 128, 128).
  private func picture() throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: PixelSize(width: 80, height: 40), format: .rgba8)
    for y in 0..<40 {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<80 {
        let color: [UInt8] = x < 40 ? [255, 128, 0] : y < 20 ? [0, 0, 0] : [128, 128, 128]
        for (channel, value) in (color + [255]).enumerated() { row[4 * x + channel] = value }
      }
    }
    return buffer
  }

  @Test("Clipping is told for the pixels and for each channel")
  func clipping() throws {
    let folder = try Scratch()
    try picture().write(to: folder("photo.png"))
    let analysis = try PhotoAnalysis(PhotoSample(contentsOf: folder("photo.png")))
    #expect(analysis.size == PixelSize(width: 80, height: 40) && analysis.formatName == "PNG")
    #expect(analysis.clipping.highlights == 0.5 && analysis.clipping.shadows == 0.25)
    #expect(analysis.channelClipping.map(\.highlights) == [0.5, 0, 0])
    #expect(analysis.channelClipping.map(\.shadows) == [0.25, 0.25, 0.75])
    #expect(analysis.histogram.count == 3200 && analysis.histogram.green[128] == 2400)
    // Greys and one colour tell no light.
    #expect(analysis.cast == nil)
    #expect(analysis.warnings == [])
  }

  @Test("A photo on its side is measured as it is displayed")
  func orientation() throws {
    let folder = try Scratch()
    // EXIF 2.32: byte order, 42, the directory at 8; one entry: tag 0x0112, type SHORT, one value, 6; no further one.
    let exif: [UInt8] =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0] + [1, 0] + [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0] + [
        0, 0, 0, 0,
      ]
    let writer = try PhotoWriter(
      to: folder("photo.jpg"), size: PixelSize(width: 80, height: 40), quality: 95,
      metadata: PhotoMetadata(exif: exif))
    try writer.write(picture())
    try writer.finish()
    let sample = try PhotoSample(contentsOf: folder("photo.jpg"))
    #expect(sample.orientation == .right)
    #expect(try PhotoAnalysis(sample).size == PixelSize(width: 40, height: 80))
    let shown = try sample.picture(within: PixelSize(width: 20, height: 40))
    #expect(shown.size == PixelSize(width: 20, height: 40))
    // Turned clockwise, the orange left half is the upper one.
    #expect(shown.row(5, as: UInt8.self)[4 * 10] > 240 && shown.row(35, as: UInt8.self)[4 * 10] < 140)
  }
}
