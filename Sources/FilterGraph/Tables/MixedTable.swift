import ColorScience
import Synchronization

/// One lattice for a table at a part of its strength, where that is no mix of the samples that reach it.
enum MixedTable {
  private struct Key: Hashable {
    let lut: ColorLUT
    let input, output: SampleEncoding
    let strength: Double
  }

  private static let size = 65
  private static let made = Mutex<[(key: Key, table: SampledLattice)]>([])

  /// Returns the lattice, made once for the last few.
  ///
  /// The part of the picture without the table is that in `output`, clipped to what can be shown there.
  static func of(
    _ lut: ColorLUT, from input: SampleEncoding, to output: SampleEncoding, strength: Double
  ) throws -> SampledLattice {
    let key = Key(lut: lut, input: input, output: output, strength: strength)
    if let known = made.withLock({ $0.first { $0.key == key }?.table }) { return known }
    let (from, to) = (input.linearSpace, output.linearSpace)
    let matrix = from.matrix(to: to)
    let table = try SampledLattice(size: size) { color in
      let plain =
        input == output
        ? color : output.encode(matrix * input.decode(color)).clamped(lowerBound: .zero, upperBound: .one)
      return plain + strength * (lut.evaluate(color) - plain)
    }
    made.withLock { made in
      made.append((key, table))
      if made.count > 8 { made.removeFirst() }
    }
    return table
  }
}
