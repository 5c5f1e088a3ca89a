import FrameCore
import Testing

@testable import Rendering

@Suite("A comparison")
struct ComparisonTests {
  @Test(
    "split shows the original left of the line and the edited picture right of it, exactly",
    arguments: [(641, 403), (300, 200), (97, 31), (17, 17), (15, 400), (2, 2), (1, 5)],
    [0, 0.25, 0.5, 0.731, 1])
  func splitSides(size: (Int, Int), position: Double) throws {
    let (width, height) = size
    let original = try patterned(width, height, seed: 0)
    let edited = try patterned(width, height, seed: 91)
    let result = try Comparison(original, edited, layout: .split(at: position), labels: false).render()
    #expect(result.size == original.size)
    #expect(result.format == .rgba8)
    let border = Int((position * Double(width)).rounded())
    let line = Divider(size: original.size).columns(at: border, width: width)
    #expect(line.count <= 7)
    let left = 0..<(line.isEmpty ? border : line.lowerBound)
    let right = (line.isEmpty ? border : line.upperBound)..<width
    for y in 0..<height {
      let isExact =
        result.codes(row: y, columns: left) == original.codes(row: y, columns: left)
        && result.codes(row: y, columns: right) == edited.codes(row: y, columns: right)
      #expect(isExact, "row \(y), border \(border)")
    }
  }

  @Test("split at 0 is the edited picture and at 1 the original, with no line")
  func splitEnds() throws {
    let original = try patterned(320, 200, seed: 0)
    let edited = try patterned(320, 200, seed: 91)
    let atZero = try Comparison(original, edited, layout: .split(at: 0), labels: false).render()
    let atOne = try Comparison(original, edited, layout: .split(at: 1), labels: false).render()
    #expect(atZero.codes == edited.codes)
    #expect(atOne.codes == original.codes)
  }

  @Test(
    "split draws a white line as wide as the picture asks for", arguments: [(200, 1), (1080, 2), (1620, 3)])
  func lineWidth(edge: Int, core: Int) throws {
    let black = try plain(edge, edge, .rgba8, [0, 0, 0, 255] as [UInt8])
    let result = try Comparison(black, black, layout: .split(at: 0.5), labels: false).render()
    let white = (0..<edge).filter { result.pixel($0, edge / 3) == [255, 255, 255, 255] }
    #expect(white.count == core)
    #expect(white.contains(edge / 2))
  }

  @Test(
    "wipe shows one source on each side of the slanted line, exactly", arguments: [(640, 427), (31, 240)])
  func wipeSides(width: Int, height: Int) throws {
    let original = try patterned(width, height, seed: 0)
    let edited = try patterned(width, height, seed: 91)
    let result = try Comparison(original, edited, layout: .wipe, labels: false).render()
    // The line written out again: through the centre, leaning by 0.4 of the height or 0.6 of the width.
    let run = min(0.4 * Double(height), 0.6 * Double(width))
    for y in 0..<height {
      let crossing = Double(width) / 2 - (Double(y) + 0.5 - Double(height) / 2) * run / Double(height)
      let left = 0..<max(0, Int(crossing) - 5)
      let right = min(width, Int(crossing) + 6)..<width
      let isExact =
        result.codes(row: y, columns: left) == original.codes(row: y, columns: left)
        && result.codes(row: y, columns: right) == edited.codes(row: y, columns: right)
      #expect(isExact, "row \(y), crossing at \(crossing)")
    }
  }

  @Test("wipe draws a white line from the top row to the bottom row, leaning to the right")
  func wipeLine() throws {
    let black = try plain(640, 427, .rgba8, [0, 0, 0, 255] as [UInt8])
    let result = try Comparison(black, black, layout: .wipe, labels: false).render()
    let brightest = try (0..<427).map { y in
      let row = result.codes(row: y, columns: 0..<640)
      let x = try #require((0..<640).max { row[4 * $0] < row[4 * $1] })
      #expect(row[4 * x] > 128, "row \(y)")
      return x
    }
    #expect(zip(brightest, brightest.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(abs(brightest[0] - (320 + 85)) <= 1)
    #expect(abs(brightest[426] - (320 - 85)) <= 1)
  }

  @Test("side by side keeps both pictures whole, pixel for pixel")
  func sideBySide() throws {
    let original = try patterned(151, 101, seed: 0)
    let edited = try patterned(151, 101, seed: 91)
    let result = try Comparison(original, edited, layout: .sideBySide, labels: false).render()
    let gap = result.width - 2 * 151
    #expect(result.height == 101)
    #expect((2...4).contains(gap))
    for y in 0..<101 {
      #expect(result.codes(row: y, columns: 0..<151) == original.codes(row: y, columns: 0..<151))
      #expect(
        result.codes(row: y, columns: 151 + gap..<result.width) == edited.codes(row: y, columns: 0..<151))
    }
    #expect(result.pixel(151, 50) == [0x1B, 0x1B, 0x1D, 255])
  }

  @Test("panoramas are stacked, the original above")
  func panoramas() throws {
    let original = try patterned(400, 100, seed: 0)
    let edited = try patterned(400, 100, seed: 91)
    let result = try Comparison(original, edited, layout: .sideBySide, labels: false).render()
    #expect(result.width == 400)
    #expect(result.height > 200 && result.height < 210)
    #expect(result.pixel(3, 99) == original.pixel(3, 99))
    #expect(result.pixel(3, result.height - 1) == edited.pixel(3, 99))
  }

  @Test("side by side centres pictures of two sizes on the dark ground")
  func sideBySideOfTwoSizes() throws {
    let upright = try patterned(60, 90, seed: 0)
    let across = try patterned(90, 60, seed: 91)
    let result = try Comparison(upright, across, layout: .sideBySide, labels: false).render()
    #expect(result.size == PixelSize(width: 60 + 2 + 90, height: 90))
    #expect(result.pixel(62, 15) == across.pixel(0, 0))
    #expect(result.pixel(62, 14) == [0x1B, 0x1B, 0x1D, 255])
    #expect(result.pixel(151, 75) == [0x1B, 0x1B, 0x1D, 255])
  }

  @Test(
    "a picture of one pixel survives every layout",
    arguments: [Comparison.Layout.split(at: 0.5), .sideBySide, .wipe, .difference(), .difference(gain: 3)])
  func onePixel(layout: Comparison.Layout) throws {
    let pixel = try plain(1, 1, .rgba8, [10, 20, 30, 255] as [UInt8])
    let result = try Comparison(pixel, pixel, layout: layout).render()
    #expect(result.height == 1)
  }

  @Test("deep samples are rounded to the nearest 8-bit code and clipped")
  func deepSamples() throws {
    // 65535 = 255 · 257, so code k is 257 k; half a code above rounds up. 0.5 · 255 = 127.5 rounds up.
    let sixteen = try plain(20, 20, .rgba16, [0, 257 * 100 + 128, 257 * 100 + 129, 65_535] as [UInt16])
    let float = try plain(20, 20, .rgbaF32, [-0.2, 0.5, 1.7, 1] as [Float])
    let result = try Comparison(sixteen, float, layout: .split(at: 0.5), labels: false).render()
    #expect(result.pixel(0, 0) == [0, 100, 101, 255])
    #expect(result.pixel(19, 0) == [0, 128, 255, 255])
    let undefined = try plain(1, 1, .rgbaF32, [Float.nan, .infinity, -.infinity, 1])
    let shown = try Comparison(undefined, undefined, layout: .split(at: 1)).render()
    #expect(shown.pixel(0, 0) == [0, 255, 0, 255])
  }

  @Test("transparency is kept outside the labels")
  func transparency() throws {
    let original = try patterned(40, 30, seed: 0, alpha: .straight)
    let edited = try patterned(40, 30, seed: 91, alpha: .straight)
    let result = try Comparison(original, edited, layout: .split(at: 1), labels: false).render()
    #expect(result.alpha == .straight)
    #expect(result.codes == original.codes)
  }

  @Test("the result carries the sources' colour tags")
  func tags() throws {
    let picture = try patterned(4, 4, seed: 0, tags: .displayP3)
    for layout in [Comparison.Layout.split(at: 0.5), .sideBySide, .wipe, .difference()] {
      #expect(try Comparison(picture, picture, layout: layout).render().tags == .displayP3)
    }
  }
}

@Suite("The labels of a comparison")
struct ComparisonLabelTests {
  @Test("change nothing beyond the lower corners of their own sides")
  func corners() throws {
    let original = try patterned(640, 400, seed: 0)
    let edited = try patterned(640, 400, seed: 91)
    let layout = Comparison.Layout.split(at: 0.5)
    let bare = try Comparison(original, edited, layout: layout, labels: false).render()
    let labelled = try Comparison(original, edited, layout: layout).render()
    let changed = differingPixels(bare, labelled)
    #expect(changed.contains { $0.x < 120 } && changed.contains { $0.x > 520 })
    #expect(changed.allSatisfy { $0.y > 350 && ($0.x < 120 || $0.x > 520) })
  }

  @Test("are white letters on a dark plate")
  func contrast() throws {
    let gray = try plain(640, 400, .rgba8, [128, 128, 128, 255] as [UInt8])
    let labelled = try Comparison(gray, gray, layout: .sideBySide).render()
    let codes = labelled.codes
    let greens = Set(stride(from: 1, to: codes.count, by: 4).map { codes[$0] })
    #expect(greens.contains(255))
    // The plate: 42 % of 128.
    #expect(greens.contains(54))
  }

  @Test("hide where their side is too narrow", arguments: [(0.05, false, true), (0.95, true, false)])
  func narrowSides(position: Double, hasOriginal: Bool, hasEdited: Bool) throws {
    let picture = try patterned(640, 400, seed: 0)
    let layout = Comparison.Layout.split(at: position)
    let bare = try Comparison(picture, picture, layout: layout, labels: false).render()
    let labelled = try Comparison(picture, picture, layout: layout).render()
    let changed = differingPixels(bare, labelled)
    #expect(changed.contains { $0.x < 320 } == hasOriginal)
    #expect(changed.contains { $0.x >= 320 } == hasEdited)
  }

  @Test(
    "of a wipe never touch the slanted line", arguments: [(640, 427), (130, 130), (150, 900), (900, 150)])
  func wipe(width: Int, height: Int) throws {
    let picture = try patterned(width, height, seed: 0)
    let bare = try Comparison(picture, picture, layout: .wipe, labels: false).render()
    let labelled = try Comparison(picture, picture, layout: .wipe).render()
    let line = SlantedLine(size: picture.size)
    let reach = Divider(size: picture.size).reach
    let distances = differingPixels(bare, labelled).map {
      abs(line.distance(x: Double($0.x) + 0.5, y: Double($0.y) + 0.5))
    }
    #expect(try #require(distances.min()) > reach + 1)
  }

  @Test("are left out under 120 pixels", arguments: [(119, false), (120, true)])
  func smallPictures(edge: Int, isLabelled: Bool) throws {
    let picture = try patterned(edge, 600, seed: 0)
    let bare = try Comparison(picture, picture, layout: .split(at: 1), labels: false).render()
    let labelled = try Comparison(picture, picture, layout: .split(at: 1)).render()
    #expect((bare.codes != labelled.codes) == isLabelled)
  }

  private func differingPixels(_ a: PixelBuffer, _ b: PixelBuffer) -> [(x: Int, y: Int)] {
    (0..<a.height).flatMap { y -> [(x: Int, y: Int)] in
      let all = 0..<a.width
      guard a.codes(row: y, columns: all) != b.codes(row: y, columns: all) else { return [] }
      return (0..<a.width).filter { a.pixel($0, y) != b.pixel($0, y) }.map { (x: $0, y: y) }
    }
  }
}

@Suite("A comparison that cannot be made")
struct ComparisonErrorTests {
  @Test(
    "names both sizes and suggests the layout that works",
    arguments: [
      (Comparison.Layout.split(at: 0.5), "split"), (.wipe, "wipe"), (.difference(), "difference"),
    ])
  func sizes(layout: Comparison.Layout, name: String) throws {
    let original = try patterned(60, 40, seed: 0)
    let edited = try patterned(40, 60, seed: 0)
    let error = #expect(throws: SafelightError.self) {
      try Comparison(original, edited, layout: layout).render()
    }
    #expect(
      error?.description
        == "The original is 60×40 and the edited picture is 40×60, and the \(name) layout needs equal sizes; "
        + "compare them side by side (layout \"side\"), or give the original the same geometry.")
  }

  @Test("says what a split position may be", arguments: [-0.01, 1.5, .nan, .infinity])
  func positions(position: Double) throws {
    let picture = try patterned(4, 4, seed: 0)
    let error = #expect(throws: SafelightError.self) {
      try Comparison(picture, picture, layout: .split(at: position)).render()
    }
    #expect(error?.problem == "The split position \(position) is outside 0…1")
  }

  @Test("says what a gain may be", arguments: [0, -2, .nan, .infinity])
  func gains(gain: Double) throws {
    let picture = try patterned(4, 4, seed: 0)
    let error = #expect(throws: SafelightError.self) {
      try Comparison(picture, picture, layout: .difference(gain: gain)).render()
    }
    #expect(error?.problem == "The gain of a difference must be above 0, not \(gain)")
  }

  @Test("says that colour spaces, formats or encodings do not fit")
  func samples() throws {
    let sRGB = try patterned(4, 4, seed: 0)
    func problem(_ a: PixelBuffer, _ b: PixelBuffer) -> String? {
      #expect(throws: SafelightError.self) { try Comparison(a, b, layout: .sideBySide).render() }?.problem
    }
    #expect(
      problem(sRGB, sRGB.retagged(.displayP3))
        == "The original is bt709/sRGB and the edited picture is displayP3/sRGB")
    #expect(
      problem(sRGB, sRGB.retagged(.icc([1, 2, 3])))
        == "The original is bt709/sRGB and the edited picture is tagged with an ICC profile of 3 bytes")
    let linear = sRGB.retagged(.linearRec2020)
    #expect(problem(linear, linear) == "A comparison takes display-encoded pictures, not linear light")
    let camera = try PixelBuffer(size: sRGB.size, format: .nv12)
    #expect(problem(sRGB, camera) == "A comparison takes RGBA pictures, not nv12")
  }
}
