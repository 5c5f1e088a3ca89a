import FrameCore

extension ColorTags {
  /// What rendered pictures are converted to for video: limited range, BT.601 below 720 lines and BT.709 from there
  /// on, chroma on the left as MPEG-2 has it. Readers take this for granted where a format has no field for it.
  static func video(height: Int) -> ColorTags {
    ColorTags(
      primaries: .bt709, transfer: .sRGB, matrix: height < 720 ? .bt601 : .bt709, range: .limited,
      chromaSiting: .left)
  }
}
