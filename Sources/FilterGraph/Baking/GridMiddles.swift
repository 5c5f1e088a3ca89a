/// Colours midway between nodes of a grid, where interpolation is worst: all in the three cells per axis next to
/// black, saturated dark ones, and random ones on the surface of the cube.
struct GridMiddles: Sendable {
  let blends: NodeBlends

  static let ofShapes: [TableShape: GridMiddles] = Dictionary(
    uniqueKeysWithValues: TableForm.shapes.map { ($0, GridMiddles($0)) })

  /// Those of the grids that tables are refined from.
  static let ofThinShapes: [TableShape: GridMiddles] = Dictionary(
    uniqueKeysWithValues: Set(ThinGrid.ofShapes.keys.map(ThinGrid.shape)).map { ($0, GridMiddles($0)) })

  private init(_ shape: TableShape) {
    // Positions in half cells.
    let top = 2 * (shape.size - 1)
    var places: [SIMD3<Int>] = []
    for b in 0...6 {
      for g in 0...6 {
        for r in 0...6 where (r | g | b) & 1 == 1 { places.append(SIMD3(r, g, b)) }
      }
    }
    // One channel up to a quarter of the axis, the others in the first cell or two.
    for main in stride(from: 7, through: top / 4, by: max(1, top / 64)) {
      for axis in 0..<3 {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (1, 3), (3, 1), (2, 1), (1, 2)] {
          var place = SIMD3(repeating: main)
          place[(axis + 1) % 3] = a
          place[(axis + 2) % 3] = b
          places.append(place)
        }
      }
    }
    var random = ProbeColors.Random()
    for _ in 0..<600 {
      func half() -> Int { random.below(UInt64(top + 1)) }
      var place = SIMD3(half(), half(), half())
      place[random.below(3)] = random.below(2) * top
      places.append(place)
    }
    let samples = (0...top).map { Float(shape.spacing.sample(at: Double($0) / Double(top))) }
    func color(_ place: SIMD3<Int>) -> SIMD3<Float> {
      SIMD3(samples[place.x], samples[place.y], samples[place.z])
    }
    // Tetrahedra have an edge from each node to the next along any set of axes.
    blends = NodeBlends(
      middles: places.map(color), lower: places.map { color($0 &- ($0 & 1)) },
      upper: places.map { color($0 &+ ($0 & 1)) })
  }
}
