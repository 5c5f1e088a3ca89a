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
}
