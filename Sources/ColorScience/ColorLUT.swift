import FrameCore

/// A colour look-up table as in LUT files: a 1D shaper, a 3D cube, or both in this order; or a chain of steps.
public struct ColorLUT: Hashable, Sendable {
  /// The title in the file; may be empty.
  public let title: String
  /// Three curves, applied first.
  public let shaper: LUT1D?
  /// The lattice, applied to the shaper's output.
  public let cube: LUT3D?
  /// What happens to a colour, in order, where that is more than a shaper and a cube: both are nil then. Else empty.
  package let steps: [ColorStep]
  /// What whoever uses the table is to be told of it, a sentence about the file without its name and its full stop.
  package private(set) var remark: String?

  public init(title: String = "", shaper: LUT1D? = nil, cube: LUT3D? = nil) {
    self.title = title
    self.shaper = shaper
    self.cube = cube
    steps = []
  }

  /// The same table with a remark.
  package func remarking(_ remark: String) -> ColorLUT {
    var table = self
    table.remark = remark
    return table
  }

  /// Creates a table from steps in order, which become a shaper and a cube where they are no more than that.
  package init(title: String = "", steps: [ColorStep]) {
    self.title = title
    switch steps.count {
    case 1:
      if case .table1D(let table) = steps[0] { (shaper, cube, self.steps) = (table, nil, []); return }
      if case .table3D(let table, false) = steps[0] { (shaper, cube, self.steps) = (nil, table, []); return }
    case 2:
      if case .table1D(let curves) = steps[0], case .table3D(let table, false) = steps[1] {
        (shaper, cube, self.steps) = (curves, table, [])
        return
      }
    default: break
    }
    (shaper, cube, self.steps) = (nil, nil, steps)
  }

  /// Parses the text of a `.cube` file.
  ///
  /// Accepts Iridas/Adobe files (1D or 3D; DOMAIN_MIN, DOMAIN_MAX) and Resolve's (1D, 3D or 1D and then 3D;
  /// LUT_1D_INPUT_RANGE, LUT_3D_INPUT_RANGE). Source: Adobe, “Cube LUT Specification Version 1.0” (2013).
  ///
  /// - Parameters:
  /// - text: the bytes of the file; not retained.
  ///   - name: the name of the file, for errors.
  /// - Throws: `SafelightError` whose text begins with `NAME:LINE:`; `tooLarge` for sizes beyond
  ///   `LUT1D.sizes` or `LUT3D.sizes`, else `corruptData`.
  public init(cube text: UnsafeRawBufferPointer, name: String) throws {
    var parser = try CubeParser(text: text, name: name)
    self = try parser.parse()
  }

  /// Parses the text of a `.cube` file; see `init(cube:name:)` for raw buffers.
  public init(cube text: [UInt8], name: String) throws {
    self = try text.withUnsafeBytes { try ColorLUT(cube: $0, name: name) }
  }

  /// Returns the colour passed through the shaper and the cube, or through all steps; unchanged if there are none.
  public func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    guard steps.isEmpty else { return steps.reduce(color) { $1.evaluate($0) } }
    var color = color
    if let shaper { color = shaper.evaluate(color) }
    if let cube { color = cube.evaluate(color) }
    return color
  }

  /// The sizes in readable form: `33³`, `1D 1024`, `1D 1024 + 33³` or `5 steps`; `empty` if there is no table.
  package var sizeDescription: String {
    guard steps.isEmpty else { return steps.count == 1 ? "1 step" : "\(steps.count) steps" }
    let parts = [shaper.map { "1D \($0.size)" }, cube.map { "\($0.size)³" }].compactMap(\.self)
    return parts.isEmpty ? "empty" : parts.joined(separator: " + ")
  }

  /// The samples, domains and other numbers, as bytes that are equal only if the effect is equal.
  package var contents: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ values: [SIMD3<Float>]) {
      // Component by component: a SIMD3 has a fourth, undefined lane in memory.
      var numbers: [Float] = []
      numbers.reserveCapacity(3 * values.count)
      for value in values {
        numbers.append(value.x)
        numbers.append(value.y)
        numbers.append(value.z)
      }
      numbers.withUnsafeBytes { bytes += $0 }
    }
    if let shaper { append([shaper.domainMin, shaper.domainMax] + shaper.samples) }
    // Distinguishes a table of curves from one of colours.
    bytes.append(cube == nil ? 0 : 1)
    if let cube { append([cube.domainMin, cube.domainMax] + cube.nodes) }
    for step in steps { step.numbers.withUnsafeBytes { bytes += $0 } }
    return bytes
  }
}
