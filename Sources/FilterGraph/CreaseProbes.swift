/// Where a table of nodes bends most: colours for which interpolation may be furthest from the exact stages.
///
/// A function clipped at 0 or 1 on its way, such as a LUT's domain or a gamut's edge under a pure power, has a
/// crease that no fixed set of colours finds: it lies elsewhere for every recipe. The second differences of the
/// nodes show it.
struct CreaseProbes {
  /// int16 R, G, B, 0 a node, red fastest.
  let codes: [Int16]
  let size: Int
  let spacing: NodeSpacing

  /// Nodes of a block on each axis: each block sends its sharpest bend, so that one long crease is not all.
  var block = 4
  /// How many blocks are heard, the sharpest first.
  var blocks = 320

  /// A bend at a node along one direction of interpolation: an axis or the cube's main diagonal.
  private struct Bend {
    var sharpness: Int32 = 0
    var r = 0, g = 0, b = 0
    var direction = 0
  }

  /// The middles of the two edges that meet at each of the sharpest bends.
  var colors: ColorPlanes {
    var colors: [SIMD3<Float>] = []
    for bend in sharpest {
      let step = bend.direction == 3 ? SIMD3(repeating: 0.5) : Self.half(of: bend.direction)
      let node = SIMD3(Double(bend.r), Double(bend.g), Double(bend.b))
      for place in [node - step, node + step] {
        var color = SIMD3<Float>.zero
        for axis in 0..<3 { color[axis] = Float(spacing.sample(at: place[axis] / Double(size - 1))) }
        colors.append(color)
      }
    }
    return ColorPlanes(colors)
  }

  private static func half(of axis: Int) -> SIMD3<Double> {
    var step = SIMD3<Double>.zero
    step[axis] = 0.5
    return step
  }

  private var sharpest: ArraySlice<Bend> {
    let side = (size + block - 1) / block
    var bends = [Bend](repeating: Bend(), count: side * side * side)
    let interior = 1..<(size - 1)
    let strides = [1, size, size * size, 1 + size + size * size]
    codes.withUnsafeBufferPointer { codes in
      for b in 0..<size {
        for g in 0..<size {
          for r in 0..<size {
            let inside = (interior.contains(r), interior.contains(g), interior.contains(b))
            let node = r + size * (g + size * b)
            let home = r / block + side * (g / block + side * (b / block))
            for direction in 0..<4 {
              let fits =
                switch direction {
                case 0: inside.0
                case 1: inside.1
                case 2: inside.2
                default: inside.0 && inside.1 && inside.2
                }
              guard fits else { continue }
              let sharpness = Self.sharpness(codes, node, strides[direction])
              guard sharpness > bends[home].sharpness else { continue }
              bends[home] = Bend(sharpness: sharpness, r: r, g: g, b: b, direction: direction)
            }
          }
        }
      }
    }
    return bends.filter { $0.sharpness > 0 }.sorted { $0.sharpness > $1.sharpness }.prefix(blocks)
  }

  /// The second differences of three nodes in a row, where they show in the output, less for strong colours,
  /// in which ΔE2000 sees less.
  private static func sharpness(_ codes: UnsafeBufferPointer<Int16>, _ node: Int, _ stride: Int) -> Int32 {
    let unit = Int32(BakedLUT.unit)
    var sum: Int32 = 0
    var (low, high) = (unit, Int32(0))
    for channel in 0..<3 {
      let before = Int32(codes[4 * (node - stride) + channel])
      let here = Int32(codes[4 * node + channel])
      let after = Int32(codes[4 * (node + stride) + channel])
      let clipped = min(max(here, 0), unit)
      (low, high) = (min(low, clipped), max(high, clipped))
      // All three beyond one end: clipped away.
      if min(before, here, after) >= unit || max(before, here, after) <= 0 { continue }
      sum += abs(before - 2 * here + after)
    }
    return 64 * sum / (16 + 48 * (high - low) / unit)
  }
}
