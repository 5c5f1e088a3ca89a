import AnalysisKernels
import ColorScience
import FrameCore

extension PixelFormat {
  /// The position of luma within the first plane.
  var lumaSource: sla_luma_source {
    switch self {
    case .gray8, .nv12, .nv21, .nv16, .i420, .i422, .i444: SLA_LUMA_PLANE
    case .yuyv422: SLA_LUMA_EVEN_BYTES
    case .uyvy422: SLA_LUMA_ODD_BYTES
    case .rgba8: SLA_LUMA_RGBA8
    case .rgba16: SLA_LUMA_RGBA16
    case .rgbaF32: SLA_LUMA_RGBAF32
    }
  }
}

/// The position of one channel, and how many pixels share a sample of it, as powers of two.
private struct Channel {
  var plane = 0
  var offset = 0
  var step: Int32
  var columnShift: Int32 = 0
  var rowShift: Int32 = 0
}

extension PixelFormat {
  /// Y, Cb, Cr, or R, G, B, or grey three times.
  fileprivate var channels: (Channel, Channel, Channel) {
    func interleaved(bytes: Int) -> (Channel, Channel, Channel) {
      let step = Int32(4 * bytes)
      return (
        Channel(step: step), Channel(offset: bytes, step: step), Channel(offset: 2 * bytes, step: step)
      )
    }
    func packed(y: Int, cb: Int, cr: Int) -> (Channel, Channel, Channel) {
      (
        Channel(offset: y, step: 2), Channel(offset: cb, step: 4, columnShift: 1),
        Channel(offset: cr, step: 4, columnShift: 1)
      )
    }
    func semiPlanar(cb: Int, cr: Int, rowShift: Int32) -> (Channel, Channel, Channel) {
      (
        Channel(step: 1), Channel(plane: 1, offset: cb, step: 2, columnShift: 1, rowShift: rowShift),
        Channel(plane: 1, offset: cr, step: 2, columnShift: 1, rowShift: rowShift)
      )
    }
    func planar(columnShift: Int32, rowShift: Int32) -> (Channel, Channel, Channel) {
      (
        Channel(step: 1), Channel(plane: 1, step: 1, columnShift: columnShift, rowShift: rowShift),
        Channel(plane: 2, step: 1, columnShift: columnShift, rowShift: rowShift)
      )
    }
    return switch self {
    case .rgba8: interleaved(bytes: 1)
    case .rgba16: interleaved(bytes: 2)
    case .rgbaF32: interleaved(bytes: 4)
    case .gray8: (Channel(step: 1), Channel(step: 1), Channel(step: 1))
    case .yuyv422: packed(y: 0, cb: 1, cr: 3)
    case .uyvy422: packed(y: 1, cb: 0, cr: 2)
    case .nv12: semiPlanar(cb: 0, cr: 1, rowShift: 1)
    case .nv21: semiPlanar(cb: 1, cr: 0, rowShift: 1)
    case .nv16: semiPlanar(cb: 0, cr: 1, rowShift: 0)
    case .i420: planar(columnShift: 1, rowShift: 1)
    case .i422: planar(columnShift: 1, rowShift: 0)
    case .i444: planar(columnShift: 0, rowShift: 0)
    }
  }
}

extension sla_color_picture {
  /// Describes the positions and the meaning of the samples of `buffer`; valid while the buffer is.
  init(samplesOf buffer: PixelBuffer) {
    self.init()
    let (first, second, third) = buffer.format.channels
    func base(_ channel: Channel) -> UnsafePointer<UInt8>? {
      UnsafePointer(
        (buffer.planes[channel.plane].base + channel.offset).assumingMemoryBound(to: UInt8.self))
    }
    self.base = (base(first), base(second), base(third))
    func rowBytes(_ channel: Channel) -> Int { buffer.planes[channel.plane].rowBytes }
    row_bytes = (rowBytes(first), rowBytes(second), rowBytes(third))
    step = (first.step, second.step, third.step)
    column_shift = (first.columnShift, second.columnShift, third.columnShift)
    row_shift = (first.rowShift, second.rowShift, third.rowShift)
    bits = Int32(buffer.format.bitsPerSample)
    width = Int32(buffer.width)
    height = Int32(buffer.height)
    if buffer.format.isYCbCr {
      setYCbCr(buffer.tags, size: buffer.size)
    } else {
      matrix = (1, 0, 0, 0, 1, 0, 0, 0, 1)
      offset = (0, 0, 0)
    }
  }

  /// Describes alpha, three times; nil if the picture has no alpha below full scale. Valid while the buffer is.
  init?(alphaOf buffer: PixelBuffer) {
    guard buffer.alpha == .straight, !buffer.format.isYCbCr, buffer.format != .gray8 else { return nil }
    self.init(samplesOf: buffer)
    let alpha = base.0.map { $0 + 3 * buffer.format.bitsPerSample / 8 }
    base = (alpha, alpha, alpha)
  }

  /// 8-bit Y′CbCr → R′G′B′. Source: ITU-T H.273, equations for MatrixCoefficients 1, 6 and 9 and
  /// VideoFullRangeFlag. An unspecified matrix defaults as in the renderers, so that what is measured is what is
  /// shown; RGB's, which contradicts the format and which renderers refuse, is taken as BT.601's.
  private mutating func setYCbCr(_ tags: ColorTags, size: PixelSize) {
    let encoding =
      (try? YCbCrEncoding(tags: tags, size: size)) ?? YCbCrEncoding(matrix: .bt601, range: tags.range)
    let luma = encoding.matrix.luma
    let (kr, kb) = (Float(luma.red), Float(luma.blue))
    let kg = 1 - kr - kb
    let isLimited = tags.range == .limited
    let lumaGain: Float = isLimited ? 255.0 / 219 : 1
    let chromaGain: Float = isLimited ? 255.0 / 224 : 1
    let black: Float = isLimited ? 16.0 / 255 : 0
    let neutral: Float = 128.0 / 255
    let redCr = 2 * (1 - kr) * chromaGain
    let blueCb = 2 * (1 - kb) * chromaGain
    let greenCb = -2 * kb * (1 - kb) / kg * chromaGain
    let greenCr = -2 * kr * (1 - kr) / kg * chromaGain
    matrix = (lumaGain, 0, redCr, lumaGain, greenCb, greenCr, lumaGain, blueCb, 0)
    let base = -black * lumaGain
    offset = (base - neutral * redCr, base - neutral * (greenCb + greenCr), base - neutral * blueCb)
  }
}
