import ColorScience
import FilterGraph
import Libc
import PixelKernels

/// A field of encoded samples ahead of a table, as one kernel on rows of 16-bit codes.
final class LightRows: @unchecked Sendable {
  let kernel: UnsafeMutablePointer<sl_light_row>
  private let field: UnsafeMutablePointer<sl_field>
  /// Holds the field's tables.
  private let stages: KernelStages

  /// - Parameter exact: the exact stages ahead of the table.
  /// - Returns: nil unless they are a field and a scale, on samples whose decoding is close to a polynomial.
  init?(_ exact: [Stage]) {
    guard case .field(let field, let encoding)? = exact.first, exact.count <= 2, field.masks.isEmpty,
      encoding != [.linear],
      let decode = NumericStage.parametric(.decode(encoding)), decode.scale == 1, decode.shift == 0,
      let polynomial = DecodingPolynomial(encoding[0], from: Double(decode.toe))
    else { return nil }
    var scale = 1.0
    if exact.count == 2 {
      guard case .matrix(let matrix) = exact[1], matrix.isDiagonal, matrix[0, 0] == matrix[1, 1],
        matrix[1, 1] == matrix[2, 2]
      else { return nil }
      scale = matrix[0, 0]
    }
    stages = KernelStages([exact[0]])
    self.field = .allocate(capacity: 1)
    self.field.initialize(to: stages.firstField)
    var row = sl_light_row()
    row.field = UnsafePointer(self.field)
    withUnsafeMutableBytes(of: &row.decode) { bytes in
      let terms = bytes.bindMemory(to: Float.self)
      for (index, term) in polynomial.terms.enumerated() { terms[index] = Float(term) }
    }
    row.scale = Float(scale)
    kernel = .allocate(capacity: 1)
    kernel.initialize(to: row)
  }

  deinit {
    kernel.deallocate()
    field.deallocate()
  }
}

/// A decoding function as a polynomial of samples from a toe to 1.
private struct DecodingPolynomial {
  /// From the constant one on.
  let terms: [Double]

  /// The polynomial through some nodes of the range, which are closest to each other near the toe: there the light is
  /// least, and with it what it may be wrong by.
  ///
  /// - Returns: nil if it is further from the function than light can be seen.
  init?(_ function: TransferFunction, from toe: Double) {
    let count = Int(SL_LIGHT_ROW_TERMS)
    let low = max(toe, 0)
    let nodes = (0..<count).map { index in
      let chebyshev = (1 + cos(.pi * (Double(index) + 0.5) / Double(count))) / 2
      return low + (1 - low) * chebyshev * chebyshev
    }
    // Newton's divided differences, then expanded.
    var differences = nodes.map { function.decode($0) }
    for order in 1..<count {
      for index in stride(from: count - 1, through: order, by: -1) {
        differences[index] =
          (differences[index] - differences[index - 1]) / (nodes[index] - nodes[index - order])
      }
    }
    var terms = [0.0]
    for index in stride(from: count - 1, through: 0, by: -1) {
      // terms · (x - node) + difference
      var next = [0.0] + terms
      for (power, term) in terms.enumerated() { next[power] -= nodes[index] * term }
      next[0] += differences[index]
      terms = next
    }
    self.terms = Array(terms.prefix(count))
    let isClose = (0...2000).allSatisfy { step in
      let x = low + (1 - low) * Double(step) / 2000
      let light = function.decode(x)
      let value = self.terms.reversed().reduce(0) { $0 * x + $1 }
      return abs(value - light) <= 1e-3 * (light + LocalLight.floor)
    }
    guard isClose else { return nil }
  }
}
