/// The layout in which a decoder delivers a row's samples: interleaved, without padding.
struct SampleLayout: Hashable {
  enum Samples: Hashable {
    case uint8
    case uint16
    /// 1.0 is full scale.
    case float32
  }

  enum Model: Hashable {
    case gray
    case rgb
    /// 0 is no ink, or full ink if `inverted`.
    case cmyk(inverted: Bool)
  }

  let samples: Samples
  let model: Model
  /// Samples per pixel; the first after the colour is alpha, any others are ignored.
  let bands: Int

  /// Colour samples per pixel.
  var colorBands: Int {
    switch model {
    case .gray: 1
    case .rgb: 3
    case .cmyk: 4
    }
  }

  var bytesPerSample: Int {
    switch samples {
    case .uint8: 1
    case .uint16: 2
    case .float32: 4
    }
  }

  func rowBytes(width: Int) -> Int { width * bands * bytesPerSample }

  /// Writes a row of grey or RGB as R G B A: 8 bits remain 8 bits, everything else becomes 16. Floats are clipped
  /// to 0…1. Missing alpha becomes full scale.
  func expand(_ row: UnsafeRawPointer, to rgba: UnsafeMutableRawPointer, width: Int, hasAlpha: Bool) {
    switch samples {
    case .uint8:
      expand(
        row.assumingMemoryBound(to: UInt8.self), to: rgba.assumingMemoryBound(to: UInt8.self), width,
        hasAlpha: hasAlpha, opaque: 255
      ) { $0 }
    case .uint16:
      expand(
        row.assumingMemoryBound(to: UInt16.self), to: rgba.assumingMemoryBound(to: UInt16.self), width,
        hasAlpha: hasAlpha, opaque: 65_535
      ) { $0 }
    case .float32:
      expand(
        row.assumingMemoryBound(to: Float.self), to: rgba.assumingMemoryBound(to: UInt16.self), width,
        hasAlpha: hasAlpha, opaque: 65_535, convert: Self.code16)
    }
  }

  @inline(__always)
  private func expand<In, Out>(
    _ row: UnsafePointer<In>, to rgba: UnsafeMutablePointer<Out>, _ width: Int, hasAlpha: Bool, opaque: Out,
    convert: (In) -> Out
  ) {
    let green = model == .gray ? 0 : 1
    let blue = model == .gray ? 0 : 2
    let alpha = colorBands
    for x in 0..<width {
      let pixel = row + x * bands
      let out = rgba + 4 * x
      out[0] = convert(pixel[0])
      out[1] = convert(pixel[green])
      out[2] = convert(pixel[blue])
      out[3] = hasAlpha ? convert(pixel[alpha]) : opaque
    }
  }

  /// Writes a row of CMYK as 8-bit R G B A, using the device formula for CMYK without a profile.
  ///
  ///     R = (1 − C) · (1 − K)        likewise G from M, B from Y; PostScript Language Reference, 7.2.4, simplified
  func expandPlainCMYK(_ row: UnsafeRawPointer, to rgba: UnsafeMutableRawPointer, width: Int) {
    // Inverted samples measure paper rather than ink, so they are already 1 − C.
    let flip: UInt8 = model == .cmyk(inverted: true) ? 0 : 255
    let out = rgba.assumingMemoryBound(to: UInt8.self)
    for x in 0..<width {
      let black = Int(sample8(row, x * bands + 3) ^ flip)
      for channel in 0..<3 {
        out[4 * x + channel] = UInt8((Int(sample8(row, x * bands + channel) ^ flip) * black + 127) / 255)
      }
      out[4 * x + 3] = bands > 4 ? sample8(row, x * bands + 4) : 255
    }
  }

  /// Writes a row in the layout of a colour transform: `bands` samples per pixel, 1 (grey) or 4 (R G B A, or 8-bit
  /// C M Y K), with 8 bits if the row has 8, otherwise 16.
  func pack(
    _ row: UnsafeRawPointer, to packed: UnsafeMutableRawPointer, width: Int, bands packedBands: Int,
    hasAlpha: Bool
  ) {
    if colorBands == 4 {
      let out = packed.assumingMemoryBound(to: UInt8.self)
      for x in 0..<width {
        for channel in 0..<4 { out[4 * x + channel] = sample8(row, x * bands + channel) }
      }
    } else if packedBands == 4 {
      expand(row, to: packed, width: width, hasAlpha: hasAlpha)
    } else if samples == .uint8 {
      let out = packed.assumingMemoryBound(to: UInt8.self)
      for x in 0..<width { out[x] = sample8(row, x * bands) }
    } else {
      let out = packed.assumingMemoryBound(to: UInt16.self)
      for x in 0..<width { out[x] = sample16(row, x * bands) }
    }
  }

  /// Copies a row's alpha to the fourth sample of 16-bit R G B A.
  func copyAlpha(_ row: UnsafeRawPointer, to rgba: UnsafeMutableRawPointer, width: Int) {
    let out = rgba.assumingMemoryBound(to: UInt16.self)
    for x in 0..<width { out[4 * x + 3] = sample16(row, x * bands + colorBands) }
  }

  private func sample8(_ row: UnsafeRawPointer, _ index: Int) -> UInt8 {
    samples == .uint8
      ? row.assumingMemoryBound(to: UInt8.self)[index] : UInt8(sample16(row, index) >> 8)
  }

  private func sample16(_ row: UnsafeRawPointer, _ index: Int) -> UInt16 {
    switch samples {
    case .uint8: UInt16(row.assumingMemoryBound(to: UInt8.self)[index]) * 257
    case .uint16: row.assumingMemoryBound(to: UInt16.self)[index]
    case .float32: Self.code16(row.assumingMemoryBound(to: Float.self)[index])
    }
  }

  /// Converts 0…1 to 16 bits, clipped. The order of the comparisons turns NaN into 0.
  private static func code16(_ value: Float) -> UInt16 {
    value > 0 ? UInt16((value < 1 ? value : 1) * 65_535 + 0.5) : 0
  }
}
