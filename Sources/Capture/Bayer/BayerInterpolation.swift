import FrameCore
import PixelKernels

/// Interpolates the colours of mosaics of one size and format, with rows of its own: nothing is allocated for a
/// picture. See `sl_bayer_green` for the method.
final class BayerInterpolation {
  let size: PixelSize
  let format: BayerFormat
  /// The first site of green in even rows: 0 or 1.
  private let firstGreen: Int
  /// Whether red, and not blue, has sites in even rows.
  private let hasRedFirst: Bool
  /// From one row of scratch memory to the next, in samples.
  private let stride: Int
  private static let padding = Int(SL_BAYER_PADDING)
  /// Rows of samples: five for green, and the next one takes the place of the oldest.
  private let samples: UnsafeMutablePointer<UInt16>
  /// Green, of three rows.
  private let greens: UnsafeMutablePointer<UInt16>
  /// Red or blue above green, of three rows.
  private let differences: UnsafeMutablePointer<Int32>
  /// Red and blue of one row.
  private let colors: UnsafeMutablePointer<UInt16>

  init(size: PixelSize, format: BayerFormat) {
    (self.size, self.format) = (size, format)
    firstGreen = format.pattern.channel(x: 0, y: 0) == 1 ? 0 : 1
    hasRedFirst = format.pattern == .rggb || format.pattern == .grbg
    stride = (size.width + 15) / 16 * 16 + 2 * Self.padding
    let stride = stride
    func zeroed<Element: BinaryInteger>(_ rows: Int) -> UnsafeMutablePointer<Element> {
      let memory = UnsafeMutablePointer<Element>.allocate(capacity: rows * stride)
      memory.initialize(repeating: 0, count: rows * stride)
      return memory
    }
    samples = zeroed(5)
    greens = zeroed(3)
    differences = zeroed(3)
    colors = zeroed(2)
  }

  deinit {
    samples.deallocate()
    greens.deallocate()
    differences.deallocate()
    colors.deallocate()
  }

  /// One row of red, green and blue, 0…the format's maximum.
  struct Row {
    let red: UnsafePointer<UInt16>
    let green: UnsafePointer<UInt16>
    let blue: UnsafePointer<UInt16>
  }

  /// Calls `body` for every row, from top to bottom; the row is valid until it returns.
  ///
  /// - Parameter picture: of this size and format.
  func forEachRow(of picture: BayerPicture, _ body: (_ y: Int, _ row: Row) -> Void) {
    precondition(picture.size == size && picture.format == format)
    for y in -3..<2 { load(y, picture) }
    interpolateGreen(-1)
    load(2, picture)
    interpolateGreen(0)
    for y in 0..<size.height {
      load(y + 3, picture)
      interpolateGreen(y + 1)
      body(y, colors(of: y))
    }
  }

  // MARK: Rows

  private func sampleRow(_ y: Int) -> UnsafeMutablePointer<UInt16> { pointer(samples, (y + 5) % 5) }
  private func greenRow(_ y: Int) -> UnsafeMutablePointer<UInt16> { pointer(greens, (y + 3) % 3) }
  private func differenceRow(_ y: Int) -> UnsafeMutablePointer<Int32> { pointer(differences, (y + 3) % 3) }

  /// The first pixel of a row of scratch memory.
  private func pointer<Element>(
    _ memory: UnsafeMutablePointer<Element>, _ row: Int
  ) -> UnsafeMutablePointer<Element> {
    memory + row * stride + Self.padding
  }

  /// The index within `0..<count` that mirrors `index` at the first and the last, which are not repeated: sites of
  /// a colour become sites of the same colour.
  static func mirrored(_ index: Int, _ count: Int) -> Int {
    let period = 2 * (count - 1)
    let place = abs(index) % period
    return place < count ? place : period - place
  }

  private func load(_ y: Int, _ picture: BayerPicture) {
    let (row, width) = (sampleRow(y), size.width)
    picture.unpack(
      row: Self.mirrored(y, size.height), into: UnsafeMutableBufferPointer(start: row, count: width))
    for x in 1...2 {
      row[-x] = row[Self.mirrored(-x, width)]
      row[width - 1 + x] = row[Self.mirrored(width - 1 + x, width)]
    }
  }

  private func interpolateGreen(_ y: Int) {
    let (difference, width) = (differenceRow(y), size.width)
    withUnsafeTemporaryAllocation(of: UnsafePointer<UInt16>?.self, capacity: 5) { rows in
      for index in 0..<5 { rows[index] = UnsafePointer(sampleRow(y + index - 2)) }
      sl_bayer_green(
        rows.baseAddress, width, Int32((firstGreen + y) & 1), Int32(format.maximum), greenRow(y), difference)
    }
    difference[-1] = difference[Self.mirrored(-1, width)]
    difference[width] = difference[Self.mirrored(width, width)]
  }

  private func colors(of y: Int) -> Row {
    let green = greenRow(y)
    let (own, other) = (pointer(colors, 0), pointer(colors, 1))
    sl_bayer_colors(
      green, differenceRow(y), differenceRow(y - 1), differenceRow(y + 1), size.width, Int32(format.maximum),
      own, other)
    return hasRedFirst == (y & 1 == 0)
      ? Row(red: UnsafePointer(own), green: UnsafePointer(green), blue: UnsafePointer(other))
      : Row(red: UnsafePointer(other), green: UnsafePointer(green), blue: UnsafePointer(own))
  }
}
