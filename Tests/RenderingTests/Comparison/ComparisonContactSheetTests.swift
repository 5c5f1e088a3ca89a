import FrameCore
import Testing

@testable import Rendering

@Suite("A contact sheet")
struct ComparisonContactSheetTests {
  @Test("holds every picture, pixel for pixel, in reading order", arguments: [1, 2, 5, 12])
  func pictures(count: Int) throws {
    let cells = try (0..<count).map {
      ContactSheet.Cell(try patterned(90, 61, seed: UInt8(17 * $0)), caption: "Look \($0)")
    }
    let sheet = try ContactSheet(cells, title: "Looks").render()
    let measures = ContactSheet.Measures(picture: cells[0].picture.size, count: count, hasTitle: true)
    #expect(sheet.size == measures.sheet)
    for (index, cell) in cells.enumerated() {
      let place = measures.place(of: index)
      for (x, y) in [(0, 0), (89, 0), (0, 60), (89, 60), (44, 30)] {
        #expect(sheet.pixel(place.x + x, place.y + y) == cell.picture.pixel(x, y), "picture \(index)")
      }
    }
    let (first, last) = (measures.place(of: 0), measures.place(of: count - 1))
    #expect(first.y < last.y || first.x <= last.x)
  }

  @Test(
    "comes near 3:2",
    arguments: [
      (320, 213, 12), (320, 213, 24), (213, 320, 24), (320, 213, 36), (640, 640, 16), (160, 90, 100),
    ])
  func shape(width: Int, height: Int, count: Int) {
    let measures = ContactSheet.Measures(
      picture: PixelSize(width: width, height: height), count: count, hasTitle: true)
    let aspect = Double(measures.sheet.width) / Double(measures.sheet.height)
    #expect((1.05...2.15).contains(aspect), "\(measures.columns) columns give \(aspect)")
    #expect(measures.columns * measures.rows >= count)
    #expect(measures.columns * (measures.rows - 1) < count)
  }

  @Test("writes captions and title in the margins only, bright on the ground")
  func captions() throws {
    let gray = try plain(160, 100, .rgba8, [0x1B, 0x1B, 0x1D, 255] as [UInt8])
    let sheet = try ContactSheet([.init(gray, caption: "A very long caption indeed, too long")], title: "T")
      .render()
    let measures = ContactSheet.Measures(picture: gray.size, count: 1, hasTitle: true)
    let place = measures.place(of: 0)
    var ink: [(x: Int, y: Int)] = []
    for y in 0..<sheet.height {
      let row = sheet.codes(row: y, columns: 0..<sheet.width)
      ink += (0..<sheet.width).filter { row[4 * $0] > 0x60 }.map { (x: $0, y: y) }
    }
    let caption = ink.filter { $0.y >= place.maxY }
    let title = ink.filter { $0.y < place.maxY }
    #expect(caption.count > 100)
    #expect(caption.allSatisfy { (place.x - 1..<place.maxX + 1).contains($0.x) })
    #expect(title.count > 20)
    #expect(title.allSatisfy { $0.y < place.y })
  }

  @Test("refuses what it cannot show and says which picture")
  func errors() throws {
    let picture = try patterned(8, 8, seed: 0)
    func problem(_ cells: [ContactSheet.Cell]) -> String? {
      #expect(throws: SafelightError.self) { try ContactSheet(cells).render() }?.problem
    }
    #expect(problem([]) == "A contact sheet needs at least one picture")
    #expect(
      problem([.init(picture, caption: "a"), .init(try patterned(9, 8, seed: 0), caption: "b")])
        == "The pictures of a contact sheet have one size, but \"b\" is 9×8 and the first is 8×8")
    #expect(
      problem([.init(picture, caption: "a"), .init(picture.retagged(.displayP3), caption: "b")])
        == "The pictures of a contact sheet have one colour space, but \"b\" differs from the first")
    #expect(
      problem([.init(try PixelBuffer(size: picture.size, format: .gray8), caption: "g")])
        == "A contact sheet takes RGBA pictures, and \"g\" is gray8")
  }

  @Test("lets the ground show where a picture is transparent")
  func transparency() throws {
    let clear = try plain(40, 30, .rgba8, [255, 0, 0, 0] as [UInt8], alpha: .straight)
    let half = try plain(40, 30, .rgba8, [255, 0, 0, 128] as [UInt8], alpha: .straight)
    let sheet = try ContactSheet([.init(clear, caption: ""), .init(half, caption: "")]).render()
    let measures = ContactSheet.Measures(picture: clear.size, count: 2, hasTitle: false)
    #expect(sheet.alpha == .opaque)
    let (a, b) = (measures.place(of: 0), measures.place(of: 1))
    #expect(sheet.pixel(a.x + 9, a.y + 9) == [0x1B, 0x1B, 0x1D, 255])
    // 27 + (255 − 27) · 128/255 = 141.4; 27 − 27 · 128/255 = 13.4; 29 − 29 · 128/255 = 14.4.
    #expect(sheet.pixel(b.x + 9, b.y + 9) == [141, 13, 14, 255])
  }
}
