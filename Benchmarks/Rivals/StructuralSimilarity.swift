import Safelight

/// How alike two pictures are to the eye, 1 being equal.
///
/// Source: Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image Quality Assessment: From Error
/// Visibility to Structural Similarity, IEEE Transactions on Image Processing 13 (4), 2004.
enum StructuralSimilarity {
  private static let window = 8

  /// The mean over all windows of 8 × 8 of luma, 0…255.
  static func mean(_ a: Picture, _ b: Picture) throws -> Double {
    let (width, height) = (a.size.width, a.size.height)
    guard a.size == b.size, min(width, height) >= window else {
      throw SafelightError(.invalidValue, "Pictures of \(a.size) and \(b.size) cannot be compared")
    }
    let first = sums(a, a).plain
    let (second, secondSquares) = sums(b, b)
    let (firstSquares, products) = (sums(a, a).products, sums(a, b).products)
    let count = Double(window * window)
    // The constants of the paper for a range of 255.
    let (c1, c2) = (6.5025, 58.5225)
    var total = 0.0
    for y in 0...height - window {
      for x in 0...width - window {
        func mean(_ sums: [Double]) -> Double {
          let (top, bottom) = (y * (width + 1), (y + window) * (width + 1))
          return (sums[bottom + x + window] - sums[bottom + x] - sums[top + x + window] + sums[top + x])
            / count
        }
        let (m, n) = (mean(first), mean(second))
        let (v, w, covariance) = (
          mean(firstSquares) - m * m, mean(secondSquares) - n * n, mean(products) - m * n
        )
        let likeness: Double = (2 * m * n + c1) * (2 * covariance + c2)
        total += likeness / ((m * m + n * n + c1) * (v + w + c2))
      }
    }
    return total / Double((width - window + 1) * (height - window + 1))
  }

  /// Sums over the rectangle above and to the left of each place: of luma of `a`, and of its products with
  /// that of `b`.
  private static func sums(_ a: Picture, _ b: Picture) -> (plain: [Double], products: [Double]) {
    let (width, height) = (a.size.width, a.size.height)
    var plain = [Double](repeating: 0, count: (width + 1) * (height + 1))
    var products = plain
    func luma(_ picture: Picture, _ index: Int) -> Double {
      0.299 * Double(picture.values[index]) + 0.587 * Double(picture.values[index + 1])
        + 0.114 * Double(picture.values[index + 2])
    }
    for y in 0..<height {
      var (row, productRow) = (0.0, 0.0)
      for x in 0..<width {
        let index = 3 * (y * width + x)
        let sample = luma(a, index)
        row += sample
        productRow += sample * luma(b, index)
        let place = (y + 1) * (width + 1) + x + 1
        plain[place] = plain[place - width - 1] + row
        products[place] = products[place - width - 1] + productRow
      }
    }
    return (plain, products)
  }
}
