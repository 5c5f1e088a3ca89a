import LibraryTestSupport
import Foundation
import Safelight
import TestSupport
import Testing

@testable import SafelightCLI

@Suite("Pictures in terminals")
struct PicturePainterTests {
  private func terminal(_ columns: Int, _ rows: Int, cell: (Int, Int) = (8, 16)) -> Terminal.Size {
    Terminal.Size(columns: columns, rows: rows, cell: cell)
  }

  @Test(
    "keep their proportions, are centred, and leave the last row to the status line",
    arguments: [
      // 16:9 in 80 × 24 of 1:2 cells: the width decides; 80 · 9/16 / 2 is 22½ rows.
      (1920, 1080, 80, 24, (80, 23)), (1080, 1920, 80, 24, (26, 23)), (640, 480, 200, 24, (61, 23)),
      (100, 100, 2, 2, (2, 1)), (10_000, 1, 80, 24, (80, 1)), (1, 1, 80, 24, (46, 23)),
    ])
  func layout(width: Int, height: Int, columns: Int, rows: Int, cells: (Int, Int)) throws {
    let picture = PixelSize(width: width, height: height)
    let layout = try #require(
      PreviewLayout(picture, in: terminal(columns, rows), sampling: .halfBlocks(atMost: 10_000)))
    #expect(layout.columns == cells.0 && layout.rows == cells.1)
    #expect(layout.samples == PixelSize(width: layout.columns, height: 2 * layout.rows))
    #expect(layout.row + layout.rows <= rows - 1)
    #expect(abs(layout.column - (columns - layout.column - layout.columns)) <= 1)
  }

  @Test("take cells that are not 1:2 for what they are, and find no room in one row")
  func cellShapes() throws {
    let picture = PixelSize(width: 400, height: 400)
    let square = try #require(
      PreviewLayout(picture, in: terminal(80, 21, cell: (10, 10)), sampling: .halfBlocks(atMost: 10_000)))
    #expect(square.columns == 20 && square.rows == 20)
    #expect(PreviewLayout(picture, in: terminal(80, 1), sampling: .halfBlocks(atMost: 10_000)) == nil)
    let sixel = try #require(
      PreviewLayout(picture, in: terminal(200, 101, cell: (10, 20)), sampling: .pixels(atMost: 10_000)))
    #expect(sixel.samples == PixelSize(width: 100, height: 100) && sixel.columns == 10 && sixel.rows == 5)
    let kitty = try #require(
      PreviewLayout(picture, in: terminal(200, 101, cell: (10, 20)), sampling: .scaledPixels(atMost: 10_000)))
    #expect(kitty.samples == PixelSize(width: 100, height: 100) && kitty.columns == 200 && kitty.rows == 100)
  }

  @Test("are scaled by the mean of linear light, whatever the ratio")
  func scaling() throws {
    var random = SeededRandom(seed: 7)
    let scaler = AreaScaler()
    // Half black, half white is 188 by IEC 61966-2-1, not 128.
    scaler.scale(
      try picture(64, 64) { x, y in gray((x + y) % 2 * 65_535) }, to: PixelSize(width: 8, height: 8))
    #expect(scaler.samples == [UInt8](repeating: 188, count: 192))

    for (from, to) in [
      ((31, 17), (7, 5)), ((16, 16), (16, 16)), ((5, 3), (13, 11)), ((100, 9), (3, 1)), ((1, 1), (4, 4)),
    ] {
      let buffer = try picture(from.0, from.1) { _, _ in
        (0..<4).map { _ in .random(in: 0...65_535, using: &random) }
      }
      scaler.scale(buffer, to: PixelSize(width: to.0, height: to.1))
      for y in 0..<to.1 {
        for x in 0..<to.0 {
          for channel in 0..<3 {
            let wanted = mean(buffer, x, y, channel, to)
            let found = Double(scaler.samples[3 * (y * to.0 + x) + channel])
            #expect(abs(found - wanted) <= 0.51, "\(from) to \(to) at \(x), \(y): \(found), not \(wanted)")
          }
        }
      }
    }
  }

  /// The mean over the sample's area by definition, in double precision; 0…255.
  private func mean(_ buffer: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int, _ to: (Int, Int)) -> Double {
    func overlap(_ index: Int, _ sample: Int, _ count: Int, _ extent: Int) -> Double {
      let (low, high) = (
        Double(sample * extent) / Double(count), Double((sample + 1) * extent) / Double(count)
      )
      return max(0, min(high, Double(index + 1)) - max(low, Double(index)))
    }
    func decode(_ code: UInt8) -> Double {
      let v = Double(code) / 255
      return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }
    var (sum, area) = (0.0, 0.0)
    for row in 0..<buffer.height {
      for column in 0..<buffer.width {
        let weight = overlap(row, y, to.1, buffer.height) * overlap(column, x, to.0, buffer.width)
        sum += weight * decode(buffer.row(row, as: UInt8.self)[4 * column + channel])
        area += weight
      }
    }
    let v = sum / area
    return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055)
  }

  @Test("as half blocks show on the screen what was drawn, frame after frame, within the tolerance")
  func halfBlocks() throws {
    var random = SeededRandom(seed: 3)
    let size = terminal(20, 8)
    let layout = try #require(
      PreviewLayout(PixelSize(width: 20, height: 14), in: size, sampling: .halfBlocks(atMost: 10_000)))
    let painter = HalfBlockPainter(.trueColor)
    var screen = ScreenModel(columns: 20, rows: 8)
    var samples = [UInt8](repeating: 0, count: 3 * layout.samples.pixelCount)
    for _ in 0..<30 {
      // Some samples jump, all drift a little.
      for index in samples.indices {
        let jump = Int.random(in: 0..<6, using: &random) == 0
        samples[index] =
          jump
          ? .random(in: 0...255, using: &random)
          : UInt8(clamping: Int(samples[index]) + .random(in: -2...2, using: &random))
      }
      var output = TerminalBytes()
      painter.paint(samples, layout, into: &output)
      screen.show(output.bytes)
      for row in 0..<layout.rows {
        for column in 0..<layout.columns {
          let halves = screen.halves(layout.row + row, layout.column + column)
          for (half, y) in [(halves.upper, 2 * row), (halves.lower, 2 * row + 1)] {
            let start = 3 * (y * layout.columns + column)
            for (found, wanted) in zip(half, samples[start..<start + 3]) {
              #expect(
                abs(found - Int(wanted)) <= 3, "\(row), \(column): \(half), not \(samples[start..<start + 3])"
              )
            }
            #expect(half.count == 3)
          }
        }
      }
    }
    #expect(screen.others.isEmpty, "\(screen.others)")
  }

  @Test("as half blocks cost nothing where nothing changes, and little where little does")
  func economy() throws {
    let layout = try #require(
      PreviewLayout(
        PixelSize(width: 80, height: 46), in: terminal(80, 24), sampling: .halfBlocks(atMost: 10_000)))
    let painter = HalfBlockPainter(.trueColor)
    var samples = [UInt8](repeating: 100, count: 3 * layout.samples.pixelCount)
    var output = TerminalBytes()
    func cost() -> Int {
      output.removeAll()
      painter.paint(samples, layout, into: &output)
      return output.bytes.count
    }
    // One colour: a space a cell, a move a row, the colour once.
    #expect(cost() <= layout.rows * (layout.columns + 8) + 30)
    #expect(cost() == 0)
    for index in samples.indices { samples[index] = 103 }
    #expect(cost() == 0)
    samples[1200] = 200
    #expect((1...60).contains(cost()))
    // On a cleared screen everything is drawn anew.
    painter.reset()
    #expect(cost() > layout.rows * layout.columns)
  }

  @Test("in 256 colours have the picture's light in every patch, from xterm's cube")
  func palette() throws {
    var random = SeededRandom(seed: 11)
    let layout = try #require(
      PreviewLayout(PixelSize(width: 8, height: 8), in: terminal(8, 5), sampling: .halfBlocks(atMost: 10_000))
    )
    #expect(layout.samples == PixelSize(width: 8, height: 8))
    // xterm's 256colres.pl.
    let levels = [0, 95, 135, 175, 215, 255].map { TransferFunction.sRGB.decode(Double($0) / 255) }
    for _ in 0..<100 {
      let color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
      var output = TerminalBytes()
      HalfBlockPainter(.palette256).paint(
        [[UInt8]](repeating: color, count: 64).flatMap { $0 }, layout, into: &output)
      var screen = ScreenModel(columns: 8, rows: 5)
      screen.show(output.bytes)
      var sums = [0.0, 0, 0]
      for cell in 0..<32 {
        let halves = screen.halves(cell / 8, cell % 8)
        for half in [halves.upper, halves.lower] {
          let number = try #require(half.first) - 16
          for (channel, level) in [number / 36, number / 6 % 6, number % 6].enumerated() {
            sums[channel] += levels[level]
          }
        }
      }
      for (sum, code) in zip(sums, color) {
        // A 64th of the widest step between levels.
        #expect(abs(sum / 64 - TransferFunction.sRGB.decode(Double(code) / 255)) <= 0.4 / 64, "\(color)")
      }
    }
  }

  @Test("without colours become shades, dark to light")
  func shades() throws {
    let layout = try #require(
      PreviewLayout(
        PixelSize(width: 10, height: 2), in: terminal(10, 2), sampling: .halfBlocks(atMost: 10_000)))
    let row: [UInt8] = (0..<30).map { UInt8($0 / 3 * 28) }
    let samples = row + row
    var output = TerminalBytes()
    HalfBlockPainter(.none).paint(samples, layout, into: &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\u{1B}[1;1H .:-=+*#%@")
  }

  @Test("by kitty's protocol arrive whole, in pieces that it allows, and replace each other")
  func kitty() throws {
    let layout = try #require(
      PreviewLayout(
        PixelSize(width: 50, height: 30), in: terminal(20, 8, cell: (5, 10)),
        sampling: .scaledPixels(atMost: 4000)))
    var random = SeededRandom(seed: 5)
    let painter = KittyPainter()
    for turn in 0..<3 {
      let samples = (0..<3 * layout.samples.pixelCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      var output = TerminalBytes()
      painter.paint(samples, layout, into: &output)
      let pieces = String(decoding: output.bytes, as: UTF8.self).split(separator: "\u{1B}_G").dropFirst().map
      {
        $0.split(separator: ";", omittingEmptySubsequences: false)
      }
      let drawn = pieces.filter { $0.count == 2 }
      let image = turn % 2 == 0 ? 2 : 1
      #expect(
        drawn[0][0]
          == "a=T,f=24,q=2,C=1,p=1,i=\(image),s=\(layout.samples.width),v=\(layout.samples.height),"
          + "c=\(layout.columns),r=\(layout.rows),m=1")
      #expect(drawn.dropFirst().dropLast().allSatisfy { $0[0] == "m=1" } && drawn.last?[0] == "m=0")
      #expect(drawn.allSatisfy { $0[1].dropLast(2).count <= 4096 && $0[1].hasSuffix("\u{1B}\\") })
      let data = try #require(Data(base64Encoded: drawn.map { String($0[1].dropLast(2)) }.joined()))
      #expect(Array(data) == samples)
      #expect(
        pieces.filter { $0.count == 1 }.map { String($0[0]) }
          == (turn == 0 ? [] : ["a=d,d=I,q=2,i=\(3 - image)\u{1B}\\"]))
    }
  }

  @Test("as sixels have the picture's light in every patch")
  func sixel() throws {
    let layout = try #require(
      PreviewLayout(
        PixelSize(width: 48, height: 32), in: terminal(48, 33, cell: (1, 1)),
        sampling: .pixels(atMost: 10_000)))
    #expect(layout.samples == PixelSize(width: 48, height: 32))
    // Patches of 8 × 8, the size of the dither, in colours between the palette's.
    var random = SeededRandom(seed: 9)
    let colors = (0..<24).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
    var samples: [UInt8] = []
    for y in 0..<32 { for x in 0..<48 { samples += colors[y / 8 * 6 + x / 8] } }
    var output = TerminalBytes()
    let painter = SixelPainter()
    painter.paint(samples, layout, into: &output)
    let decoded = try SixelDecoder.decode(output.bytes)
    #expect(decoded.width == 48 && decoded.height == 32)
    for (index, color) in colors.enumerated() {
      for channel in 0..<3 {
        var sum = 0.0
        for y in 0..<8 {
          for x in 0..<8 {
            let pixel = try #require(decoded.pixels[(index / 6 * 8 + y) * 48 + index % 6 * 8 + x])
            sum += TransferFunction.sRGB.decode(Double(pixel[channel]) / 100)
          }
        }
        let wanted = TransferFunction.sRGB.decode(Double(color[channel]) / 255)
        // A 64th of the widest step between levels.
        #expect(abs(sum / 64 - wanted) <= 0.4 / 64, "\(color)")
      }
    }
    // The second picture does not depend on the first.
    var again = TerminalBytes()
    painter.paint(samples, layout, into: &again)
    #expect(again.bytes == output.bytes)
  }

  private func gray(_ value: Int) -> [Int] { [value, value, value, 65_535] }
}
