/// Sets short captions at any size from the skeletons of `Alphabet`.
///
/// A letter is drawn by distance to its skeleton: coverage = clamp(stroke/2 + ½ − distance, 0, 1), so ends are
/// round and edges antialiased without a font file. Straight strokes are first snapped to the pixel grid, which
/// keeps captions crisp down to a cap height of 9 pixels. Lower case is set in small capitals.
package struct Lettering: Sendable {
  /// The smallest legible cap height, in pixels.
  static let smallestCapHeight = 9

  /// The height of a capital, ink to ink, in pixels.
  package let capHeight: Int
  /// The width of the pen in pixels. Small letters take a heavier pen, like the optical sizes of printed type.
  let stroke: Double
  /// Extra space between letters, in cap heights.
  let tracking: Double

  package init(capHeight: Int, tracking: Double = 0) {
    self.capHeight = max(capHeight, Self.smallestCapHeight)
    self.tracking = tracking
    stroke = Double(self.capHeight) * 0.107 + 0.32
  }

  /// Pixels from the left edge of the first letter's ink to the right edge of the last one's.
  package func width(of text: String) -> Int { set(text).width }

  /// Returns `text`, or as much of its beginning as fits into `width` pixels, followed by an ellipsis.
  package func fitting(_ text: String, width limit: Int) -> String {
    guard width(of: text) > limit else { return text }
    var kept = Substring(text)
    while !kept.isEmpty {
      kept.removeLast()
      while kept.last == " " { kept.removeLast() }
      let shortened = kept + "…"
      if !kept.isEmpty, width(of: String(shortened)) <= limit { return String(shortened) }
    }
    return ""
  }

  /// Returns the ink of `text`; (0, 0) of the mask is the left edge of the ink at the cap line.
  func mask(of text: String) -> CoverageMask {
    let line = set(text)
    // Room for what extends beyond the cap height: tails, commas, brackets.
    let margin = capHeight / 2 + 1
    var mask = CoverageMask(
      width: line.width + 2 * margin, height: capHeight + 2 * margin, originX: margin, originY: margin)
    for letter in line.letters { draw(letter, into: &mask) }
    return mask
  }
}

/// The ink coverage of each pixel, 0…1, row by row.
struct CoverageMask: Sendable {
  let width: Int
  let height: Int
  /// The column and row of the mask that are drawn at the requested position.
  let originX: Int
  let originY: Int
  var values: [Float]

  init(width: Int, height: Int, originX: Int, originY: Int) {
    self.width = width
    self.height = height
    self.originX = originX
    self.originY = originY
    values = Array(repeating: 0, count: width * height)
  }
}

// MARK: - Setting a line

extension Lettering {
  private struct PlacedLetter {
    var glyph: Glyph
    /// The height relative to capitals: 1, or that of small capitals.
    var height: Double
    /// The left edge of the skeleton, in pixels from the left edge of the line's ink.
    var x: Double
  }

  private func set(_ text: String) -> (letters: [PlacedLetter], width: Int) {
    var letters: [PlacedLetter] = []
    var pen = 0.0
    var inkEnd = 0.0
    let unit = Double(capHeight)
    for character in text {
      guard let scalar = Self.base(of: character) else { continue }
      if scalar == " " {
        pen += Alphabet.space * unit
        continue
      }
      let capital = Self.capital(of: scalar)
      let height = capital == scalar ? 1 : Alphabet.smallCapitalHeight
      let glyph = Alphabet.glyph(for: capital)
      // Small capitals are set a little closer, but not in proportion: small letters need space.
      let air = unit * (1 + height) / 2
      // A line begins with ink, not with the first letter's bearing.
      pen = letters.isEmpty && pen == 0 ? stroke / 2 : pen + glyph.left.bearing * air
      letters.append(PlacedLetter(glyph: glyph, height: height, x: pen))
      pen += glyph.width * skeletonHeight(height)
      inkEnd = pen + stroke / 2
      pen += (glyph.right.bearing + tracking) * air
    }
    // Snapping to the grid moves a letter's edge by at most half a pixel.
    return (letters, Int((inkEnd + 0.5).rounded(.up)))
  }

  /// Returns the character without accents and combining marks, which the alphabet lacks.
  private static func base(of character: Character) -> Unicode.Scalar? {
    guard let scalar = character.unicodeScalars.first else { return nil }
    if scalar.properties.isWhitespace { return " " }
    if Alphabet.contains(capital(of: scalar)) { return scalar }
    // The Unicode Character Database names é "LATIN SMALL LETTER E WITH ACUTE".
    guard let words = scalar.properties.name?.split(separator: " "), words.count > 4, words[0] == "LATIN",
      words[2] == "LETTER", words[3].unicodeScalars.count == 1, words[4] == "WITH",
      let letter = words[3].unicodeScalars.first
    else { return scalar }
    return words[1] == "SMALL" ? Unicode.Scalar(letter.value + 32) : letter
  }

  private static func capital(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("a"..."z").contains(scalar) ? Unicode.Scalar(scalar.value - 32) ?? scalar : scalar
  }

  /// Pixels from the centre of a letter's top stroke to the centre of its bottom stroke.
  private func skeletonHeight(_ height: Double) -> Double { Double(capHeight) * height - stroke }
}

// MARK: - Drawing a letter

extension Lettering {
  /// The position nearest to `position` at which a stroke's centre gives the crispest edges: the middle of a pixel
  /// if the pen is about an odd number of pixels wide, the border between two if even.
  private func onGrid(_ position: Double) -> Double {
    let isOdd = Int(stroke.rounded()) % 2 == 1
    return isOdd ? position.rounded(.down) + 0.5 : position.rounded()
  }

  private func draw(_ letter: PlacedLetter, into mask: inout CoverageMask) {
    let arcSteps = max(6, capHeight / 5)
    let chains = letter.glyph.chains(arcSteps: arcSteps)
    let scale = skeletonHeight(letter.height)
    let baseline = onGrid(Double(capHeight) - stroke / 2)
    let warp = GridFit(
      chains: chains, scale: scale, x: letter.x, y: baseline - scale, smallestGap: stroke + 0.75,
      onGrid: onGrid)
    for chain in chains {
      let points = chain.map { warp.position(of: $0) }
      guard let first = points.first else { continue }
      if points.count == 1 {
        // A dot as wide as the pen looks thinner than the strokes beside it.
        mask.addStroke(from: first, to: first, width: stroke * 1.2)
      }
      for (from, to) in zip(points, points.dropFirst()) {
        mask.addStroke(from: from, to: to, width: stroke)
      }
    }
  }
}

/// Maps a skeleton to pixels so that its straight strokes and its extremes lie on the grid.
private struct GridFit {
  private struct Axis {
    /// Skeleton coordinates and the pixel positions they are fixed to, ascending.
    private var knots: [(from: Double, to: Double)] = []
    private let scale: Double
    private let offset: Double

    init(
      extremes: [Double], strokes: [Double], scale: Double, offset: Double, smallestGap: Double,
      onGrid: (Double) -> Double
    ) {
      self.scale = scale
      self.offset = offset
      // Extremes first: strokes between them yield if both would leave less than a pixel of space.
      for value in extremes + strokes {
        let isClear = knots.allSatisfy { abs($0.from - value) * scale >= smallestGap }
        guard isClear else { continue }
        knots.append((value, onGrid(offset + value * scale)))
      }
      knots.sort { $0.from < $1.from }
    }

    func position(of value: Double) -> Double {
      guard let first = knots.first, let last = knots.last else { return offset + value * scale }
      if value <= first.from { return first.to + (value - first.from) * scale }
      if value >= last.from { return last.to + (value - last.from) * scale }
      let upper = knots.firstIndex { $0.from >= value } ?? knots.count - 1
      let (a, b) = (knots[upper - 1], knots[upper])
      return a.to + (value - a.from) / (b.from - a.from) * (b.to - a.to)
    }
  }

  private let xAxis: Axis
  private let yAxis: Axis

  init(
    chains: [[Glyph.Point]], scale: Double, x: Double, y: Double, smallestGap: Double,
    onGrid: (Double) -> Double
  ) {
    let segments = chains.flatMap { zip($0, $0.dropFirst()) }
    let xs = chains.joined().map(\.x)
    let isLong: (Double) -> Bool = { abs($0) * scale > 1.5 }
    xAxis = Axis(
      extremes: [xs.min() ?? 0, xs.max() ?? 0],
      strokes: segments.filter { $0.x == $1.x && isLong($0.y - $1.y) }.map { $0.0.x }.sorted(),
      scale: scale, offset: x, smallestGap: smallestGap, onGrid: onGrid)
    yAxis = Axis(
      extremes: [0, 1],
      strokes: segments.filter { $0.y == $1.y && isLong($0.x - $1.x) }.map { $0.0.y }.sorted(),
      scale: scale, offset: y, smallestGap: smallestGap, onGrid: onGrid)
  }

  func position(of point: Glyph.Point) -> Glyph.Point {
    Glyph.Point(x: xAxis.position(of: point.x), y: yAxis.position(of: point.y))
  }
}

extension CoverageMask {
  /// Adds a line drawn with a round pen; positions are pixels from the mask's origin.
  mutating func addStroke(from: Glyph.Point, to: Glyph.Point, width pen: Double) {
    let reach = pen / 2 + 0.5
    let a = Glyph.Point(x: from.x + Double(originX), y: from.y + Double(originY))
    let b = Glyph.Point(x: to.x + Double(originX), y: to.y + Double(originY))
    let columns = Self.pixels(min(a.x, b.x) - reach, max(a.x, b.x) + reach, limit: width)
    let rows = Self.pixels(min(a.y, b.y) - reach, max(a.y, b.y) + reach, limit: height)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let lengthSquared = dx * dx + dy * dy
    for row in rows {
      for column in columns {
        let (px, py) = (Double(column) + 0.5 - a.x, Double(row) + 0.5 - a.y)
        // The nearest point of the segment: the projection clamped to its ends.
        let t = lengthSquared > 0 ? min(max((px * dx + py * dy) / lengthSquared, 0), 1) : 0
        let (ex, ey) = (px - t * dx, py - t * dy)
        let coverage = Float(min(max(reach - (ex * ex + ey * ey).squareRoot(), 0), 1))
        // The union of overlapping strokes: they are one ink.
        values[row * width + column] = max(values[row * width + column], coverage)
      }
    }
  }

  private static func pixels(_ low: Double, _ high: Double, limit: Int) -> Range<Int> {
    let start = max(0, Int(low.rounded(.down)))
    return start..<max(start, min(limit, Int(high.rounded(.up))))
  }
}
