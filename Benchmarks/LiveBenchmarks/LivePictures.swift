import Safelight

/// Frames as a camera sends them: the synthetic scene, in BT.601 with limited range.
enum LivePictures {
  static let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)

  static func frame(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
    let scene = try SyntheticScene(size: size).render()
    let frame = try PixelBuffer(size: size, format: format, tags: tags)
    try PixelConverter().convert(scene, into: frame)
    return frame
  }
}
