import ColorScience
import FrameCore
import Libc
import Synchronization

/// A table that is a chain, as stages that every renderer has, and how far they are from it.
struct ChainStages: Sendable {
  let stages: [Stage]
  let error: SampledLattice.Deviation

  /// The inputs of a chain that begins without a table; others are clipped to them. Five stops above white.
  private static let inputs = -1.0...32.0
  /// The largest number between two steps: that of half precision.
  private static let largest = 65504.0
  /// Nodes of all lattices of a chain, and of all chains that are kept: 256 MiB.
  private static let mostNodes = 1 << 24
  private static let made = Mutex<[(table: ColorLUT, name: String, stages: ChainStages)]>([])

  /// Returns the stages of a chain, made once for the last few.
  ///
  /// - Throws: `SafelightError`: `tooLarge` if they take too much memory.
  static func of(_ lut: ColorLUT, name: String) throws -> ChainStages {
    let known = made.withLock { $0.first { $0.table == lut && $0.name == name }?.stages }
    if let known { return known }
    guard nodes(of: lut) <= mostNodes else {
      throw SafelightError(
        .tooLarge, "\(name) is a chain of more tables than there is memory for",
        remedy: "join its tables into one, which other programs read too")
    }
    var maker = Maker(name: name)
    for step in lut.steps { try maker.append(step) }
    let stages = maker.stages
    let error = SampledLattice.deviation(
      probes: 5000, { color in stages.reduce(color) { $1.evaluate($0) } }, { lut.evaluate($0) })
    let result = ChainStages(stages: stages, error: error)
    made.withLock { made in
      made.append((lut, name, result))
      while made.count > 1, made.count > 8 || made.reduce(0, { $0 + nodes(of: $1.table) }) > mostNodes {
        made.removeFirst()
      }
    }
    return result
  }

  /// Returns the nodes of all lattices that a chain needs.
  private static func nodes(of lut: ColorLUT) -> Int {
    lut.steps.reduce(0) { sum, step in
      guard case .table3D(let table, let isTrilinear) = step else { return sum }
      let size = isTrilinear ? Maker.fineSize(of: table) : table.size
      return sum + size * size * size
    }
  }

  private struct Maker {
    let name: String
    var stages: [Stage] = []
    /// The numbers that reach the next step.
    private var low = SIMD3<Double>(repeating: inputs.lowerBound)
    private var high = SIMD3<Double>(repeating: inputs.upperBound)
    /// The file's curves, if they are the last stage: a lattice behind them is looked up with them.
    private var shaper: LUT1D?

    init(name: String) { self.name = name }

    mutating func append(_ step: ColorStep) throws {
      switch step {
      case .affine(let matrix, let offset): try append(matrix, offset)
      case .curves(let red, let green, let blue): try append([red, green, blue])
      case .table1D(let table):
        add(ColorLUT(shaper: table))
        shaper = table
        reach(table.samples)
        return
      case .table3D(let table, let isTrilinear):
        let lattice = isTrilinear ? try Self.fine(table) : table
        if let shaper {
          stages.removeLast()
          add(ColorLUT(shaper: shaper, cube: lattice))
        } else {
          add(ColorLUT(cube: lattice))
        }
        reach(table.nodes)
      }
      shaper = nil
    }

    private mutating func add(_ lut: ColorLUT) {
      stages.append(.lut(LookupStage(lut: lut, strength: 1, name: name)))
    }

    private mutating func append(_ matrix: Matrix3x3, _ offset: SIMD3<Double>) throws {
      if matrix != .identity { stages.append(.matrix(matrix)) }
      let rows = matrix.rows
      var (least, most) = (SIMD3<Double>(), SIMD3<Double>())
      for channel in 0..<3 {
        let ends = (rows[channel] * low, rows[channel] * high)
        least[channel] = pointwiseMin(ends.0, ends.1).sum()
        most[channel] = pointwiseMax(ends.0, ends.1).sum()
      }
      limit(least, most)
      guard offset != .zero else { return }
      try sample((0..<3).map { channel in { $0 + offset[channel] } })
    }

    private mutating func append(_ curves: [ChannelCurve]) throws {
      guard curves.contains(where: { $0 != .identity }) else { return }
      if let straight = Self.straight(curves, low, high) {
        add(ColorLUT(shaper: straight))
        reach(straight.samples)
        return
      }
      try sample(curves.map { curve in { curve.evaluate($0) } })
    }

    /// Ranges whose clipping is where a table of two samples ends: exact.
    private static func straight(
      _ curves: [ChannelCurve], _ low: SIMD3<Double>, _ high: SIMD3<Double>
    ) -> LUT1D? {
      var (start, end) = (SIMD3<Float>(), SIMD3<Float>())
      var (first, last) = (SIMD3<Float>(), SIMD3<Float>())
      for (channel, curve) in curves.enumerated() {
        guard case .range(let range) = curve, range.scale > 0 else { return nil }
        let from = max((range.low - range.offset) / range.scale, low[channel])
        let to = min((range.high - range.offset) / range.scale, high[channel])
        guard from < to else { return nil }
        (start[channel], end[channel]) = (Float(from), Float(to))
        (first[channel], last[channel]) = (Float(range.evaluate(from)), Float(range.evaluate(to)))
      }
      return try? LUT1D(samples: [first, last], domainMin: start, domainMax: end)
    }

    private mutating func sample(_ functions: [(Double) -> Double]) throws {
      let sampled = try ChannelStages.stages(from: low, to: high, name: name, functions)
      stages += sampled.stages
      limit(sampled.low, sampled.high)
    }

    private mutating func reach(_ colors: [SIMD3<Float>]) {
      var (least, most) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
      for color in colors {
        least = pointwiseMin(least, color)
        most = pointwiseMax(most, color)
      }
      limit(SIMD3<Double>(least), SIMD3<Double>(most))
    }

    /// Keeps the range of the next step's inputs in bounds, and each channel's wider than nothing.
    private mutating func limit(_ least: SIMD3<Double>, _ most: SIMD3<Double>) {
      let bound = SIMD3<Double>(repeating: largest)
      low = pointwiseMin(pointwiseMax(least, -bound), bound - 1)
      high = pointwiseMin(pointwiseMax(most, low + 1e-3), bound)
    }

    static func fineSize(of table: LUT3D) -> Int {
      let cells = table.size - 1
      return max(128 / cells, 255 / cells >= 2 ? 2 : 1) * cells + 1
    }

    /// A lattice whose tetrahedral interpolation follows the trilinear one of a coarser.
    private static func fine(_ table: LUT3D) throws -> LUT3D {
      try SampledLattice(
        size: fineSize(of: table), from: table.domainMin, to: table.domainMax, probes: 0
      ) { table.evaluateTrilinear($0) }.table
    }
  }
}
