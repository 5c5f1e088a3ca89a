/// A bend of a table at a node, where interpolation may deviate most from the exact stages.
///
/// A function that clips at 0 or 1 internally, such as at a LUT's domain or a gamut's edge under a pure power, has
/// a crease that no fixed set of colours finds, because it lies elsewhere for every recipe. The second differences
/// of the nodes reveal it.
package struct TableBend: Sendable, Hashable {
  /// The node, red fastest.
  package let node: Int
  /// 0, 1, 2: along red, green, blue; 3: along the cube's main diagonal.
  package let direction: Int

  package init(node: Int, direction: Int) { (self.node, self.direction) = (node, direction) }

  /// Finds the bends in scalar code, for `ColorEvaluator.bends`.
  static func sharpest(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend] {
    let size = table.size
    let side = (size + block - 1) / block
    var bends = [(sharpness: Int32, bend: TableBend?)](repeating: (0, nil), count: side * side * side)
    let interior = 1..<(size - 1)
    let strides = [1, size, size * size, 1 + size + size * size]
    for b in 0..<size {
      for g in 0..<size {
        for r in 0..<size {
          let inside = [interior.contains(r), interior.contains(g), interior.contains(b)]
          let node = r + size * (g + size * b)
          let home = r / block + side * (g / block + side * (b / block))
          for direction in 0..<4 where direction < 3 ? inside[direction] : !inside.contains(false) {
            let sharpness = sharpness(table.codes, node, strides[direction])
            guard sharpness > bends[home].sharpness else { continue }
            bends[home] = (sharpness, TableBend(node: node, direction: direction))
          }
        }
      }
    }
    return bends.sorted { $0.sharpness > $1.sharpness }.prefix(count).compactMap(\.bend)
  }

  /// Returns the second differences of three nodes in a row as far as they show in the output, reduced for strong
  /// colours, to which ΔE2000 is less sensitive.
  private static func sharpness(_ codes: [Int16], _ node: Int, _ stride: Int) -> Int32 {
    let unit = Int32(BakedLUT.unit)
    var sum: Int32 = 0
    var (low, high) = (unit, Int32(0))
    for channel in 0..<3 {
      let before = Int32(codes[4 * (node - stride) + channel])
      let here = Int32(codes[4 * node + channel])
      let after = Int32(codes[4 * (node + stride) + channel])
      let clipped = min(max(here, 0), unit)
      (low, high) = (min(low, clipped), max(high, clipped))
      // If all three are beyond the same end, clipping removes the bend.
      if min(before, here, after) >= unit || max(before, here, after) <= 0 { continue }
      sum += abs(before - 2 * here + after)
    }
    return 64 * sum / (16 + 48 * (high - low) / unit)
  }

  /// Returns the midpoints of the two grid edges that meet at each bend.
  static func edgeMiddles(_ bends: [TableBend], size: Int, spacing: NodeSpacing) -> ColorPlanes {
    let last = Float(2 * (size - 1))
    let samples = (0...2 * (size - 1)).map { Float(spacing.sample(at: Double(Float($0) / last))) }
    var colors: [SIMD3<Float>] = []
    colors.reserveCapacity(2 * bends.count)
    for bend in bends {
      var halves = SIMD3(bend.node % size, bend.node / size % size, bend.node / (size * size)) &* 2
      let step = bend.direction == 3 ? SIMD3(1, 1, 1) : SIMD3(0, 0, 0).replacing(at: bend.direction, with: 1)
      halves &-= step
      colors.append(SIMD3(samples[halves.x], samples[halves.y], samples[halves.z]))
      halves &+= step &* 2
      colors.append(SIMD3(samples[halves.x], samples[halves.y], samples[halves.z]))
    }
    return ColorPlanes(colors)
  }
}

extension SIMD3<Int> {
  fileprivate func replacing(at index: Int, with value: Int) -> Self {
    var copy = self
    copy[index] = value
    return copy
  }
}
