import ColorScience
import Testing

@Suite("3×3 matrices")
struct MatrixTests {
  private let sample = matrix([2, -1, 0.5, 0, 3, 1, 4, 0.25, -2])

  @Test("A matrix times a vector sums along rows")
  func vectorProduct() {
    #expect(sample * SIMD3(1, 2, 4) == SIMD3(2, 10, -3.5))
  }

  @Test("A product applies the right factor first")
  func matrixProduct() {
    let shear = matrix([1, 1, 0, 0, 1, 0, 0, 0, 1])
    let scale = Matrix3x3.diagonal(SIMD3(2, 3, 5))
    #expect(scale * shear == matrix([2, 2, 0, 0, 3, 0, 0, 0, 5]))
    #expect(shear * scale == matrix([2, 3, 0, 0, 3, 0, 0, 0, 5]))
  }

  @Test("The inverse undoes the matrix from both sides")
  func inverse() {
    #expect((sample * sample.inverse).isIdentity(within: 1e-15))
    #expect((sample.inverse * sample).isIdentity(within: 1e-15))
    #expect(sample.determinant == -22.5)
  }

  @Test("A singular matrix has no finite inverse and is never taken for the identity")
  func singular() {
    let singular = matrix([1, 2, 3, 2, 4, 6, 0, 0, 1])
    #expect(!singular.inverse[0, 0].isFinite)
    #expect(!singular.inverse.isIdentity(within: 1e9))
  }

  @Test("The identity is recognised within its tolerance, and no further")
  func identity() {
    let nearly = matrix([1, 0, 0, 0, 1, 1e-6, 0, 0, 1])
    #expect(nearly.isIdentity(within: 1e-6))
    #expect(!nearly.isIdentity(within: 0.9e-6))
    #expect(Matrix3x3.identity.isIdentity(within: 0))
  }

  @Test("Rows, columns and elements agree")
  func layout() {
    #expect(sample.rows[1] == SIMD3(0, 3, 1))
    #expect(sample[2, 1] == 0.25)
    #expect(sample.transposed[1, 2] == 0.25)
    #expect(Matrix3x3(rows: sample.rows) == sample)
    #expect(Matrix3x3(columns: sample.rows[0], sample.rows[1], sample.rows[2]) == sample.transposed)
  }

  @Test("A blend maps a colour to the blend of what both make of it, and is exact at both ends")
  func blend() {
    let other = Matrix3x3.diagonal(SIMD3(3, 1e-3, 7))
    #expect(sample.blended(with: other, by: 0) == sample)
    #expect(sample.blended(with: other, by: 1) == other)
    let color = SIMD3(0.2, 0.5, 0.9)
    let difference =
      sample.blended(with: other, by: 0.3) * color - (0.7 * (sample * color) + 0.3 * (other * color))
    #expect(max(difference.max(), -difference.min()) < 1e-15)
  }

  @Test("The largest magnitude of an element, where all are finite")
  func magnitude() {
    #expect(sample.largestMagnitude == 4 && sample.isFinite)
    #expect(matrix([1, 0, 0, 0, -9, 0, 0, 0, 1]).largestMagnitude == 9)
    for wrong in [Double.nan, .infinity] {
      for place in 0..<9 {
        var elements = [1.0, 2, 3, 4, 5, 6, 7, 8, 9]
        elements[place] = wrong
        #expect(!matrix(elements).isFinite)
      }
    }
  }
}
