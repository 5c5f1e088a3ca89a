import FilterGraph
import FrameCore
import TestSupport
import Testing

/// The algebra of resamples, against pictures of numbered pixels that are turned by index.
@Suite("Geometry")
struct GeometryTests {
  /// The place (x, y) of the stored pixel that each pixel shows.
  typealias Picture = [[SIMD2<Int>]]

  static func stored(_ size: PixelSize) -> Picture {
    (0..<size.height).map { y in (0..<size.width).map { x in SIMD2(x, y) } }
  }

  /// What is displayed of a picture stored with `orientation`.
  ///
  /// Source: EXIF 2.32, tag 0x0112, which says at which side of the display the stored row 0 and column 0 are:
  /// 1 top, left · 2 top, right · 3 bottom, right · 4 bottom, left · 5 left, top · 6 right, top ·
  /// 7 right, bottom · 8 left, bottom.
  static func displayed(_ picture: Picture, _ orientation: Orientation) -> Picture {
    let (columns, rows) = (picture[0].count, picture.count)
    let swaps = orientation.rawValue >= 5
    var shown = Picture(
      repeating: Array(repeating: SIMD2(-1, -1), count: swaps ? rows : columns), count: swaps ? columns : rows
    )
    for row in 0..<rows {
      for column in 0..<columns {
        let (fromRight, fromBottom) = (columns - 1 - column, rows - 1 - row)
        let (x, y) =
          switch orientation.rawValue {
          case 1: (column, row)
          case 2: (fromRight, row)
          case 3: (fromRight, fromBottom)
          case 4: (column, fromBottom)
          case 5: (row, column)
          case 6: (fromBottom, column)
          case 7: (fromBottom, fromRight)
          default: (row, fromRight)
          }
        shown[y][x] = picture[row][column]
      }
    }
    return shown
  }

  /// What `geometry` shows, by its map, where it moves whole pixels.
  static func shown(by geometry: Geometry) -> Picture {
    (0..<geometry.outputSize.height).map { y in
      (0..<geometry.outputSize.width).map { x in
        let place = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
        return SIMD2(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
      }
    }
  }

  /// The same by its steps, as fast renderers walk.
  static func shown(by move: Geometry.PixelMove, size: PixelSize) -> Picture {
    (0..<size.height).map { y in
      (0..<size.width).map { x in
        SIMD2(
          move.x + x * move.columnStep.x + y * move.rowStep.x,
          move.y + x * move.columnStep.y + y * move.rowStep.y)
      }
    }
  }

  static let size = PixelSize(width: 5, height: 3)

  @Test("Each orientation shows what EXIF says, by its map and by its steps", arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) throws {
    let geometry = Geometry(orientation: orientation, size: Self.size)
    let expected = Self.displayed(Self.stored(Self.size), orientation)
    #expect(geometry.outputSize == PixelSize(width: expected[0].count, height: expected.count))
    #expect(Self.shown(by: geometry) == expected)
    let move = try #require(geometry.pixelMove)
    #expect(move.orientation == orientation)
    #expect(Self.shown(by: move, size: geometry.outputSize) == expected)
    #expect(geometry.isIdentity == (orientation == .up))
  }

  @Test(
    "Joining two orientations shows one after the other", arguments: Orientation.allCases,
    Orientation.allCases)
  func then(_ first: Orientation, _ second: Orientation) throws {
    let a = Geometry(orientation: first, size: Self.size)
    let both = a.then(Geometry(orientation: second, size: a.outputSize))
    let expected = Self.displayed(Self.displayed(Self.stored(Self.size), first), second)
    #expect(Self.shown(by: both) == expected)
    let move = try #require(both.pixelMove)
    #expect(Self.shown(by: move, size: both.outputSize) == expected)
    #expect(move.orientation == first.then(second))
  }

  @Test("A turned window shows the same pixels by its map and by its steps", arguments: Orientation.allCases)
  func window(_ orientation: Orientation) throws {
    let turned = Geometry(orientation: orientation, size: Self.size)
    let cut = Geometry(
      inputSize: turned.outputSize, outputSize: PixelSize(width: 2, height: 2), map: .translation(1, 1))
    let both = turned.then(cut)
    let expected = Self.displayed(Self.stored(Self.size), orientation)[1...2].map { Array($0[1...2]) }
    #expect(Self.shown(by: both) == expected)
    let move = try #require(both.pixelMove)
    #expect(Self.shown(by: move, size: both.outputSize) == expected)
    #expect(!both.isIdentity)
  }

  @Test("Only whole pixels that lie inside are moved; all else is resampled")
  func pixelMoveOnlyInside() {
    func move(_ map: AffineMap, _ output: PixelSize = Self.size) -> Geometry.PixelMove? {
      Geometry(inputSize: Self.size, outputSize: output, map: map).pixelMove
    }
    #expect(move(.identity) != nil)
    #expect(move(.translation(1e-12, 0)) != nil)
    #expect(move(.translation(1e-6, 0)) == nil)
    #expect(move(.translation(0.5, 0)) == nil)
    #expect(move(.translation(1, 0)) == nil)
    #expect(move(.translation(1, 0), PixelSize(width: 4, height: 3)) != nil)
    #expect(move(.translation(-1, 0), PixelSize(width: 4, height: 3)) == nil)
    #expect(move(.scale(2, 1), PixelSize(width: 2, height: 3)) == nil)
    #expect(move(AffineMap(a: 1, b: 0, c: .nan, d: 0, e: 1, f: 0)) == nil)
    #expect(move(AffineMap(a: 1, b: 1, c: 0, d: 0, e: 1, f: 0)) == nil)
  }

  @Test("A map after its inverse is the identity; joined maps are applied in order", arguments: 0..<50)
  func maps(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    func map() -> AffineMap {
      func value(_ limit: Double) -> Double { Double.random(in: -limit...limit, using: &random) }
      // A dominant diagonal is never singular.
      return AffineMap(
        a: 2 + value(1), b: value(0.9), c: value(500), d: value(0.9), e: 2 + value(1), f: value(500))
    }
    let (a, b) = (map(), map())
    for (x, y) in [(0.0, 0.0), (13.5, -7.25), (4000, 3000)] {
      let back = a.then(a.inverse).apply(x, y)
      #expect(abs(back.x - x) < 1e-9 && abs(back.y - y) < 1e-9, "seed \(seed)")
      let middle = a.apply(x, y)
      let end = b.apply(middle.x, middle.y)
      let joined = a.then(b).apply(x, y)
      #expect(abs(joined.x - end.x) < 1e-9 && abs(joined.y - end.y) < 1e-9, "seed \(seed)")
    }
  }

  @Test("Turns are reported clockwise, as seen, with the mirror first", arguments: Orientation.allCases)
  func turn(_ orientation: Orientation) {
    let turn = Geometry(orientation: orientation, size: Self.size).turn
    #expect(turn.mirrored == orientation.isMirrored)
    let clockwise = (turn.degrees + 360).truncatingRemainder(dividingBy: 360)
    #expect(abs(clockwise - Double(90 * orientation.quarterTurns)) < 1e-9)
  }

  @Test("The bounds of the input hold all that is shown, and no more")
  func inputBounds() {
    let window = Geometry(
      inputSize: Self.size, outputSize: PixelSize(width: 2, height: 1), map: .translation(1, 2))
    #expect(window.inputBounds == (1, 2, 3, 3))
    let turned = Geometry(orientation: .rightMirrored, size: Self.size)
    #expect(turned.inputBounds == (0, 0, 5, 3))
    // A unit square turned by 45° about its centre spans √2.
    let half = 0.5.squareRoot()
    let diamond = Geometry(
      inputSize: Self.size, outputSize: PixelSize(width: 1, height: 1),
      map: AffineMap.translation(-0.5, -0.5).then(AffineMap(a: half, b: half, c: 2, d: -half, e: half, f: 1)))
    let bounds = diamond.inputBounds
    #expect(abs(bounds.minX - (2 - half)) < 1e-12 && abs(bounds.maxX - (2 + half)) < 1e-12)
    #expect(abs(bounds.minY - (1 - half)) < 1e-12 && abs(bounds.maxY - (1 + half)) < 1e-12)
  }

  @Test("Scale is counted in input pixels an output pixel, however the picture is turned")
  func shrinkFactors() {
    let (cosine, sine) = (0.8, 0.6)
    let map = AffineMap(a: 3 * cosine, b: 3 * sine, c: 0, d: -3 * sine, e: 3 * cosine, f: 0)
    let factors = Geometry(inputSize: Self.size, outputSize: Self.size, map: map).downsampleFactors
    #expect(abs(factors.x - 3) < 1e-12 && abs(factors.y - 3) < 1e-12)
  }

  @Test("Kaiser-windowed sinc has the values of its definition")
  func resamplingFilter() {
    // Computed with numpy and scipy 1.17: numpy.sinc(t) * i0(5 * sqrt(1 - (t / 3)**2)) / i0(5).
    let table = [
      (0, 1), (0.25, 0.8864391965577523), (0.5, 0.5980967052604055), (1, 0), (1.5, -0.1173187892596254),
      (2, 0),
      (2.25, 0.023062536176291625), (2.9, 0.0018100454115501886),
    ]
    for (t, weight) in table {
      #expect(abs(KaiserSinc.weight(t) - weight) < 1e-15, "\(t)")
      #expect(abs(KaiserSinc.weight(-t) - weight) < 1e-15, "\(-t)")
    }
    #expect(KaiserSinc.weight(3) == 0)
    #expect(KaiserSinc.weight(100) == 0)
  }
}
