import ColorScience
import FilterGraph
import PixelKernels

/// Runs exact stages with the SIMD kernels; fast renderers bake with it.
struct KernelEvaluator: ColorEvaluator {
  /// Shares the work on nodes and on large sets of colours; nil does everything on the caller's thread. Results do
  /// not depend on it.
  var pool: WorkerPool?

  func evaluate(_ stages: [Stage], on colors: inout ColorPlanes) { function(of: stages).apply(to: &colors) }

  func function(of stages: [Stage]) -> any StageFunction { KernelFunction(stages, pool: pool) }

  func labFunction(of space: ColorSpace) -> any ColorFunction { LabFunction(space) }

  func interpolate(_ table: TetrahedralTable, at colors: inout ColorPlanes) {
    table.codes.withUnsafeBufferPointer { nodes in
      var kernel = sl_baked_lut(nodes.baseAddress, size: table.size, spacing: table.spacing)
      colors.withPointers { r, g, b, count in
        sl_interpolate_baked_lut(&kernel, Float(table.slopeOutside), r, g, b, count)
      }
    }
  }

  func differences(_ labs: ColorPlanes, _ others: ColorPlanes) -> [Float] {
    [Float](unsafeUninitializedCapacity: labs.count) { differences, initialized in
      initialized = labs.count
      guard let target = differences.baseAddress else { return }
      labs.withConstPointers { planes in
        others.withConstPointers { sl_delta_e2000(planes, $0, target, labs.count) }
      }
    }
  }

  func bends(of table: TetrahedralTable, block: Int, count: Int) -> [TableBend] {
    let side = (table.size + block - 1) / block
    let keys = [UInt64](unsafeUninitializedCapacity: side * side * side) { keys, initialized in
      let found = sl_find_bends(table.codes, Int32(table.size), Int32(block), count, keys.baseAddress)
      initialized = min(found, count)
    }
    return keys.map { TableBend(node: Int($0 >> 2 & 0x3fff_ffff), direction: Int($0 & 3)) }
  }
}

/// Exact stages with their kernels' memory.
private struct KernelFunction: StageFunction {
  /// The leading per-channel stages: at the nodes of a grid they have few distinct inputs.
  private let perChannel, rest: KernelStages
  private let pool: WorkerPool?

  init(_ stages: [Stage], pool: WorkerPool?) {
    let first = stages.prefix { $0.isPerChannel }
    perChannel = KernelStages(Array(first))
    rest = KernelStages(Array(stages.dropFirst(first.count)))
    self.pool = pool
  }

  func apply(to colors: inout ColorPlanes) {
    colors.withPointers { r, g, b, count in
      let run = ColorRun(perChannel: perChannel, rest: rest, r: r, g: g, b: b, count: count)
      if let pool, pool.threads > 1, run.pieces > 1 {
        pool.forEach(run.pieces) { run.perform($0) }
      } else {
        for piece in 0..<run.pieces { run.perform(piece) }
      }
    }
  }

  func nodes(along axis: [Float]) -> [Int16] {
    let size = axis.count
    var samples = ColorPlanes(r: axis, g: axis, b: axis)
    samples.withPointers { perChannel.run($0, $1, $2, count: $3) }
    return [Int16](unsafeUninitializedCapacity: 4 * size * size * size) { codes, initialized in
      initialized = 4 * size * size * size
      guard let base = codes.baseAddress else { return }
      let grid = NodeGrid(samples: samples, stages: rest, codes: base)
      if let pool, pool.threads > 1 {
        pool.forEach(size) { grid.evaluate(plane: $0) }
      } else {
        for plane in 0..<size { grid.evaluate(plane: plane) }
      }
    }
  }
}

/// Colours that stages run on, in pieces.
private struct ColorRun: @unchecked Sendable {
  let perChannel, rest: KernelStages
  /// Each piece reads and writes its own part.
  let r, g, b: UnsafeMutablePointer<Float>
  let count: Int

  /// Colours to a piece: some tens of microseconds, beside which it costs nothing to wake a thread.
  private static let length = 512

  var pieces: Int { (count + Self.length - 1) / Self.length }

  func perform(_ piece: Int) {
    let start = piece * Self.length
    let length = min(Self.length, count - start)
    perChannel.run(r + start, g + start, b + start, count: length)
    rest.run(r + start, g + start, b + start, count: length)
  }

}

/// A grid of nodes to be evaluated in planes of constant blue.
private struct NodeGrid: @unchecked Sendable {
  /// Red, green and blue along the axes.
  let samples: ColorPlanes
  let stages: KernelStages
  /// Each plane writes its own part.
  let codes: UnsafeMutablePointer<Int16>

  func evaluate(plane: Int) {
    let size = samples.count
    let count = size * size
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count) { memory in
      guard let r = memory.baseAddress else { return }
      let (g, b) = (r + count, r + 2 * count)
      samples.r.withUnsafeBufferPointer { red in
        for row in 0..<size {
          for column in 0..<size { r[row * size + column] = red[column] }
          (g + row * size).update(repeating: samples.g[row], count: size)
        }
      }
      b.update(repeating: samples.b[plane], count: count)
      stages.run(r, g, b, count: count)
      sl_pack_nodes(r, g, b, codes + 4 * count * plane, count)
    }
  }
}

/// Encoded R'G'B' → CIE L*a*b*.
private struct LabFunction: ColorFunction {
  private let linear: KernelStages

  init(_ space: ColorSpace) {
    let white = space.primaries.white.XYZ
    linear = KernelStages([
      .curve(.decode(space.transfer)), .matrix(.diagonal(SIMD3(repeating: 1) / white) * space.toXYZ),
    ])
  }

  func apply(to colors: inout ColorPlanes) {
    colors.withPointers { r, g, b, count in
      for plane in [r, g, b] {
        for i in 0..<count { plane[i] = plane[i] < 0 ? 0 : plane[i] > 1 ? 1 : plane[i] }
      }
      linear.run(r, g, b, count: count)
      sl_xyz_to_lab(r, g, b, count)
    }
  }
}

extension ColorPlanes {
  fileprivate mutating func withPointers(
    _ body: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int
    ) -> Void
  ) {
    let count = count
    r.withUnsafeMutableBufferPointer { r in
      g.withUnsafeMutableBufferPointer { g in
        b.withUnsafeMutableBufferPointer { b in
          guard let r = r.baseAddress, let g = g.baseAddress, let b = b.baseAddress else { return }
          body(r, g, b, count)
        }
      }
    }
  }

  /// Passes the three planes as a C array.
  fileprivate func withConstPointers(_ body: (UnsafePointer<UnsafePointer<Float>?>) -> Void) {
    r.withUnsafeBufferPointer { r in
      g.withUnsafeBufferPointer { g in
        b.withUnsafeBufferPointer { b in
          withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 3) { planes in
            for (index, plane) in [r, g, b].enumerated() {
              planes.initializeElement(at: index, to: plane.baseAddress)
            }
            if let base = planes.baseAddress { body(UnsafePointer(base)) }
          }
        }
      }
    }
  }
}
