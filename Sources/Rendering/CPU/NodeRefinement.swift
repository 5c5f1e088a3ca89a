import FilterGraph
import PixelKernels

extension KernelEvaluator {
  func refined(_ codes: [Int16], by grid: ThinGrid) -> [Int16] {
    let count = grid.axis.count
    let size = 2 * count - 1
    return [Int16](unsafeUninitializedCapacity: 4 * size * size * size) { fine, initialized in
      initialized = 4 * size * size * size
      codes.withUnsafeBufferPointer { coarse in
        grid.weights.withUnsafeBytes { weights in
          guard let coarse = coarse.baseAddress, let fine = fine.baseAddress,
            let weights = weights.baseAddress?.assumingMemoryBound(to: Float.self)
          else { return }
          let refinement = NodeRefinement(count: count, coarse: coarse, weights: weights, fine: fine)
          forEach(count) { refinement.refine(plane: $0) }
          forEach(count - 1) { refinement.makePlane(behind: $0) }
        }
      }
    }
  }

  /// Calls `body` with 0..<count, on the pool's threads if there is one.
  private func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    if let pool, pool.threads > 1 {
      pool.forEach(count, body)
    } else {
      for index in 0..<count { body(index) }
    }
  }
}

/// The nodes of a table while those between are made, in planes of constant blue.
private struct NodeRefinement: @unchecked Sendable {
  /// Computed nodes per axis.
  let count: Int
  let coarse: UnsafePointer<Int16>
  /// Four for each place between two computed nodes.
  let weights: UnsafePointer<Float>
  /// Each call writes a plane of its own.
  let fine: UnsafeMutablePointer<Int16>

  private var size: Int { 2 * count - 1 }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Int16> { fine + 4 * size * size * index }

  func refine(plane index: Int) {
    sl_refine_plane(coarse + 4 * count * count * index, count, weights, plane(2 * index))
  }

  func makePlane(behind index: Int) {
    let first = ThinGrid.firstOfFour(at: index, of: count)
    let rows = (0..<4).map { UnsafePointer<Int16>?(plane(2 * (first + $0))) }
    rows.withUnsafeBufferPointer {
      sl_blend_nodes($0.baseAddress, weights + 4 * index, plane(2 * index + 1), size * size)
    }
  }
}
