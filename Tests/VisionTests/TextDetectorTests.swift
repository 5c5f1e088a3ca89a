import FrameAnalysis
import FrameCore
import Rendering
import Testing

@testable import Vision

@Suite("Text", .canFind(.text))
struct TextDetectorTests {
  /// Two lines in the project's own letters.
  private func page(_ lines: [String]) throws -> PixelBuffer {
    let canvas = try Canvas(
      size: PixelSize(width: 900, height: 160 * lines.count), tags: .sRGB, alpha: .opaque)
    canvas.fill(.white)
    for (index, line) in lines.enumerated() {
      canvas.draw(line, Lettering(capHeight: 40, tracking: 0.1), x: 60, y: 60 + 160 * index, .black)
    }
    return canvas.buffer
  }

  @Test("Lines are read, each where it is, with the confidence of each word")
  func lines() throws {
    var detector = TextDetector(try Vision.worker(.text))
    let found = try Vision.find(&detector, page(["PANEL TWELVE", "MORNING LIGHT"]))
    #expect(found.map(\.text) == ["PANEL TWELVE", "MORNING LIGHT"])
    for (index, line) in found.enumerated() {
      #expect(line.kind == .text && line.confidence > 0.5 && line.confidence <= 1)
      let words = line.details["words"]?.split(separator: " ").compactMap { Int($0) } ?? []
      #expect(words.count == 2 && words.allSatisfy { (1...100).contains($0) }, "\(line.details)")
      let (top, bottom) = ((60 + 160 * Double(index)) / 320, (100 + 160 * Double(index)) / 320)
      #expect(
        abs(line.outline[0].y - top) < 0.02 && abs(line.outline[2].y - bottom) < 0.02, "\(line.outline)")
      #expect(abs(line.outline[0].x - 60.0 / 900) < 0.02, "\(line.outline)")
    }
  }

  @Test("A line that was cut out is read as one")
  func oneLine() throws {
    var detector = TextDetector(try Vision.worker(.text), isOneLine: true)
    #expect(try Vision.find(&detector, page(["SHUTTER"])).map(\.text) == ["SHUTTER"])
  }

  @Test("Where nothing is written nothing is read", arguments: [(1, 1), (3, 500), (400, 300)])
  func nothing(width: Int, height: Int) throws {
    var detector = TextDetector(try Vision.worker(.text))
    #expect(try Vision.find(&detector, Vision.gray(width, height) { _, _ in 255 }).isEmpty)
  }

  @Test("A language without data names its package")
  func language() throws {
    func start(_ language: String) -> String {
      sentence { try VisionWorker(VisionWorker.Options([.text], language: language)).start() }
    }
    #expect(
      start("tlh")
        == "Text in “tlh” cannot be read: Tesseract has no data for it; install the package tesseract-ocr-tlh of Debian."
    )
    #expect(
      start("../../etc") == "“../../etc” is no language of Tesseract; use a name such as eng or deu+eng.")
  }
}
