import CLibRaw

/// Gains over a mosaic, mostly for the light and the colours that small lenses lose in the corners. Source: DNG 1.7.1.0,
/// chapter 7, GainMap.
///
///     sample = black + (sample - black) · gain        at every `pitch`-th row and column of an area
///
/// The gain is interpolated linearly between points, which are places in parts of the picture's height and width; beyond
/// the outermost points theirs holds.
struct GainMap {
  private let area, pitch, points: [Int]
  /// Vertically, then horizontally.
  private let spacing, origin: [Double]
  private let gains: [Float]

  private static let mostPoints = 1 << 20
  /// Far more than any lens needs.
  private static let gainRange: ClosedRange<Float> = 0...64

  /// - Returns: nil if the parameters are damaged, or are not those of a mosaic.
  init?(_ parameters: [UInt8]) {
    var numbers = OpcodeNumbers(parameters)
    let head = (0..<10).compactMap { _ in numbers.next() }
    guard head.count == 10 else { return nil }
    (area, pitch, points) = (Array(head[0..<4]), Array(head[6..<8]), Array(head[8..<10]))
    let planes = (first: head[4], count: head[5])
    guard planes == (0, 1), area[2] > area[0], area[3] > area[1], pitch.allSatisfy({ $0 > 0 }),
      head.allSatisfy({ $0 < 1 << 24 }), points.allSatisfy({ $0 > 0 }),
      points[0] * points[1] <= Self.mostPoints, let places = numbers.doubles(4), numbers.next() == 1,
      let gains = numbers.floats(points[0] * points[1]), gains.allSatisfy(Self.gainRange.contains)
    else { return nil }
    (spacing, origin) = (Array(places[0..<2]), Array(places[2..<4]))
    guard zip(spacing, points).allSatisfy({ $0 > 0 || $1 == 1 }) else { return nil }
    self.gains = gains
  }

  /// Has a photo's samples multiplied when it is developed.
  ///
  /// - Returns: false if there is no memory for it.
  func install(in photo: OpaquePointer) -> Bool {
    gains.withUnsafeBufferPointer { gains in
      var map = clibraw_gain_map()
      (map.top, map.left) = (Int32(area[0]), Int32(area[1]))
      (map.bottom, map.right) = (Int32(area[2]), Int32(area[3]))
      (map.row_pitch, map.column_pitch) = (Int32(pitch[0]), Int32(pitch[1]))
      (map.rows, map.columns) = (Int32(points[0]), Int32(points[1]))
      (map.row_spacing, map.column_spacing) = (spacing[0], spacing[1])
      (map.row_origin, map.column_origin) = (origin[0], origin[1])
      map.gains = gains.baseAddress
      return clibraw_add_gain_map(photo, &map)
    }
  }
}
