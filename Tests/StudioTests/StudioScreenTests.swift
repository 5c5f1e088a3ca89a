import Libc
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

@Suite("Screens that show more colours than sRGB")
struct StudioScreenTests {
  private static let view = #""width": 150, "height": 100, "mode": "fit""#
  private static let edit = #"{"values": {"saturation": 60}}"#

  /// The sharp picture of an edit that a page is sent, decoded.
  private func shown(_ view: String) throws -> (header: RecordedPeer.Message, photo: Photo) {
    let visit = try Visit()
    visit.open(view: view)
    visit.edit(Self.edit, input: 1, dragging: false)
    let frame = try #require(visit.peer.next("frame") { $0.isFinal && $0.number("input") == 1 })
    let scratch = try Scratch()
    try scratch.write(frame.payload, to: "frame.jpg")
    return (frame, try Photo(contentsOf: scratch("frame.jpg")))
  }

  @Test("get pictures in Display P3, as an export to it, that say so")
  func wide() throws {
    let (frame, photo) = try shown(Self.view + #", "space": "display-p3""#)
    #expect(frame.text("space") == "display-p3")
    #expect(photo.buffer.tags.iccProfile == (try ColorSpace.displayP3.iccProfile()))
    let visit = try Visit()
    var export = PhotoExport()
    export.maximumSize = PixelSize(width: 150, height: 100)
    export.colorSpace = .displayP3
    let path = visit.scratch("wide.png")
    _ = try export.runBlocking(
      visit.photos.entries[0].path, through: Recipe { Saturation(60) }, to: path)
    let wanted = try Photo(contentsOf: path).buffer
    #expect(photo.buffer.size == wanted.size)
    #expect(meanDifference(photo.buffer, wanted) < 2)
    // In sRGB the same picture has other numbers.
    #expect(meanDifference(try shown(Self.view).photo.buffer, wanted) > 3)
  }

  @Test("are asked for; all other pages get the bytes that they always got")
  func narrow() throws {
    let (plain, named) = (try shown(Self.view), try shown(Self.view + #", "space": "srgb""#))
    #expect(plain.header.payload == named.header.payload && plain.header.text("space") == "srgb")
    #expect(plain.photo.buffer.tags.iccProfile == nil)
    let visit = try Visit()
    visit.open(view: Self.view + #", "space": "display-p4""#)
    #expect(visit.peer.isTold("display-p3"))
  }

  @Test("are sent a picture in as many JPEGs as they like, at most")
  func stripes() throws {
    for (asked, count) in [("", 2), (#", "stripes": 1"#, 1), (#", "stripes": 9"#, 2)] {
      let visit = try Visit(size: (900, 600))
      visit.open(view: #""width": 900, "height": 600, "mode": "fit""# + asked)
      let frame = try #require(visit.peer.next("frame") { $0.isFinal })
      guard case .array(let stripes)? = frame.fields["stripes"] else { throw Problem.missing }
      #expect(stripes.count == count, "\(asked)")
    }
  }

  private enum Problem: Error { case missing }

  @Test("have histograms of the same lightness", arguments: StudioScreen.allCases)
  func lightness(_ screen: StudioScreen) throws {
    for color: SIMD3<UInt8> in [
      SIMD3(0, 0, 0), SIMD3(118, 118, 118), SIMD3(255, 255, 255), SIMD3(200, 40, 90),
    ] {
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 8), format: .rgba8)
      for y in 0..<8 {
        let row = picture.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<8 { for c in 0..<4 { row[4 * x + c] = c < 3 ? color[c] : 255 } }
      }
      let counts = StudioHistogram(picture, screen).lightness
      let light = screen.space.decode(SIMD3<Double>(color) / 255)
      let lightness = OKLab.fromXYZ(screen.space.toXYZ * light).x
      let step = min(255, max(0, Int(256 * lightness)))
      // Rounding may be to either side.
      #expect(counts[max(0, step - 1)...min(255, step + 1)].reduce(0, +) == 16, "\(color)")
    }
  }
}

/// The mean difference of two pictures in 8-bit code values.
func meanDifference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
  var sum = 0
  for y in 0..<min(a.height, b.height) {
    let (one, other) = (a.row(y, as: UInt8.self), b.row(y, as: UInt8.self))
    for x in 0..<a.width { for c in 0..<3 { sum += abs(Int(one[4 * x + c]) - Int(other[4 * x + c])) } }
  }
  return Double(sum) / Double(3 * a.width * a.height)
}
