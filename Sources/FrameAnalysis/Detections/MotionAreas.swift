import FrameCore

/// A connected area of cells in front of the background.
struct MotionArea: Sendable {
  var cells = 0
  /// The sum of the cells' excesses.
  var excess: Float = 0
  /// Cells that have changed within the last half second.
  var changed = 0
  /// The first and the last column of each row that it has cells in.
  var spans: [Int: (first: Int, last: Int)] = [:]

  /// What moves changes at its edges, if nowhere else.
  var isMoving: Bool { changed >= max(2, cells / 20) }

  mutating func add(column: Int, row: Int, excess: Float, hasChanged: Bool) {
    cells += 1
    self.excess += excess
    if hasChanged { changed += 1 }
    let span = spans[row] ?? (column, column)
    spans[row] = (min(span.first, column), max(span.last, column))
  }

  private static let mostCorners = 12

  /// The convex hull, clockwise as displayed, from the corner nearest to the picture's top left; without the corners that
  /// matter least.
  func outline(columns: Int, rows: Int, in size: PixelSize, cell: Int) -> [NormalizedPoint] {
    var points: [SIMD2<Int>] = []
    for (row, span) in spans {
      for y in [row, row + 1] { points += [SIMD2(span.first, y), SIMD2(span.last + 1, y)] }
    }
    var hull = Self.hull(points)
    while hull.count > Self.mostCorners {
      let least = hull.indices.min { Self.loss($0, hull) < Self.loss($1, hull) }
      guard let least else { break }
      hull.remove(at: least)
    }
    let corners = hull.map { point in
      NormalizedPoint(
        Double(min(point.x * cell, size.width)) / Double(size.width),
        Double(min(point.y * cell, size.height)) / Double(size.height))
    }
    let first = corners.indices.min { corners[$0].x + corners[$0].y < corners[$1].x + corners[$1].y } ?? 0
    return Array(corners[first...] + corners[..<first])
  }

  private static func turn(_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>) -> Int {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// The area that is lost without a corner.
  private static func loss(_ index: Int, _ hull: [SIMD2<Int>]) -> Int {
    abs(turn(hull[(index + hull.count - 1) % hull.count], hull[index], hull[(index + 1) % hull.count]))
  }

  /// Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979. With y downwards its
  /// order is clockwise.
  private static func hull(_ points: [SIMD2<Int>]) -> [SIMD2<Int>] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: [SIMD2<Int>]) -> [SIMD2<Int>] {
      var chain: [SIMD2<Int>] = []
      for point in points {
        while chain.count > 1, turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
          chain.removeLast()
        }
        chain.append(point)
      }
      return Array(chain.dropLast())
    }
    return half(sorted) + half(sorted.reversed())
  }
}

enum MotionAreas {
  /// Fewer cells are noise.
  static let leastCells = 4
  /// Areas that are at most so many cells apart are one.
  private static let reach = 2

  /// Returns the connected areas of a model's cells.
  static func areas(of model: MotionModel) -> [MotionArea] {
    let (columns, rows) = (model.cells.columns, model.cells.rows)
    var isOpen = model.excess.map { $0 > 0 }
    dropSpecks(&isOpen, columns, rows)
    var areas: [MotionArea] = []
    var stack: [Int] = []
    for start in isOpen.indices where isOpen[start] {
      var area = MotionArea()
      isOpen[start] = false
      stack.append(start)
      while let cell = stack.popLast() {
        let (column, row) = (cell % columns, cell / columns)
        area.add(column: column, row: row, excess: model.excess[cell], hasChanged: model.hasChanged[cell])
        for y in max(0, row - reach)...min(rows - 1, row + reach) {
          for x in max(0, column - reach)...min(columns - 1, column + reach) where isOpen[y * columns + x] {
            isOpen[y * columns + x] = false
            stack.append(y * columns + x)
          }
        }
      }
      areas.append(area)
    }
    return areas
  }

  /// Leaves out cells with fewer than two neighbours.
  private static func dropSpecks(_ cells: inout [Bool], _ columns: Int, _ rows: Int) {
    let before = cells
    for row in 0..<rows {
      for column in 0..<columns where before[row * columns + column] {
        var neighbours = -1
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
          for x in max(0, column - 1)...min(columns - 1, column + 1) where before[y * columns + x] {
            neighbours += 1
          }
        }
        if neighbours < 2 { cells[row * columns + column] = false }
      }
    }
  }
}
