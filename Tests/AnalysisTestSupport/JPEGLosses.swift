import FrameCore
import Libc

/// What JPEG takes from a grey picture: the quantised cosine transform of blocks of 8×8, and back.
package enum JPEGLosses {
  /// ITU-T T.81, table K.1: luminance.
  private static let table: [Float] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29,
    51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
    121,
    120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]

  /// Rows of the orthonormal transform.
  private static let basis: [SIMD8<Float>] = (0..<8).map { k in
    var row = SIMD8<Float>()
    for n in 0..<8 {
      row[n] = Float(cos(Double(2 * n + 1) * Double(k) * .pi / 16) * (k == 0 ? 0.125 : 0.25).squareRoot())
    }
    return row
  }

  private static func transposed(_ block: [SIMD8<Float>]) -> [SIMD8<Float>] {
    (0..<8).map { i in
      var row = SIMD8<Float>()
      for j in 0..<8 { row[j] = block[j][i] }
      return row
    }
  }

  /// matrix · block.
  private static func product(_ matrix: [SIMD8<Float>], _ block: [SIMD8<Float>]) -> [SIMD8<Float>] {
    matrix.map { row in
      var sum = SIMD8<Float>()
      for k in 0..<8 { sum += row[k] * block[k] }
      return sum
    }
  }

  /// - Parameter quality: 1…100, libjpeg's scale.
  package static func applied(to picture: PixelBuffer, quality: Int) throws -> PixelBuffer {
    let percent = Float(quality < 50 ? 5000 / quality : 200 - 2 * quality)
    let steps = (0..<8).map { row in
      SIMD8<Float>(table[8 * row..<8 * row + 8].map { max((($0 * percent + 50) / 100).rounded(.down), 1) })
    }
    let back = transposed(basis)
    let output = try PixelBuffer(size: picture.size, format: .gray8)
    for top in stride(from: 0, to: picture.height, by: 8) {
      for left in stride(from: 0, to: picture.width, by: 8) {
        var block = [SIMD8<Float>](repeating: SIMD8(), count: 8)
        for y in 0..<8 {
          let row = picture.row(min(top + y, picture.height - 1), as: UInt8.self)
          for x in 0..<8 { block[y][x] = Float(row[min(left + x, picture.width - 1)]) - 128 }
        }
        // basis · block · basisᵀ; (block · basisᵀ)ᵀ = basis · blockᵀ.
        block = product(basis, transposed(product(basis, transposed(block))))
        for y in 0..<8 { block[y] = (block[y] / steps[y]).rounded(.toNearestOrEven) * steps[y] }
        block = product(back, transposed(product(back, transposed(block))))
        for y in 0..<min(8, picture.height - top) {
          let row = output.row(top + y, as: UInt8.self)
          for x in 0..<min(8, picture.width - left) {
            row[left + x] = UInt8(min(max((block[y][x] + 128).rounded(), 0), 255))
          }
        }
      }
    }
    return output
  }
}
