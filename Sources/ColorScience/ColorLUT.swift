import FrameCore

/// A colour look-up table as in LUT files: a 1D shaper, a 3D cube, or both in this order.
public struct ColorLUT: Hashable, Sendable {
  /// The title in the file; may be empty.
  public let title: String
  /// Three curves, applied first.
  public let shaper: LUT1D?
  /// The lattice, applied to the shaper's output.
  public let cube: LUT3D?

  public init(title: String = "", shaper: LUT1D? = nil, cube: LUT3D? = nil) {
    self.title = title
    self.shaper = shaper
    self.cube = cube
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

  /// Returns the colour passed through the shaper and the cube; unchanged if there is neither.
  public func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var color = color
    if let shaper { color = shaper.evaluate(color) }
    if let cube { color = cube.evaluate(color) }
    return color
  }

  /// The sizes in readable form: `33³`, `1D 1024` or `1D 1024 + 33³`; `empty` if there is no table.
  package var sizeDescription: String {
    let parts = [shaper.map { "1D \($0.size)" }, cube.map { "\($0.size)³" }].compactMap(\.self)
    return parts.isEmpty ? "empty" : parts.joined(separator: " + ")
  }
}
