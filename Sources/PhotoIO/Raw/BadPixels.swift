import CLibRaw

/// Defective pixels of a mosaic, which become what their neighbours of the same colour are. Source: DNG 1.7.1.0, chapter 7,
/// FixBadPixelsConstant and FixBadPixelsList.
struct BadPixels {
  /// Top, left, bottom and right of each; the last two are excluded.
  private let areas: [SIMD4<Int32>]
  /// Pixels with this sample are bad.
  private let constant: Int32?
  /// Whether places are those of the exposed part, and not of all that is stored.
  private let isOfExposed: Bool

  /// - Parameter isOfExposed: whether the opcode is of the second list.
  /// - Returns: nil if the opcode is another, or damaged.
  init?(_ opcode: OpcodeList.Opcode, isOfExposed: Bool) {
    var numbers = OpcodeNumbers(opcode.parameters)
    self.isOfExposed = isOfExposed
    func place(_ number: Int?) -> Int32? { number.flatMap { $0 < 1 << 24 ? Int32($0) : nil } }
    if opcode.kind == .fixBadPixelsConstant {
      // The phase of the mosaic follows, which is known.
      guard let value = numbers.next(), value <= 65_535, numbers.next() != nil else { return nil }
      (constant, areas) = (Int32(value), [])
    } else if opcode.kind == .fixBadPixelsList {
      guard numbers.next() != nil, let points = numbers.next(), let rectangles = numbers.next(),
        numbers.count == 8 * points + 16 * rectangles
      else { return nil }
      var areas: [SIMD4<Int32>] = []
      for index in 0..<points + rectangles {
        let values = (0..<(index < points ? 2 : 4)).compactMap { _ in place(numbers.next()) }
        guard values.count == (index < points ? 2 : 4) else { return nil }
        areas.append(
          index < points
            ? SIMD4(values[0], values[1], values[0] + 1, values[1] + 1)
            : SIMD4(values[0], values[1], values[2], values[3]))
      }
      (constant, self.areas) = (nil, areas)
    } else {
      return nil
    }
  }

  /// Has a photo's bad pixels replaced when it is developed.
  ///
  /// - Returns: false if there is no memory for it.
  func install(in photo: OpaquePointer) -> Bool {
    areas.withUnsafeBytes { areas in
      var bad = clibraw_bad_pixels()
      bad.areas = areas.bindMemory(to: Int32.self).baseAddress
      bad.count = Int32(self.areas.count)
      bad.constant = constant ?? -1
      bad.of_exposed = isOfExposed
      return clibraw_add_bad_pixels(photo, &bad)
    }
  }
}
