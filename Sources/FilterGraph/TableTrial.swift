import ColorScience

/// A table on trial: its errors so far, and where they are worst.
struct TableTrial {
  let table: TetrahedralTable
  let difference: ColorDifference
  private(set) var proof = BakeProof(maximum: 0, mean: 0, colors: 0)
  private var worst: [(error: Double, color: SIMD3<Double>)] = []

  init(table: TetrahedralTable, difference: ColorDifference) {
    self.table = table
    self.difference = difference
  }

  /// The colours with the largest errors so far, the worst first.
  var worstColors: ColorPlanes { ColorPlanes(worst.map { SIMD3<Float>($0.color) }) }

  /// Compares the table with `exact`, until it is unfit. The mean is taken over the colours from
  /// `randomFrom` on, where there are such.
  mutating func add(_ colors: ColorPlanes, exact: [SIMD3<Double>], randomFrom: Int = .max) {
    var sum = 0.0
    for i in 0..<colors.count {
      guard proof.maximum <= BakeProof.acceptedMaximum else { return }
      proof.colors += 1
      let color = SIMD3<Double>(colors[i])
      let error = deltaE2000(exact[i], difference.lab(table.evaluate(color)))
      proof.maximum = max(proof.maximum, error)
      if i >= randomFrom { sum += error }
      remember(error, color)
    }
    if randomFrom < colors.count { proof.mean = sum / Double(colors.count - randomFrom) }
  }

  /// Keeps the worst few, the worst first, and no two of a neighbourhood, so that each leads elsewhere.
  private mutating func remember(_ error: Double, _ color: SIMD3<Double>) {
    let capacity = 16
    guard worst.count < capacity || error > worst[capacity - 1].error else { return }
    let cell = 1 / Double(table.size - 1)
    if let near = worst.firstIndex(where: { max(($0.color - color).max(), (color - $0.color).max()) < cell })
    {
      guard error > worst[near].error else { return }
      worst.remove(at: near)
    }
    worst.insert((error, color), at: worst.firstIndex { $0.error < error } ?? worst.endIndex)
    if worst.count > capacity { worst.removeLast() }
  }

  /// `count` random colours around each of the worst, at most `step` cells away on each axis.
  func neighboursOfWorst(within step: Double, each count: Int) -> ColorPlanes {
    var random = SplitMix64(seed: 0x5afe_1167)
    let cell = step / Double(table.size - 1)
    return ColorPlanes(
      worst.flatMap { _, color in
        (0..<count).map { _ -> SIMD3<Float> in
          var neighbour = SIMD3<Float>.zero
          for axis in 0..<3 {
            let shift = Double(random.next() >> 11) / Double(1 << 52) - 1
            let position = table.spacing.position(of: color[axis]) + shift * cell
            neighbour[axis] = Float(table.spacing.sample(at: min(max(position, 0), 1)))
          }
          return neighbour
        }
      })
  }
}
