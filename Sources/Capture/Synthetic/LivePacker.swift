import FrameCore

/// Packs rows of luma and 4:2:2 chroma into the rows of a buffer.
struct LivePacker {
  /// The supported formats, the cheapest first.
  static let formats: [PixelFormat] = [.yuyv422, .nv12, .i420, .rgba8]

  private let width: Int
  private let luma: BytePlane
  /// Two alternating rows, since 4:2:0 takes the mean of two.
  private let chroma: BytePlane

  /// - Parameter width: in pixels, even.
  init(width: Int) throws {
    self.width = width
    luma = try BytePlane(width: width, rows: 1)
    chroma = try BytePlane(width: width, rows: 2)
  }

  /// Returns where to write row `y` before it is packed.
  func rows(_ y: Int) -> (luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>) {
    (luma.row(0), chroma.row(y & 1))
  }

  /// Writes row `y`. Rows must come in order.
  func pack(_ y: Int, into buffer: PixelBuffer) {
    let (luma, chroma) = rows(y)
    switch buffer.format {
    case .yuyv422:
      let out = buffer.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      Self.zip(luma, chroma, count: width, into: out)
    case .rgba8:
      let out = buffer.planes[0].row(y).assumingMemoryBound(to: UInt8.self)
      Self.packRGBA(luma, chroma, count: buffer.width, into: out)
    default:
      buffer.planes[0].row(y).copyMemory(from: luma, byteCount: buffer.width)
      let isLast = y == buffer.height - 1
      guard y & 1 == 1 || isLast else { return }
      if y & 1 == 1 {
        RowKernels.mix(self.chroma.row(0), self.chroma.row(1), weight: 128, count: width, into: chroma)
      }
      let first = buffer.planes[1].row(y / 2).assumingMemoryBound(to: UInt8.self)
      if buffer.format == .nv12 {
        first.update(from: chroma, count: width)
      } else {
        let second = buffer.planes[2].row(y / 2).assumingMemoryBound(to: UInt8.self)
        for x in 0..<width / 2 {
          first[x] = chroma[2 &* x]
          second[x] = chroma[2 &* x &+ 1]
        }
      }
    }
  }

  /// Interleaves bytes as Y0 Cb Y1 Cr.
  @inline(__always)
  private static func zip(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, count: Int,
    into out: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<count {
      out[2 &* x] = luma[x]
      out[2 &* x &+ 1] = chroma[x]
    }
  }

  /// The coefficients are the inverse of `LiveColor.codes`, in units of 1/4096.
  @inline(__always)
  private static func packRGBA(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, count: Int,
    into out: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<count {
      let pair = x & ~1
      let y = (Int32(luma[x]) &- 16) &* 4769 &+ 2048
      let (u, v) = (Int32(chroma[pair]) &- 128, Int32(chroma[pair &+ 1]) &- 128)
      let red = (y &+ v &* 6537) >> 12
      let green = (y &- u &* 1605 &- v &* 3330) >> 12
      let blue = (y &+ u &* 8263) >> 12
      out[4 &* x] = UInt8(truncatingIfNeeded: max(0, min(255, red)))
      out[4 &* x &+ 1] = UInt8(truncatingIfNeeded: max(0, min(255, green)))
      out[4 &* x &+ 2] = UInt8(truncatingIfNeeded: max(0, min(255, blue)))
      out[4 &* x &+ 3] = 255
    }
  }
}
