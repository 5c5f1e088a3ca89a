import FrameCore

/// 8-bit RGB into 8-bit luma and colour differences, for what video pipes and virtual cameras take.
///
///     Y' = Kr·R' + Kg·G' + Kb·B'      Cb = (B' − Y') / (2·(1 − Kb))      Cr = (R' − Y') / (2·(1 − Kr))
///
/// Source: ITU-R BT.601-7 §2.5 and BT.709-6 §3, quantised as there (limited: Y 16…235, C 16…240 around 128; full:
/// 0…255). Chroma sits on the left column of its pair, as MPEG-2 and V4L2 have it, so it is filtered by ¼ ½ ¼ along
/// rows; at 4:2:0 it sits between two rows, and both count the same.
struct YCbCrConversion {
  /// Fraction bits of the weights.
  private static let fraction = 20

  private struct Weights {
    var red: Int
    var green: Int
    var blue: Int

    /// - Parameter scale: of the codes, per code of R, G, B.
    init(_ red: Double, _ green: Double, _ blue: Double, scale: Double) {
      func fixed(_ value: Double) -> Int { Int((value * scale * Double(1 << fraction)).rounded()) }
      self.red = fixed(red)
      self.green = fixed(green)
      self.blue = fixed(blue)
    }
  }

  private let luma: Weights
  private let blueDifference: Weights
  private let redDifference: Weights
  private let black: Int

  /// - Parameter tags: `matrix` and `range` count.
  /// - Throws: `SafelightError(.unsupported)` for a matrix other than BT.601 and BT.709.
  init(_ tags: ColorTags) throws {
    let (kr, kb): (Double, Double)
    switch tags.matrix {
    case .bt601: (kr, kb) = (0.299, 0.114)
    case .bt709: (kr, kb) = (0.2126, 0.0722)
    default:
      throw SafelightError(
        .unsupported, "Pictures are not converted to the matrix \(tags.matrix)",
        remedy: "use BT.601 or BT.709")
    }
    let kg = 1 - kr - kb
    let isLimited = tags.range == .limited
    let (lumaScale, chromaScale) = isLimited ? (219.0 / 255, 224.0 / 255) : (1, 1)
    luma = Weights(kr, kg, kb, scale: lumaScale)
    blueDifference = Weights(-kr, -kg, 1 - kb, scale: chromaScale / (2 * (1 - kb)))
    redDifference = Weights(1 - kr, -kg, -kb, scale: chromaScale / (2 * (1 - kr)))
    black = isLimited ? 16 : 0
  }

  /// The formats that `convert` writes.
  static let formats: [PixelFormat] = [.yuyv422, .nv12, .i420]

  /// Converts a whole picture.
  ///
  /// - Parameters:
  ///   - picture: `rgba8`; alpha is ignored.
  ///   - destination: of the same size, in one of `formats`.
  func convert(_ picture: PixelBuffer, into destination: PixelBuffer) {
    precondition(picture.format == .rgba8 && picture.size == destination.size)
    let planes = destination.planes.map {
      Samples(base: $0.base.assumingMemoryBound(to: UInt8.self), $0.rowBytes)
    }
    let (y, cb, cr): (Samples, Samples, Samples)
    switch destination.format {
    case .yuyv422:
      (y, cb, cr) = (planes[0].every(2), planes[0].every(4, from: 1), planes[0].every(4, from: 3))
    case .nv12: (y, cb, cr) = (planes[0], planes[1].every(2), planes[1].every(2, from: 1))
    case .i420: (y, cb, cr) = (planes[0], planes[1], planes[2])
    default: preconditionFailure("no conversion to \(destination.format.rawValue)")
    }
    let rowsPerChroma = destination.format == .yuyv422 ? 1 : 2
    for top in stride(from: 0, to: picture.height, by: rowsPerChroma) {
      let bottom = min(top + rowsPerChroma, picture.height) - 1
      for row in top...bottom { convertLuma(picture.row(row), to: y.row(row)) }
      if destination.format == .yuyv422, !picture.width.isMultiple(of: 2) {
        // The last group has a second luma that no pixel stands for.
        let samples = y.row(top)
        samples.base[2 * picture.width] = samples.base[2 * (picture.width - 1)]
      }
      convertChroma(
        picture.row(top), picture.row(bottom), blue: cb.row(top / rowsPerChroma),
        red: cr.row(top / rowsPerChroma))
    }
  }

  private func convertLuma(_ row: UnsafeMutableBufferPointer<UInt8>, to out: Samples) {
    guard let pixels = row.baseAddress else { return }
    let half = 1 << (Self.fraction - 1)
    let (base, step) = (out.base, out.step)
    for x in 0..<row.count / 4 {
      let p = pixels + 4 * x
      let sum = luma.red &* Int(p[0]) &+ luma.green &* Int(p[1]) &+ luma.blue &* Int(p[2])
      base[x &* step] = UInt8(truncatingIfNeeded: black &+ (sum &+ half) >> Self.fraction)
    }
  }

  private func convertChroma(
    _ top: UnsafeMutableBufferPointer<UInt8>, _ bottom: UnsafeMutableBufferPointer<UInt8>, blue: Samples,
    red: Samples
  ) {
    guard let a = top.baseAddress, let b = bottom.baseAddress else { return }
    let width = top.count / 4
    // The weights of the filter add up to 8.
    let shift = Self.fraction + 3
    let half = 1 << (shift - 1)
    for index in 0..<(width + 1) / 2 {
      let center = 8 &* index
      let left = max(center &- 4, 0)
      let right = min(center &+ 4, 4 &* (width &- 1))
      func filtered(_ channel: Int) -> Int {
        let upper = Int(a[left &+ channel]) &+ 2 &* Int(a[center &+ channel]) &+ Int(a[right &+ channel])
        let lower = Int(b[left &+ channel]) &+ 2 &* Int(b[center &+ channel]) &+ Int(b[right &+ channel])
        return upper &+ lower
      }
      let (r, g, b) = (filtered(0), filtered(1), filtered(2))
      func code(_ weights: Weights) -> UInt8 {
        let sum = weights.red &* r &+ weights.green &* g &+ weights.blue &* b
        // Full range: the largest difference would be 255.5.
        return UInt8(truncatingIfNeeded: min(128 &+ (sum &+ half) >> shift, 255))
      }
      blue.base[index &* blue.step] = code(blueDifference)
      red.base[index &* red.step] = code(redDifference)
    }
  }
}

/// One kind of sample in a plane: where the first lies, and the distances to the next and to the next row.
private struct Samples {
  var base: UnsafeMutablePointer<UInt8>
  var rowBytes: Int
  var step = 1

  init(base: UnsafeMutablePointer<UInt8>, _ rowBytes: Int) {
    self.base = base
    self.rowBytes = rowBytes
  }

  func every(_ step: Int, from offset: Int = 0) -> Samples {
    var samples = self
    samples.base += offset
    samples.step = step
    return samples
  }

  func row(_ y: Int) -> Samples {
    var samples = self
    samples.base += y * rowBytes
    return samples
  }
}
