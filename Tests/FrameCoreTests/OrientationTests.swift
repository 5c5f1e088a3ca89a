import FrameCore
import Testing

/// A small picture as rows of distinct numbers, turned by the words of the EXIF standard and nothing else.
private struct Picture: Equatable {
  var rows: [[Int]]

  static let stored = Picture(rows: [[1, 2, 3], [4, 5, 6]])

  private enum Side { case top, bottom, left, right }

  /// EXIF 2.32, table 7, tag 0x0112: at which side of the visual image the 0th row and the 0th column lie.
  private static let sides: [UInt8: (row: Side, column: Side)] = [
    1: (.top, .left), 2: (.top, .right), 3: (.bottom, .right), 4: (.bottom, .left),
    5: (.left, .top), 6: (.right, .top), 7: (.right, .bottom), 8: (.left, .bottom),
  ]

  func shown(with orientation: Orientation) throws -> Picture {
    let sides = try #require(Self.sides[orientation.rawValue])
    let height = rows.count
    let width = rows[0].count
    let isTransposed = sides.row == .left || sides.row == .right
    var result = Array(
      repeating: Array(repeating: 0, count: isTransposed ? height : width),
      count: isTransposed ? width : height)
    for y in 0..<height {
      for x in 0..<width {
        let alongRows = sides.row == .top || sides.row == .left ? y : height - 1 - y
        let alongColumns = sides.column == .top || sides.column == .left ? x : width - 1 - x
        if isTransposed {
          result[alongColumns][alongRows] = rows[y][x]
        } else {
          result[alongRows][alongColumns] = rows[y][x]
        }
      }
    }
    return Picture(rows: result)
  }
}

@Suite("The eight orientations")
struct OrientationTests {
  static let all = Orientation.allCases

  @Test("show a picture in eight different ways")
  func distinct() throws {
    let shown = try Self.all.map { try Picture.stored.shown(with: $0).rows }
    #expect(Set(shown).count == 8)
  }

  @Test("compose as moving pixels twice does", arguments: all, all)
  func composition(first: Orientation, second: Orientation) throws {
    let twice = try Picture.stored.shown(with: first).shown(with: second)
    #expect(try Picture.stored.shown(with: first.then(second)) == twice)
  }

  @Test("compose associatively")
  func associativity() {
    for a in Self.all {
      for b in Self.all {
        for c in Self.all { #expect(a.then(b).then(c) == a.then(b.then(c)), "\(a) \(b) \(c)") }
      }
    }
  }

  @Test("have one neutral element, up", arguments: all)
  func neutral(orientation: Orientation) {
    #expect(orientation.then(.up) == orientation)
    #expect(Orientation.up.then(orientation) == orientation)
  }

  @Test("are undone by their inverse from both sides", arguments: all)
  func inverse(orientation: Orientation) throws {
    #expect(orientation.then(orientation.inverse) == .up)
    #expect(orientation.inverse.then(orientation) == .up)
    #expect(try Picture.stored.shown(with: orientation).shown(with: orientation.inverse) == .stored)
  }

  @Test("do not commute: the group is dihedral, not cyclic")
  func order() {
    #expect(Orientation.right.then(.upMirrored) != Orientation.upMirrored.then(.right))
    let ownInverses = Self.all.filter { $0.then($0) == .up }
    #expect(Set(ownInverses) == [.up, .down, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored])
  }

  @Test("are rebuilt from their mirroring and quarter turns, counted in either sense", arguments: all)
  func parts(orientation: Orientation) throws {
    let turns = orientation.quarterTurns
    for offset in [-8, -4, 0, 4, 400] {
      #expect(Orientation(mirrored: orientation.isMirrored, quarterTurns: turns + offset) == orientation)
    }
    var shown = Picture.stored
    if orientation.isMirrored { shown = try shown.shown(with: .upMirrored) }
    for _ in 0..<turns { shown = try shown.shown(with: .right) }
    #expect(try Picture.stored.shown(with: orientation) == shown)
  }

  @Test("exchange width and height as pixels do", arguments: all)
  func size(orientation: Orientation) throws {
    let rows = try Picture.stored.shown(with: orientation).rows
    let size = orientation.applied(to: PixelSize(width: 3, height: 2))
    #expect(size == PixelSize(width: rows[0].count, height: rows.count))
    #expect(orientation.swapsAxes == (rows.count == 3))
  }
}
