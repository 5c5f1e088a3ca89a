import FrameCore

/// The sample descriptions of pictures.
///
/// Sources: ISO/IEC 14496-15 (avc1, hvc1), AV1 in ISOBMFF 1.2 (av01), Apple's ProRes registration, QuickTime
/// File Format specification (colr nclc), ISO/IEC 14496-12, section 12.1 (pasp, colr nclx).
enum MP4VideoEntry {
  /// - Throws: `SafelightError(.unsupported)` for a codec that the container does not take.
  static func make(_ format: EncodedVideoFormat, in container: MovieContainer) throws -> [UInt8] {
    let (code, configuration) = try names(of: format, in: container)
    if let configuration, format.configuration.isEmpty {
      throw SafelightError(
        .invalidValue, "The \(format.codec.rawValue) track has no decoder configuration (\(configuration))")
    }
    guard (1...65_535).contains(format.size.width), (1...65_535).contains(format.size.height) else {
      throw SafelightError(.invalidValue, "A movie cannot hold pictures of \(format.size)")
    }
    return MP4Bytes.box(code) {
      $0.zeros(6)
      $0.u16(1)
      $0.zeros(16)
      $0.u16(format.size.width)
      $0.u16(format.size.height)
      // 72 dpi.
      $0.u32(0x48_0000)
      $0.u32(0x48_0000)
      $0.u32(0)
      $0.u16(1)
      $0.zeros(32)
      $0.u16(24)
      $0.u16(0xFFFF)
      if let configuration { $0.box(configuration) { $0.raw(format.configuration) } }
      writeColor(format.tags, in: container, into: &$0)
      if !format.sampleAspect.isSquare {
        $0.box("pasp") {
          $0.u32(format.sampleAspect.width)
          $0.u32(format.sampleAspect.height)
        }
      }
    }
  }

  /// The four-character code, and the name of the box with the decoder's configuration.
  private static func names(of format: EncodedVideoFormat, in container: MovieContainer) throws -> (
    String, String?
  ) {
    switch format.codec {
    case .h264: return ("avc1", "avcC")
    case .hevc: return ("hvc1", "hvcC")
    case .av1: return ("av01", "av1C")
    case .prores:
      guard container == .mov else {
        throw SafelightError(
          .unsupported, "An .mp4 file cannot hold ProRes", remedy: "name the movie .mov or .mkv")
      }
      guard ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"].contains(format.fourCC) else {
        throw SafelightError(.invalidValue, "\"\(format.fourCC)\" is no code of ProRes")
      }
      return (format.fourCC, nil)
    case .ffv1:
      throw SafelightError(
        .unsupported, "Players do not read FFV1 from .mp4 and .mov files", remedy: "name the movie .mkv")
    }
  }

  private static func writeColor(
    _ tags: ColorTags, in container: MovieContainer, into output: inout MP4Bytes
  ) {
    guard tags.primaries != .unspecified || tags.transfer != .unspecified || tags.matrix != .unspecified
    else {
      return
    }
    output.box("colr") {
      $0.code(container == .mov ? "nclc" : "nclx")
      $0.u16(Int(tags.primaries.rawValue))
      $0.u16(Int(tags.transfer.rawValue))
      $0.u16(Int(tags.matrix.rawValue))
      // QuickTime's variant has no range; there the stream itself tells.
      if container != .mov { $0.u8(tags.range == .full ? 0x80 : 0) }
    }
  }

  /// The display size of upright pictures in 16.16 fixed point, as `tkhd` has it.
  static func displaySize(_ format: EncodedVideoFormat) -> (width: Int, height: Int) {
    let (size, aspect) = (format.size, format.sampleAspect)
    let width = (Double(size.width) * Double(aspect.width) / Double(max(aspect.height, 1)) * 65_536).rounded()
    return (Int(min(width, Double(UInt32.max))), size.height << 16)
  }

  /// The matrix of `tkhd` for an orientation: a, b, u, c, d, v, x, y, w, with x′ = a·x + c·y + x₀ and
  /// y′ = b·x + d·y + y₀, in 16.16 fixed point (the third column in 2.30).
  ///
  /// - Parameter size: of the pictures as stored, in 16.16; the result lies at the origin again.
  static func matrix(_ orientation: Orientation, _ size: (width: Int, height: Int)) -> [Int] {
    let one = 1 << 16
    let (w, h) = (size.width, size.height)
    let turned: (a: Int, b: Int, c: Int, d: Int, x: Int, y: Int) =
      switch orientation {
      case .up: (one, 0, 0, one, 0, 0)
      case .upMirrored: (-one, 0, 0, one, w, 0)
      case .down: (-one, 0, 0, -one, w, h)
      case .downMirrored: (one, 0, 0, -one, 0, h)
      case .leftMirrored: (0, one, one, 0, 0, 0)
      case .right: (0, one, -one, 0, h, 0)
      case .rightMirrored: (0, -one, -one, 0, h, w)
      case .left: (0, -one, one, 0, 0, w)
      }
    return [turned.a, turned.b, 0, turned.c, turned.d, 0, turned.x, turned.y, 1 << 30]
  }
}
