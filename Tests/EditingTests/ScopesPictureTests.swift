import LibraryTestSupport
import Safelight
import Rendering
import Testing

@testable import Editing

@Suite("Pictures of scopes") struct ScopesPictureTests {
  private func render(_ folder: Scratch, _ buffer: PixelBuffer) throws -> PixelBuffer {
    try buffer.write(to: folder("photo.png"))
    return try ScopesPicture(PhotoSample(contentsOf: folder("photo.png")), title: "photo").render()
  }

  private func brightness(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> Int {
    let row = picture.row(y, as: UInt8.self)
    return Int(row[4 * x]) + Int(row[4 * x + 1]) + Int(row[4 * x + 2])
  }

  private func rgb(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
    for y in 0..<height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<width {
        for (channel, value) in (color(x, y) + [255]).enumerated() { row[4 * x + channel] = value }
      }
    }
    return buffer
  }

  @Test("A grey ramp is a diagonal in the waveform and in each part of the parade")
  func ramp() throws {
    let picture = try render(Scratch(), rgb(256, 8) { x, _ in [UInt8(x), UInt8(x), UInt8(x)] })
    #expect(picture.size == ScopesPicture.size && picture.format == .rgba8 && picture.tags == .sRGB)
    let plots = [ScopeSheet.waveform.plot] + (0..<3).map { ScopeSheet.parade($0).plot }
    for plot in plots {
      for percent in [10, 40, 60, 90] {
        let signal = Double(percent) / 100
        // The middle of the column that holds the code.
        let x = plot.x + Int((((signal * 255).rounded() + 0.5) / 256 * Double(plot.width)).rounded(.down))
        let y = Int(ScopePainter.row(of: signal, plot))
        let trace = (y - 2...y + 2).map { brightness(picture, x, $0) }.max() ?? 0
        #expect(trace > 250, "\(plot) at \(percent) %")
        #expect(brightness(picture, x, y - 20) < 100 && brightness(picture, x, y + 20) < 100)
      }
    }
    // Greys lie in the middle of the vectorscope and nowhere else inside its circles.
    let dial = ScopeDial(ScopeSheet.vectorscope.plot)
    #expect(brightness(picture, Int(dial.centre.x), Int(dial.centre.y)) > 600)
    #expect(brightness(picture, Int(dial.centre.x) + 25, Int(dial.centre.y) + 10) < 60)
  }

  @Test("The 75 % bars light the middles of the vectorscope's boxes in their own hues")
  func bars() throws {
    let colors: [(name: String, rgb: [UInt8])] = [
      ("R", [191, 0, 0]), ("Mg", [191, 0, 191]), ("B", [0, 0, 191]), ("Cy", [0, 191, 191]),
      ("G", [0, 191, 0]),
      ("Yl", [191, 191, 0]),
    ]
    let lit = try render(Scratch(), rgb(120, 6) { x, _ in colors[x / 20].rgb })
    let dark = try render(Scratch(), rgb(120, 6) { _, _ in [90, 90, 90] })
    let dial = ScopeDial(ScopeSheet.vectorscope.plot)
    for target in Vectorscope.targets {
      let point = dial.position(target.place)
      let (x, y) = (Int(point.x), Int(point.y))
      #expect(brightness(lit, x, y) > 250, "\(target.name)")
      #expect(brightness(dark, x, y) < 100, "\(target.name)")
      let bar = try #require(colors.first { $0.name == target.name }).rgb
      let pixel = (0..<3).map { lit.row(y, as: UInt8.self)[4 * x + $0] }
      let (strong, weak) = (
        (0..<3).filter { bar[$0] > 0 }.map { pixel[$0] }.min(),
        (0..<3).filter { bar[$0] == 0 }.map { pixel[$0] }.max()
      )
      #expect(try #require(strong) > #require(weak), "\(target.name) \(pixel)")
    }
  }

  @Test("The dial has +Cb at the right and +Cr at the top, and takes positions back to places")
  func dial() {
    let dial = ScopeDial(ScopeSheet.vectorscope.plot)
    let red = dial.position(Vectorscope.Place(red: 1, green: 0, blue: 0))
    #expect(red.y < dial.centre.y - 100 && red.x < dial.centre.x)
    let back = dial.place(dial.position(Vectorscope.Place(cb: 0.31, cr: -0.12)))
    #expect(abs(back.cb - 0.31) < 1e-9 && abs(back.cr + 0.12) < 1e-9)
    let right = ScopeDial.direction(0)
    let up = ScopeDial.direction(90)
    #expect(abs(right.x - 1) < 1e-9 && abs(up.y + 1) < 1e-9)
  }

  @Test("The panels do not overlap and lie on the sheet")
  func layout() {
    let panels = [
      ScopeSheet.photo, ScopeSheet.waveform, ScopeSheet.vectorscope, ScopeSheet.histogram, ScopeSheet.parade,
    ]
    for (index, panel) in panels.enumerated() {
      let a = panel.outer
      #expect(
        a.x >= 0 && a.y >= 0 && a.maxX <= ScopesPicture.size.width && a.maxY <= ScopesPicture.size.height)
      for other in panels[(index + 1)...].map(\.outer) {
        #expect(a.maxX <= other.x || other.maxX <= a.x || a.maxY <= other.y || other.maxY <= a.y)
      }
    }
  }

  @Test(
    "Pictures of any shape have scopes",
    arguments: [(1, 1), (3, 400), (400, 3), (2, 2)])
  func shapes(width: Int, height: Int) throws {
    let picture = try render(Scratch(), rgb(width, height) { x, y in [UInt8(x & 255), UInt8(y & 255), 9] })
    #expect(picture.size == ScopesPicture.size)
  }
}
