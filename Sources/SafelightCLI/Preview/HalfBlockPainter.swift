/// Draws with `▀`: the upper half of a cell in the text's colour, the lower half in the background's.
///
/// Only cells that have changed visibly are drawn again, which keeps a still scene's frames small.
final class HalfBlockPainter: PicturePainter {
  /// An 8K screen with the smallest legible letters has fewer cells.
  let sampling = PreviewLayout.Sampling.halfBlocks(atMost: 300_000)
  private let colors: TerminalCapabilities.Colors
  /// The levels of xterm's cube, colours 16…231 of its palette. Without dither, soft pictures would turn grey.
  private let dither = OrderedDither(levels: [0, 95, 135, 175, 215, 255])
  /// Colours of the cells on the screen.
  private var shown: [Cell] = []

  /// A channel may differ by this many codes of 255 from what is on the screen: less than the steps of 256 colours,
  /// more than a camera's noise after averaging.
  private static let tolerance: Int32 = 3
  /// For terminals without colours: more ink for more light.
  private static let shades: [StaticString] = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"]

  private struct Cell: Equatable {
    /// 0xRRGGBB, a palette index or a shade; negative if unknown.
    var top: Int32
    var bottom: Int32
  }
  private static let unknown = Cell(top: -1, bottom: -1)

  init(_ colors: TerminalCapabilities.Colors) { self.colors = colors }

  func reset() { shown.removeAll(keepingCapacity: true) }

  func paint(_ samples: [UInt8], _ layout: PreviewLayout, into output: inout TerminalBytes) {
    let (columns, rows) = (layout.columns, layout.rows)
    if shown.count != columns * rows { shown = Array(repeating: Self.unknown, count: columns * rows) }
    var pen = Self.unknown
    for row in 0..<rows {
      // The cursor's position in this row; nil if the cursor is elsewhere.
      var cursor: Int?
      for column in 0..<columns {
        let cell = cell(samples, columns, row, column)
        let index = row * columns + column
        guard !isAlike(cell, shown[index]) else { continue }
        shown[index] = cell
        if let cursor, cursor < column {
          output.append("\u{1B}[")
          output.append(column - cursor)
          output.append(UInt8(ascii: "C"))
        } else if cursor == nil {
          output.moveCursor(row: layout.row + row, column: layout.column + column)
        }
        draw(cell, pen: &pen, into: &output)
        cursor = column + 1
      }
    }
    if pen != Self.unknown { output.append("\u{1B}[0m") }
  }

  private func cell(_ samples: [UInt8], _ columns: Int, _ row: Int, _ column: Int) -> Cell {
    let upper = 3 * (2 * row * columns + column)
    let lower = upper + 3 * columns
    switch colors {
    case .trueColor: return Cell(top: Self.packed(samples, upper), bottom: Self.packed(samples, lower))
    case .palette256:
      return Cell(
        top: Int32(16 + dither.color(samples, upper, x: column, y: 2 * row)),
        bottom: Int32(16 + dither.color(samples, lower, x: column, y: 2 * row + 1)))
    case .none:
      let light = Self.luma(samples, upper) + Self.luma(samples, lower)
      let shade = min(light * Self.shades.count / 510, Self.shades.count - 1)
      return Cell(top: Int32(shade), bottom: Int32(shade))
    }
  }

  private func isAlike(_ a: Cell, _ b: Cell) -> Bool {
    guard colors == .trueColor, b.top >= 0 else { return a == b }
    return Self.difference(a.top, b.top) <= Self.tolerance
      && Self.difference(a.bottom, b.bottom) <= Self.tolerance
  }

  private func draw(_ cell: Cell, pen: inout Cell, into output: inout TerminalBytes) {
    guard colors != .none else {
      output.append(Self.shades[Int(cell.top)])
      return
    }
    // A cell of one colour needs only the background.
    let isFlat = cell.top == cell.bottom
    if !isFlat, pen.top != cell.top {
      setColor(38, cell.top, into: &output)
      pen.top = cell.top
    }
    if pen.bottom != cell.bottom {
      setColor(48, cell.bottom, into: &output)
      pen.bottom = cell.bottom
    }
    output.append(isFlat ? " " : "▀")
  }

  /// SGR 38 (text) or 48 (background).
  private func setColor(_ target: Int, _ color: Int32, into output: inout TerminalBytes) {
    output.append("\u{1B}[")
    output.append(target)
    if colors == .palette256 {
      output.append(";5;")
      output.append(Int(color))
    } else {
      output.append(";2;")
      output.append(Int(color >> 16))
      output.append(UInt8(ascii: ";"))
      output.append(Int(color >> 8 & 0xFF))
      output.append(UInt8(ascii: ";"))
      output.append(Int(color & 0xFF))
    }
    output.append(UInt8(ascii: "m"))
  }

  private static func packed(_ samples: [UInt8], _ index: Int) -> Int32 {
    Int32(samples[index]) << 16 | Int32(samples[index + 1]) << 8 | Int32(samples[index + 2])
  }

  /// BT.709 luma of the encoded sample, 0…255.
  private static func luma(_ samples: [UInt8], _ index: Int) -> Int {
    (54 * Int(samples[index]) + 183 * Int(samples[index + 1]) + 19 * Int(samples[index + 2])) >> 8
  }

  /// The largest difference of a channel.
  private static func difference(_ a: Int32, _ b: Int32) -> Int32 {
    max(abs(a >> 16 - b >> 16), abs(a >> 8 & 0xFF - b >> 8 & 0xFF), abs(a & 0xFF - b & 0xFF))
  }
}
