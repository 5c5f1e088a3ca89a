import ColorScience

/// The largest absolute difference of two vectors' components; not a number where one of them is not.
func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  let difference = a - b
  return Swift.max(abs(difference.x), Swift.max(abs(difference.y), abs(difference.z)))
}

/// The largest absolute difference of two chromaticities' x and y.
func distance(_ a: Chromaticity, _ b: Chromaticity) -> Double { max(abs(a.x - b.x), abs(a.y - b.y)) }

/// A matrix from its nine elements, row by row.
func matrix(_ elements: [Double]) -> Matrix3x3 {
  Matrix3x3(
    rows: SIMD3(elements[0], elements[1], elements[2]), SIMD3(elements[3], elements[4], elements[5]),
    SIMD3(elements[6], elements[7], elements[8]))
}
