/// A 3×3 matrix of doubles, applied to column vectors.
public struct Matrix3x3: Hashable, Sendable {
  private let first: SIMD3<Double>
  private let second: SIMD3<Double>
  private let third: SIMD3<Double>

  /// Creates a matrix from its three rows, from top to bottom.
  public init(rows first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Creates a matrix from an array of its three rows, from top to bottom.
  ///
  /// - Precondition: `rows` has three elements.
  public init(rows: [SIMD3<Double>]) {
    precondition(rows.count == 3, "A 3×3 matrix has 3 rows; \(rows.count) were given")
    self.init(rows: rows[0], rows[1], rows[2])
  }

  /// Creates a matrix from its three columns, from left to right.
  public init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    self = Matrix3x3(rows: first, second, third).transposed
  }

  public static let identity = diagonal(SIMD3(1, 1, 1))

  /// Returns the matrix that scales each component by its own factor.
  public static func diagonal(_ scale: SIMD3<Double>) -> Matrix3x3 {
    Matrix3x3(rows: SIMD3(scale.x, 0, 0), SIMD3(0, scale.y, 0), SIMD3(0, 0, scale.z))
  }

  /// The three rows, from top to bottom.
  public var rows: [SIMD3<Double>] { [first, second, third] }

  /// The element at `row` and `column`, each 0…2.
  public subscript(row: Int, column: Int) -> Double {
    switch row {
    case 0: first[column]
    case 1: second[column]
    default: third[column]
    }
  }

  public static func * (matrix: Matrix3x3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((matrix.first * vector).sum(), (matrix.second * vector).sum(), (matrix.third * vector).sum())
  }

  /// Returns the matrix that applies `b` first and `a` afterwards.
  public static func * (a: Matrix3x3, b: Matrix3x3) -> Matrix3x3 {
    func row(_ weights: SIMD3<Double>) -> SIMD3<Double> {
      weights.x * b.first + weights.y * b.second + weights.z * b.third
    }
    return Matrix3x3(rows: row(a.first), row(a.second), row(a.third))
  }

  public var transposed: Matrix3x3 {
    Matrix3x3(
      rows: SIMD3(first.x, second.x, third.x),
      SIMD3(first.y, second.y, third.y),
      SIMD3(first.z, second.z, third.z))
  }

  public var determinant: Double { (first * cross(second, third)).sum() }

  /// The inverse, from the adjugate; its elements are not finite if the matrix is singular.
  public var inverse: Matrix3x3 {
    let scale = 1 / determinant
    return Matrix3x3(
      columns: cross(second, third) * scale, cross(third, first) * scale, cross(first, second) * scale)
  }

  /// Interpolates linearly, element by element, between this matrix at 0 and `other` at 1.
  ///
  /// For strengths: `Matrix3x3.identity.blended(with: full, by: 0.4)` has 40 % of the effect of `full`, because a
  /// blend of two matrices maps a colour to the same blend of their results.
  public func blended(with other: Matrix3x3, by part: Double) -> Matrix3x3 {
    // Exact at both ends.
    func blend(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> { (1 - part) * a + part * b }
    return Matrix3x3(rows: blend(first, other.first), blend(second, other.second), blend(third, other.third))
  }

  /// Whether no element is infinite or NaN.
  package var isFinite: Bool { largestMagnitude.isFinite }

  /// The largest absolute value of an element; not finite if an element is not.
  package var largestMagnitude: Double {
    rows.reduce(0) { largest, row in
      // `max` ignores NaN.
      (0..<3).reduce(largest) { $0.isNaN || row[$1].isNaN ? .nan : max($0, abs(row[$1])) }
    }
  }

  /// Whether every element differs from the identity's by at most `tolerance`.
  package func isIdentity(within tolerance: Double) -> Bool {
    largestDifference(from: .identity) <= tolerance
  }

  /// Returns the largest absolute difference between elements; NaN if an element is NaN.
  package func largestDifference(from other: Matrix3x3) -> Double {
    var largest = 0.0
    for row in 0..<3 {
      for column in 0..<3 {
        let difference = abs(self[row, column] - other[row, column])
        if difference.isNaN { return .nan }
        largest = max(largest, difference)
      }
    }
    return largest
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
