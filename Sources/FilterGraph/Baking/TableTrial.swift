import ColorScience

/// Tables on trial: their errors so far, and the colours at which they are worst.
struct TableTrial {
  let shape: TableShape
  /// The table behind the one on trial, if any.
  let tail: [TetrahedralTable]
  let exact: ExactColors
  private(set) var error = BakeError(maximum: 0, mean: 0, colors: 0)
  private var table: TetrahedralTable?
  private var worst: [(error: Float, color: SIMD3<Float>)] = []

  init(_ shape: TableShape, tail: [TetrahedralTable], exact: ExactColors) {
    (self.shape, self.tail, self.exact) = (shape, tail, exact)
  }

  var isPair: Bool { !tail.isEmpty }

  var tables: [TetrahedralTable]? { table.map { [$0] + tail } }

  /// The colours with the largest errors so far, the worst first.
  var worstColors: ColorPlanes { ColorPlanes(worst.map { $0.color }) }

  /// Installs the table on trial, whose nodes were missing.
  mutating func install(_ codes: [Int16]) {
    table = TetrahedralTable(codes: codes, size: shape.size, spacing: shape.spacing)
  }

  /// Installs the table of another trial.
  mutating func install(_ other: TableTrial) { table = other.table }

  /// Discards the measurements but remembers the worst colours.
  mutating func restart() {
    error = BakeError(maximum: 0, mean: 0, colors: 0)
    let places = worstColors
    worst = []
    add(places)
  }

  /// Tries the table on colours, unless it is already known to be unfit. The mean is taken over the colours from
  /// index `randomFrom` on, if any.
  mutating func add(_ colors: ColorPlanes, exact labs: ColorPlanes? = nil, randomFrom: Int = .max) {
    guard let table, error.isWithinBounds, colors.count > 0 else { return }
    var values = colors
    exact.evaluator.interpolate(table, at: &values)
    compare(values, with: labs ?? exact.labs(of: colors), at: colors, randomFrom: randomFrom)
  }

  /// Tries what the table would return, from the nodes around these colours.
  mutating func screen(_ blends: NodeBlends, _ function: any ColorFunction) {
    guard error.isWithinBounds, blends.colors.count > 0 else { return }
    var nodes = blends.nodes
    function.apply(to: &nodes)
    compare(blends.blend(nodes), with: exact.labs(of: blends.colors), at: blends.colors)
  }

  /// Tries the table at the bends of its nodes.
  mutating func addBends(block: Int, count: Int) {
    guard let table, error.isWithinBounds else { return }
    let bends = exact.evaluator.bends(of: table, block: block, count: count)
    add(TableBend.edgeMiddles(bends, size: shape.size, spacing: shape.spacing))
  }

  /// Tries the tables at the bends of the stages themselves.
  mutating func addBendsOfWhole(_ shape: TableShape, count: Int) {
    guard error.isWithinBounds else { return }
    let whole = TetrahedralTable(
      codes: exact.stages.nodes(along: shape.axis), size: shape.size, spacing: shape.spacing)
    let bends = exact.evaluator.bends(of: whole, block: 4, count: count)
    add(TableBend.edgeMiddles(bends, size: shape.size, spacing: shape.spacing))
  }

  private mutating func compare(
    _ values: ColorPlanes, with labs: ColorPlanes, at colors: ColorPlanes, randomFrom: Int = .max
  ) {
    var values = values
    for table in tail { exact.evaluator.interpolate(table, at: &values) }
    exact.lab.apply(to: &values)
    let errors = exact.evaluator.differences(labs, values)
    var sum = 0.0
    for (i, error) in errors.enumerated() {
      // NaN fits no table.
      let error = error.isNaN ? Float.infinity : error
      if i >= randomFrom { sum += Double(error) }
      if worst.count < Self.capacity || error > worst[Self.capacity - 1].error { remember(error, colors[i]) }
    }
    error.colors += errors.count
    error.maximum = Double(worst.first?.error ?? 0)
    if randomFrom < errors.count { error.mean = sum / Double(errors.count - randomFrom) }
  }

  private static let capacity = 24

  /// Keeps the few worst colours, worst first, only one per neighbourhood, so that each leads elsewhere.
  private mutating func remember(_ error: Float, _ color: SIMD3<Float>) {
    let cell = 1 / Float(shape.size - 1)
    if let near = worst.firstIndex(where: { max(($0.color - color).max(), (color - $0.color).max()) < cell })
    {
      guard error > worst[near].error else { return }
      worst.remove(at: near)
    }
    worst.insert((error, color), at: worst.firstIndex { $0.error < error } ?? worst.endIndex)
    if worst.count > Self.capacity { worst.removeLast() }
  }

  /// The largest error of kernels in the input of a pair's second table: two codes of `BakedLUT.unit`, a sixteenth
  /// of a level. Three products are rounded to codes, and table positions to 1/32768 cell.
  static let roundingBetweenTables = 2 / Double(BakedLUT.unit)

  /// Measures the worst colours again, entirely in double precision; for a pair, with the second table's input
  /// shifted either way by the kernels' rounding error.
  mutating func confirm() {
    guard let tables else { return }
    let shifts =
      isPair
      ? (0..<8).map { corner in
        SIMD3(
          (0..<3).map { corner >> $0 & 1 == 0 ? -Self.roundingBetweenTables : Self.roundingBetweenTables })
      } : [.zero]
    error.maximum = worst.reduce(0) { maximum, place in
      let color = SIMD3<Double>(place.color)
      let value = exact.list.reduce(color) { $1.evaluate($0) }
      let read = tables[0].evaluate(color)
      return shifts.reduce(maximum) { maximum, shift in
        let error = exact.difference(value, tables.dropFirst().reduce(read + shift) { $1.evaluate($0) })
        return error.isNaN ? .infinity : max(maximum, error)
      }
    }
  }

  /// Returns `count` random colours around each of the worst, at most `step` cells away on each axis.
  func neighboursOfWorst(within step: Double, each count: Int) -> ColorPlanes {
    var random = SplitMix64(seed: 0x5afe_1167)
    let cell = step / Double(shape.size - 1)
    var colors: [SIMD3<Float>] = []
    colors.reserveCapacity(count * worst.count)
    for (_, color) in worst {
      let center = (0..<3).map { shape.spacing.position(of: Double(color[$0])) }
      for _ in 0..<count {
        var neighbour = SIMD3<Float>.zero
        for axis in 0..<3 {
          let shift = Double(random.next() >> 11) / Double(1 << 52) - 1
          neighbour[axis] = Float(shape.spacing.sample(at: min(max(center[axis] + shift * cell, 0), 1)))
        }
        colors.append(neighbour)
      }
    }
    return ColorPlanes(colors)
  }
}
