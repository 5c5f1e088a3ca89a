import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis
@testable import LiveVideo

@Suite("What is drawn over live pictures") struct OverlayTests {
  private static let box = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)].map {
    NormalizedPoint($0, $1)
  }

  private static func plan(_ size: PixelSize, _ filters: [any Filter] = [], _ orientation: Orientation = .up)
    throws
    -> Plan
  {
    try Plan(
      Recipe(filters: filters), input: PlanInput(size: size, orientation: orientation), output: PlanOutput())
  }

  /// A picture of one code with marks over it.
  private static func drawn(
    _ code: UInt8, _ format: PixelFormat, _ marks: [OverlayMark],
    size: PixelSize = PixelSize(width: 320, height: 180)
  ) throws -> PixelBuffer {
    let tags =
      format.isRGBA
      ? ColorTags.sRGB : ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
    let picture = try PixelBuffer(size: size, format: format, tags: tags, alpha: .opaque)
    for plane in picture.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: code, count: plane.rowBytes * plane.rows)
    }
    let frame = Frame(buffer: picture)
    try OverlayPainter().draw(marks, OverlayPlacement(frame, through: plan(size)), over: picture)
    return picture
  }

  @Test(
    "A line is seen on white and on black, in every format of 8 bits",
    arguments: [
      PixelFormat.rgba8, .gray8, .yuyv422, .uyvy422, .nv12, .nv21, .nv16, .i420, .i422, .i444,
    ])
  func visible(_ format: PixelFormat) throws {
    for code: UInt8 in [16, 128, 235] {
      let picture = try Self.drawn(code, format, [OverlayMark(outline: Self.box, label: "")])
      let samples = OverlaySamplesReader(picture)
      // Across the left edge at a row that no label touches.
      let row = (70..<90).map { samples.luma(x: $0, y: 100) }
      let span = format.isYCbCr ? 16...235 : 0...255
      #expect(row.contains(span.upperBound) && row.contains { $0 <= span.lowerBound + 8 }, "\(code): \(row)")
      // Neither far from it nor in the middle.
      #expect(samples.luma(x: 5, y: 5) == Int(code) && samples.luma(x: 160, y: 90) == Int(code))
    }
  }

  @Test("The colour is taken out of what is drawn over")
  func neutral() throws {
    let picture = try Self.drawn(200, .i420, [OverlayMark(outline: Self.box, label: "")])
    let chroma = picture.planes[1].base.assumingMemoryBound(to: UInt8.self)
    let row = (35..<45).map { chroma[50 * picture.planes[1].rowBytes + $0] }
    #expect(row.contains(128) && chroma[0] == 200, "\(row)")
  }

  @Test("A label stands above its outline, and stays in the picture wherever that is")
  func labels() throws {
    let size = PixelSize(width: 640, height: 360)
    func changed(_ outline: [NormalizedPoint], _ label: String) throws -> Int {
      let plain = try Self.drawn(128, .gray8, [OverlayMark(outline: outline, label: "")], size: size)
      let labelled = try Self.drawn(128, .gray8, [OverlayMark(outline: outline, label: label)], size: size)
      var count = 0
      for y in 0..<size.height {
        let (a, b) = (plain.row(y, as: UInt8.self), labelled.row(y, as: UInt8.self))
        count += (0..<size.width).count { a[$0] != b[$0] }
      }
      return count
    }
    let inside = try changed(Self.box, "motion 1")
    #expect(inside > 300)
    for shift in [(-0.25, -0.25), (0.25, -0.25), (0.2, 0.25)] {
      let moved = Self.box.map { NormalizedPoint($0.x + shift.0, $0.y + shift.1) }
      #expect(try changed(moved, "motion 1") > inside / 2, "\(shift)")
    }
    // What is quite outside is not there.
    #expect(try changed(Self.box.map { NormalizedPoint($0.x, $0.y + 3) }, "motion 1") == 0)
  }

  @Test("Odd outlines and texts are drawn as far as they can be, without harm")
  func odd() throws {
    let odd = [
      OverlayMark(outline: [], label: "nothing"),
      OverlayMark(outline: [NormalizedPoint(0.5, 0.5)], label: "a point"),
      OverlayMark(
        outline: [NormalizedPoint(.nan, 0), NormalizedPoint(.infinity, 1), NormalizedPoint(-1e30, 2)],
        label: "x"),
      OverlayMark(outline: [NormalizedPoint(-50, -50), NormalizedPoint(50, 60)], label: "far"),
      OverlayMark(outline: Self.box, label: String(repeating: "W", count: 500)),
      OverlayMark(outline: Self.box, label: "\u{0}\u{1B}[2J\u{202E}日本"),
    ]
    for size in [
      PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 3), PixelSize(width: 320, height: 180),
    ] {
      for format in [PixelFormat.rgba8, .i420, .yuyv422] { _ = try Self.drawn(99, format, odd, size: size) }
    }
  }

  @Test("Text of strangers is cut and cleaned in labels")
  func text() {
    let detection = Detection(
      .code, outline: Self.box, confidence: 1, text: "\u{1B}[2J\n" + String(repeating: "a", count: 4000))
    let track = DetectionTrack(
      id: 7, detection: detection, firstSeen: Timestamp(nanoseconds: 0), lastSeen: Timestamp(nanoseconds: 0),
      zones: [])
    #expect(LiveOverlay.label(of: track) == "code  [2J " + String(repeating: "a", count: 19) + "…")
  }

  @Test("A place of the frame is where the look shows it: turned, cropped, shrunk")
  func placement() throws {
    let size = PixelSize(width: 640, height: 360)
    func place(_ x: Double, _ y: Double, _ filters: [any Filter], _ orientation: Orientation = .up) throws
      -> SIMD2<Double>
    {
      let buffer = try PixelBuffer(size: size, format: .rgba8)
      let frame = Frame(buffer: buffer, orientation: orientation)
      let placement = OverlayPlacement(frame, through: try Self.plan(size, filters, orientation))
      return try #require(placement.place(NormalizedPoint(x, y)))
    }
    func near(_ a: SIMD2<Double>, _ x: Double, _ y: Double) -> Bool {
      abs(a.x - x) < 0.51 && abs(a.y - y) < 0.51
    }
    #expect(near(try place(0.25, 0.5, []), 160, 180))
    // Turned by the source, the picture is 360 × 640; places are those of the displayed one.
    let right = Orientation(mirrored: false, quarterTurns: 1)
    #expect(near(try place(0.25, 0.5, [], right), 90, 320))
    #expect(near(try place(0.25, 0.5, [], Orientation(mirrored: true, quarterTurns: 3)), 90, 320))
    let crop = Crop(.rectangle(x: 160, y: 90, width: 320, height: 180))
    #expect(near(try place(0.5, 0.5, [crop]), 160, 90))
    #expect(near(try place(0.25, 0.25, [crop]), 0, 0))
    // About the middle, clockwise: what is right of it goes down.
    let turned = try place(0.75, 0.5, [Straighten(10, corners: .keep)])
    let middle = try place(0.5, 0.5, [Straighten(10, corners: .keep)])
    let (dx, dy) = (turned.x - middle.x, turned.y - middle.y)
    #expect(abs(dx - 160 * 0.9848) < 1 && abs(dy - 160 * 0.1736) < 1, "\(dx), \(dy)")
  }
}

/// Reads luma as displayed.
private struct OverlaySamplesReader {
  let picture: PixelBuffer

  init(_ picture: PixelBuffer) { self.picture = picture }

  func luma(x: Int, y: Int) -> Int {
    let plane = picture.planes[0]
    let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
    return switch picture.format {
    case .rgba8: Int(row[4 * x])
    case .yuyv422: Int(row[2 * x])
    case .uyvy422: Int(row[2 * x + 1])
    default: Int(row[x])
    }
  }
}
