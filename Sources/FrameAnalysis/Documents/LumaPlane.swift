/// A picture's luma, and how it is read between samples.
struct LumaPlane {
  let base: UnsafePointer<Float>
  let width: Int
  let height: Int

  /// Luma at a position in samples, by bilinear interpolation; beyond the picture, that of its edge.
  @inline(__always)
  func callAsFunction(_ x: Float, _ y: Float) -> Float {
    let u = min(max(x - 0.5, 0), Float(width - 1) - 0.001)
    let v = min(max(y - 0.5, 0), Float(height - 1) - 0.001)
    let (i, j) = (Int(u), Int(v))
    let (a, b) = (u - Float(i), v - Float(j))
    let at = base + j * width + i
    let top = at[0] + (at[1] - at[0]) * a
    let bottom = at[width] + (at[width + 1] - at[width]) * a
    return top + (bottom - top) * b
  }

  @inline(__always)
  func callAsFunction(_ p: SIMD2<Double>) -> Float { self(Float(p.x), Float(p.y)) }

  func contains(_ p: SIMD2<Double>, margin: Double = 0) -> Bool {
    p.x >= -margin && p.y >= -margin && p.x <= Double(width) + margin && p.y <= Double(height) + margin
  }

  /// The part of the line `origin` + t · `direction` inside the picture; nil if it misses it.
  func clip(_ origin: SIMD2<Double>, _ direction: SIMD2<Double>) -> (from: Double, to: Double)? {
    var (from, to) = (-Double.infinity, Double.infinity)
    let far = SIMD2(Double(width), Double(height))
    for axis in 0..<2 {
      if abs(direction[axis]) < 1e-12 {
        guard origin[axis] > 0, origin[axis] < far[axis] else { return nil }
        continue
      }
      let (a, b) = (-origin[axis] / direction[axis], (far[axis] - origin[axis]) / direction[axis])
      from = max(from, min(a, b))
      to = min(to, max(a, b))
    }
    return from < to ? (from, to) : nil
  }
}
