import TestSupport

/// A printed page in grey, made from a seed: lines of words, a heading, a picture, a table, within margins.
package struct DocumentPage: Sendable {
  package let width: Int
  package let height: Int
  package private(set) var levels: [Float]

  package enum Content: CaseIterable, Sendable { case text, picture, table, blank, panel }

  /// - Parameter ratio: width to height.
  package init(
    ratio: Double = 1 / 2.0.squareRoot(), content: Content = .text, paper: Float = 0.9, seed: UInt64
  ) {
    height = ratio < 1 ? 600 : Int(600 / ratio)
    width = ratio < 1 ? Int(600 * ratio) : 600
    levels = [Float](repeating: paper, count: width * height)
    var random = SeededRandom(seed: seed)
    let margin = Int(Double(min(width, height)) * Double.random(in: 0.06...0.13, using: &random))
    switch content {
    case .blank: break
    case .text: write(margin, margin, width - margin, height - margin, &random)
    case .picture:
      let middle = margin + Int(Double(height - 2 * margin) * Double.random(in: 0.35...0.55, using: &random))
      draw(margin, margin, width - margin, middle, &random)
      write(margin, middle + 12, width - margin, height - margin, &random)
    case .table:
      write(margin, margin, width - margin, height / 3, &random)
      rule(margin, height / 3 + 8, width - margin, height - margin, &random)
    case .panel:
      frame(margin, margin, width - margin, height - margin, 3, 0.12)
      draw(margin + 3, margin + 3, width - margin - 3, height - margin - 3, &random)
    }
  }

  private mutating func fill(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ level: Float) {
    for y in max(y0, 0)..<max(min(y1, height), max(y0, 0)) {
      for x in max(x0, 0)..<max(min(x1, width), max(x0, 0)) { levels[y * width + x] = level }
    }
  }

  private mutating func frame(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ thick: Int, _ level: Float) {
    fill(x0, y0, x1, y0 + thick, level)
    fill(x0, y1 - thick, x1, y1, level)
    fill(x0, y0, x0 + thick, y1, level)
    fill(x1 - thick, y0, x1, y1, level)
  }

  /// Words as rows of strokes.
  private mutating func write(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ random: inout SeededRandom) {
    let ink = Float.random(in: 0.08...0.25, using: &random)
    var size = Int.random(in: 11...18, using: &random)
    var y = y0
    while y + size < y1 {
      let end = Int.random(in: 0..<5, using: &random) == 0 ? x0 + (x1 - x0) / 2 : x1
      var x = x0
      while x < end {
        let letters = Int.random(in: 2...9, using: &random)
        for _ in 0..<letters where x + size / 2 < end {
          let (w, h) = (max(size / 2 - 1, 2), size)
          let tall = Int.random(in: 0..<3, using: &random) == 0
          let top = tall ? y : y + h / 3
          fill(x, top, x + max(w / 3, 1), y + h, ink)
          if Bool.random(using: &random) { fill(x, top, x + w - 1, top + max(h / 8, 1), ink) }
          if Bool.random(using: &random) { fill(x, y + h - max(h / 8, 1), x + w - 1, y + h, ink) }
          if Bool.random(using: &random) { fill(x + w - 1 - max(w / 3, 1), top, x + w - 1, y + h, ink) }
          x += w + 1
        }
        x += size / 2
      }
      y += size * 2
      if y < y0 + 3 * size { size = max(size * 2 / 3, 9) }
    }
  }

  /// A picture of discs.
  private mutating func draw(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ random: inout SeededRandom) {
    guard x1 > x0 + 4, y1 > y0 + 4 else { return }
    fill(x0, y0, x1, y1, Float.random(in: 0.3...0.8, using: &random))
    for _ in 0..<25 {
      let (cx, cy) = (Int.random(in: x0...x1, using: &random), Int.random(in: y0...y1, using: &random))
      let radius = Int.random(in: 5...60, using: &random)
      let level = Float.random(in: 0.1...0.9, using: &random)
      for y in max(y0, cy - radius)..<max(min(y1, cy + radius), max(y0, cy - radius)) {
        for x in max(x0, cx - radius)..<max(min(x1, cx + radius), max(x0, cx - radius))
        where (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius {
          levels[y * width + x] = level
        }
      }
    }
  }

  private mutating func rule(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ random: inout SeededRandom) {
    let (rows, columns) = (Int.random(in: 4...9, using: &random), Int.random(in: 2...5, using: &random))
    for row in 0..<rows {
      for column in 0..<columns {
        let (left, right) = (x0 + (x1 - x0) * column / columns, x0 + (x1 - x0) * (column + 1) / columns)
        let (top, bottom) = (y0 + (y1 - y0) * row / rows, y0 + (y1 - y0) * (row + 1) / rows)
        frame(left, top, right + 2, bottom + 2, 2, 0.2)
        write(left + 8, top + 6, right - 8, bottom - 4, &random)
      }
    }
  }

  /// The level at fractions of width and height, by bilinear interpolation.
  package func callAsFunction(_ u: Double, _ v: Double) -> Float {
    let x = min(max(u * Double(width) - 0.5, 0), Double(width) - 1.001)
    let y = min(max(v * Double(height) - 0.5, 0), Double(height) - 1.001)
    let (i, j) = (Int(x), Int(y))
    let (a, b) = (Float(x - Double(i)), Float(y - Double(j)))
    let at = j * width + i
    let top = levels[at] + (levels[at + 1] - levels[at]) * a
    let bottom = levels[at + width] + (levels[at + width + 1] - levels[at + width]) * a
    return top + (bottom - top) * b
  }
}
