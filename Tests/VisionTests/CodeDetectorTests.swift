import FrameAnalysis
import FrameCore
import Testing

@testable import Vision

@Suite("Codes", .canFind(.codes))
struct CodeDetectorTests {
  /// What qrencode and zxing-cpp's own writer were asked to write; see the README of the fixtures.
  static let written: [(file: String, symbology: String, text: String)] = [
    ("qr.png", "QRCode", "https://safelight.example/panel/12"), ("datamatrix.png", "DataMatrix", "Panel 12"),
    ("aztec.png", "Aztec", "Panel 12"), ("pdf417.png", "PDF417", "Panel 12"),
    ("ean13.png", "EAN-13", "4006381333931"), ("code128.png", "Code128", "Panel 12"),
  ]

  private func only(_ found: [Detection]) throws -> Detection {
    #expect(found.count == 1, "\(found)")
    return try #require(found.first)
  }

  @Test("Codes of each kind are read", arguments: written.indices)
  func kinds(index: Int) throws {
    let (file, symbology, text) = Self.written[index]
    var detector = CodeDetector(try Vision.worker(.codes))
    let code = try only(Vision.find(&detector, try Vision.fixture(file)))
    #expect(code.kind == .code && code.text == text && code.details["symbology"] == symbology)
    #expect(code.details["content"] == "text" && code.details["inverted"] == nil)
    #expect(code.outline.count == 4 && code.confidence > 0.7 && code.confidence <= 1)
  }

  @Test(
    "An outline is where the code is, clockwise from the code's own top left", arguments: Orientation.allCases
  )
  func outline(orientation: Orientation) throws {
    let buffer = try Vision.fixture("qr.png")
    var detector = CodeDetector(try Vision.worker(.codes))
    let code = try only(Vision.find(&detector, buffer, orientation: orientation))
    #expect(code.text == "https://safelight.example/panel/12")
    #expect((code.details["mirrored"] == "yes") == orientation.isMirrored)
    // qrencode leaves four modules around the code, of (side) modules in all; both are known from the file's size.
    let margin = 4 * 6 / Double(buffer.width)
    // Where the stored corner at the top left is displayed: mirrored first, then turned clockwise.
    var corner = (x: margin, y: margin)
    if orientation.isMirrored { corner.x = 1 - corner.x }
    for _ in 0..<orientation.quarterTurns { corner = (1 - corner.y, corner.x) }
    let first = try #require(code.outline.first)
    #expect(abs(first.x - corner.x) < 0.02 && abs(first.y - corner.y) < 0.02, "\(code.outline)")
    let area = code.outline.indices.reduce(0.0) { sum, index in
      let (a, b) = (code.outline[index], code.outline[(index + 1) % 4])
      return sum + (a.x * b.y - b.x * a.y) / 2
    }
    let side = 1 - 2 * margin
    #expect(abs(area - side * side) < 0.03, "\(area)")
  }

  @Test("A code that is light on dark is read, and says so")
  func inverted() throws {
    let buffer = try Vision.changed(Vision.fixture("qr.png")) { _, _, luma in 255 - luma }
    var detector = CodeDetector(try Vision.worker(.codes))
    let code = try only(Vision.find(&detector, buffer))
    #expect(code.text == "https://safelight.example/panel/12" && code.details["inverted"] == "yes")
  }

  @Test("A code with a spot on it is read; one that is half gone is not")
  func damaged() throws {
    let buffer = try Vision.fixture("qr.png")
    var detector = CodeDetector(try Vision.worker(.codes))
    let spotted = try Vision.changed(buffer) { x, y, luma in
      (x - 110) * (x - 110) + (y - 120) * (y - 120) < 200 ? 0 : luma
    }
    #expect(try only(Vision.find(&detector, spotted)).text == "https://safelight.example/panel/12")
    let half = try Vision.changed(buffer) { x, _, luma in x > buffer.width / 2 ? 255 : luma }
    #expect(try Vision.find(&detector, half).isEmpty)
  }

  @Test("Control characters are kept as they were written")
  func controlCharacters() throws {
    var detector = CodeDetector(try Vision.worker(.codes))
    let code = try only(Vision.find(&detector, try Vision.fixture("qr-controls.png")))
    #expect(code.text == "red\u{1B}[31m\nbell\u{7}\u{202E}.")
    let large = try only(Vision.find(&detector, try Vision.fixture("qr-2953-controls.png")))
    #expect(large.text?.utf8.elementsEqual((0..<2953).map { UInt8(1 + $0 % 31) }) == true)
  }

  @Test("What is transparent is white: codes on the web are black on nothing")
  func transparent() throws {
    let plain = try Vision.fixture("qr.png")
    let buffer = try PixelBuffer(size: plain.size, format: .rgba8, alpha: .straight)
    for y in 0..<plain.height {
      let (from, to) = (plain.row(y, as: UInt8.self), buffer.row(y, as: UInt8.self))
      let step = plain.format == .gray8 ? 1 : 4
      for x in 0..<plain.width {
        for channel in 0..<3 { to[4 * x + channel] = 0 }
        to[4 * x + 3] = 255 - from[step * x]
      }
    }
    var detector = CodeDetector(try Vision.worker(.codes))
    #expect(try only(Vision.find(&detector, buffer)).details["symbology"] == "QRCode")
  }

  @Test("Live, ways to search take turns: four frames find what is turned or light on dark")
  func live() throws {
    let worker = try Vision.worker(.codes)
    let inverted = try Vision.changed(Vision.fixture("qr.png")) { _, _, luma in 255 - luma }
    let linear = try Vision.fixture("code128.png")
    for (buffer, orientation) in [(inverted, Orientation.up), (linear, .right)] {
      var detector = CodeDetector(worker, effort: .live)
      let counts = try (0..<4).map { _ in try Vision.find(&detector, buffer, orientation: orientation).count }
      #expect(counts.reduce(0, +) >= 1 && counts.max() == 1, "\(counts)")
    }
    var detector = CodeDetector(worker, effort: .live)
    let upright = try Vision.fixture("qr.png")
    #expect(try Vision.find(&detector, upright).count == 1)
  }

  @Test(
    "Nothing is found where nothing is, in pictures of any shape",
    arguments: [(1, 1), (1, 300), (300, 1), (7, 5), (640, 480)])
  func nothing(width: Int, height: Int) throws {
    var detector = CodeDetector(try Vision.worker(.codes))
    let noise = try Vision.gray(width, height) { x, y in
      UInt8((x * 2_654_435 + y * 40_503 + x * y * 31) >> 3 & 255)
    }
    #expect(try Vision.find(&detector, noise).isEmpty)
  }

  @Test("A picture with a longer edge than is searched is refused with a sentence")
  func tooLarge() throws {
    var detector = CodeDetector(try Vision.worker(.codes))
    let long = try Vision.gray(65_535, 1) { _, _ in 255 }
    #expect(
      sentence { _ = try Vision.find(&detector, long) }
        == "The picture is too large to be searched (65535×1): at most 32767 pixels per edge and 67 megapixels; "
        + "make it smaller first.")
  }
}
