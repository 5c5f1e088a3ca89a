import FrameCore

/// Turns stored rows into 8-bit luma, the right way up, while they are read from top to bottom.
///
/// Luma of R, G, B is BT.709's, to 1/256, of the encoded samples; linear samples are square-rooted first. Y′ of Y′CbCr is
/// kept as it is, with its range. What is transparent is laid on white, as codes on the web are meant to be seen.
package struct UprightLuma {
  /// Rows of luma in memory.
  package struct Target {
    package var base: UnsafeMutablePointer<UInt8>
    package var rowBytes: Int

    package init(base: UnsafeMutablePointer<UInt8>, rowBytes: Int) {
      (self.base, self.rowBytes) = (base, rowBytes)
    }
  }

  /// The size of the picture, the right way up.
  package let size: PixelSize
  private let stored: PixelSize
  private let width: Int
  private let orientation: Orientation
  private let (columns, rows): (Int, Int)
  private var luma: [UInt8]
  private var sums: [UInt32]
  private var rowsAdded = 0

  /// - Parameters:
  ///   - stored: the size of the picture as stored.
  ///   - factor: each sample is the mean of as many columns and rows; what remains at the right and below is left out.
  package init(of stored: PixelSize, orientation: Orientation, factor: Int = 1) {
    (columns, rows) = (max(1, min(factor, stored.width)), max(1, min(factor, stored.height)))
    self.stored = PixelSize(width: stored.width / columns, height: stored.height / rows)
    size = orientation.applied(to: self.stored)
    width = stored.width
    self.orientation = orientation
    luma = Array(repeating: 0, count: stored.width)
    sums = Array(repeating: 0, count: self.stored.width)
  }

  /// The smallest factor that makes a picture fit: edges of at most `longEdge`, and at most `pixels` in all.
  package static func factor(for size: PixelSize, longEdge: Int, pixels: Int = .max) -> Int {
    var factor = max(1, (size.longEdge + longEdge - 1) / longEdge)
    while (size.width / factor) * (size.height / factor) > pixels { factor += 1 }
    return factor
  }

  /// Adds the picture's next rows: the first `count` of `band`, which is as wide as the picture.
  package mutating func add(_ count: Int, of band: PixelBuffer, to target: Target) {
    let writer = RowWriter(stored: stored, orientation: orientation, target: target)
    let needsSums = columns > 1 || rows > 1
    luma.withUnsafeMutableBufferPointer { luma in
      sums.withUnsafeMutableBufferPointer { sums in
        for y in 0..<count {
          band.readLuma(row: y, count: width, into: luma)
          rowsAdded += 1
          if !needsSums {
            writer.write(luma, row: rowsAdded - 1)
            continue
          }
          for x in sums.indices {
            var sum: UInt32 = 0
            for column in 0..<columns { sum += UInt32(luma[x * columns + column]) }
            sums[x] += sum
          }
          guard rowsAdded % rows == 0 else { continue }
          let area = UInt32(columns * rows)
          for x in sums.indices {
            luma[x] = UInt8((sums[x] + area / 2) / area)
            sums[x] = 0
          }
          writer.write(luma, row: rowsAdded / rows - 1)
        }
      }
    }
  }
}

/// Puts stored rows where they are displayed.
private struct RowWriter {
  private let stored: PixelSize
  private let target: UprightLuma.Target
  private let (first, columnStep, rowStep): (Int, Int, Int)

  init(stored: PixelSize, orientation: Orientation, target: UprightLuma.Target) {
    func position(_ storedX: Int, _ y: Int) -> Int {
      let x = orientation.isMirrored ? stored.width - 1 - storedX : storedX
      return switch orientation.quarterTurns {
      case 0: y * target.rowBytes + x
      case 1: x * target.rowBytes + (stored.height - 1 - y)
      case 2: (stored.height - 1 - y) * target.rowBytes + (stored.width - 1 - x)
      default: (stored.width - 1 - x) * target.rowBytes + y
      }
    }
    first = position(0, 0)
    columnStep = position(1, 0) - first
    rowStep = position(0, 1) - first
    (self.stored, self.target) = (stored, target)
  }

  func write(_ luma: UnsafeMutableBufferPointer<UInt8>, row: Int) {
    guard row < stored.height, let source = luma.baseAddress else { return }
    let start = target.base + (first + row * rowStep)
    if columnStep == 1 { return start.update(from: source, count: stored.width) }
    for x in 0..<stored.width { start[x * columnStep] = source[x] }
  }
}

extension PixelBuffer {
  /// Reads the luma of the first `count` pixels of a row.
  fileprivate func readLuma(row y: Int, count: Int, into luma: UnsafeMutableBufferPointer<UInt8>) {
    let row = planes[0].row(y)
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    switch format {
    case .gray8, .nv12, .nv21, .nv16, .i420, .i422, .i444: luma.baseAddress?.update(from: bytes, count: count)
    case .yuyv422: for x in 0..<count { luma[x] = bytes[2 * x] }
    case .uyvy422: for x in 0..<count { luma[x] = bytes[2 * x + 1] }
    case .rgba8:
      for x in 0..<count { luma[x] = Self.luma(bytes[4 * x], bytes[4 * x + 1], bytes[4 * x + 2]) }
      if alpha == .straight { for x in 0..<count { luma[x] = Self.onWhite(luma[x], bytes[4 * x + 3]) } }
    case .rgba16:
      let samples = row.assumingMemoryBound(to: UInt16.self)
      let isLinear = tags.transfer == .linear && tags.iccProfile == nil
      func code(_ sample: UInt16) -> UInt8 {
        isLinear ? UInt8((Float(sample) / 65_535).squareRoot() * 255) : UInt8(sample >> 8)
      }
      for x in 0..<count {
        luma[x] = Self.luma(code(samples[4 * x]), code(samples[4 * x + 1]), code(samples[4 * x + 2]))
      }
      if alpha == .straight {
        for x in 0..<count { luma[x] = Self.onWhite(luma[x], UInt8(samples[4 * x + 3] >> 8)) }
      }
    case .rgbaF32:
      let samples = row.assumingMemoryBound(to: Float.self)
      let isLinear = tags.transfer == .linear && tags.iccProfile == nil
      func code(_ sample: Float) -> UInt8 {
        // NaN compares false with everything and so becomes 0.
        let value = sample > 0 ? min(sample, 1) : 0
        return UInt8((isLinear ? value.squareRoot() : value) * 255)
      }
      for x in 0..<count {
        luma[x] = Self.luma(code(samples[4 * x]), code(samples[4 * x + 1]), code(samples[4 * x + 2]))
        // Alpha is no light, so it is as it is.
        let opacity = samples[4 * x + 3]
        if alpha == .straight {
          luma[x] = Self.onWhite(luma[x], UInt8((opacity > 0 ? min(opacity, 1) : 0) * 255))
        }
      }
    }
  }

  /// 0.2126 R′ + 0.7152 G′ + 0.0722 B′ (ITU-R BT.709), to 1/256.
  @inline(__always)
  private static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (54 &* UInt32(red) &+ 183 &* UInt32(green) &+ 19 &* UInt32(blue) &+ 128) >> 8)
  }

  private static func onWhite(_ luma: UInt8, _ alpha: UInt8) -> UInt8 {
    let white: UInt32 = 255 &* UInt32(255 &- alpha)
    let sum: UInt32 = UInt32(luma) &* UInt32(alpha) &+ white &+ 127
    return UInt8(truncatingIfNeeded: sum / 255)
  }
}
