import Safelight
import Testing

@testable import SafelightCLI

/// Whoever is on the other side of a terminal's line says how large it is, and may say anything.
@Suite("Sizes that terminals say they have")
struct TerminalSizeTests {
  @Test(
    "are bounded, and taken for 80 × 24 cells of 8 × 16 where they are not said",
    arguments: [
      (120, 40, 960, 800, nil, (120, 40, 8, 20)),
      (0, 0, 0, 0, nil, (80, 24, 8, 16)), (0, 24, 640, 480, nil, (80, 24, 8, 16)),
      (1, 1, 0, 0, nil, (1, 1, 8, 16)), (1, 1, 1, 1, nil, (1, 1, 1, 1)),
      (65_535, 65_535, 0, 0, nil, (2048, 2048, 8, 16)),
      (65_535, 65_535, 65_535, 65_535, nil, (2048, 2048, 1, 1)),
      (1, 1, 65_535, 65_535, nil, (1, 1, 8, 16)), (80, 24, 10, 10, nil, (80, 24, 8, 16)),
      (80, 24, 0, 0, (9, 18), (80, 24, 9, 18)), (80, 24, 800, 480, (9, 18), (80, 24, 10, 20)),
      (80, 24, 0, 0, (.max, .max), (80, 24, 8, 16)), (80, 24, 0, 0, (0, 16), (80, 24, 8, 16)),
    ] as [(Int, Int, Int, Int, (Int, Int)?, (Int, Int, Int, Int))])
  func bounds(
    columns: Int, rows: Int, width: Int, height: Int, cell: (Int, Int)?, expected: (Int, Int, Int, Int)
  ) {
    let size = Terminal.Size(columns: columns, rows: rows, width: width, height: height, cell: cell)
    #expect((size.columns, size.rows, size.cellWidth, size.cellHeight) == expected)
  }

  @Test(
    "A picture is drawn with few samples however large they are", arguments: TerminalPreview.Graphics.allCases
  )
  func samples(graphics: TerminalPreview.Graphics) throws {
    let painter: any PicturePainter =
      switch graphics {
      case .kitty: KittyPainter()
      case .sixel: SixelPainter()
      case .blocks: HalfBlockPainter(.trueColor)
      }
    for (columns, rows) in [(65_535, 65_535), (65_535, 2), (1, 65_535), (1, 2), (2, 2)] {
      for cell in [(1, 1), (8, 16), (256, 256)] {
        for (width, height) in [(1920, 1080), (1, 65_535), (65_535, 1), (1, 1)] {
          let size = Terminal.Size(columns: columns, rows: rows, cell: cell)
          let layout = try #require(
            PreviewLayout(PixelSize(width: width, height: height), in: size, sampling: painter.sampling))
          #expect((1...620_000).contains(layout.samples.pixelCount), "\(layout)")
          #expect((1...310_000).contains(layout.columns * layout.rows) || graphics != .blocks, "\(layout)")
          #expect(layout.row + layout.rows < size.rows && layout.column + layout.columns <= size.columns)
        }
      }
    }
  }
}
