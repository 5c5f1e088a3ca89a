import ColorScience
import FrameCore

extension SinkFormat {
  /// What the samples of a sink for video mean, nothing left open: the source's own matrix, range, siting, primaries and
  /// transfer function.
  ///
  /// A source of RGB has none of video's: its pictures become limited range, BT.601 below 720 lines and BT.709 from
  /// there on, chroma on the left as MPEG-2 has it. Readers take this for granted where a format has no field for it, and
  /// so does a source that leaves its matrix open.
  ///
  /// - Throws: `SafelightError` where the tags contradict the format.
  var videoTags: ColorTags {
    get throws {
      guard !source.isRGBA else {
        return ColorTags(
          primaries: .bt709, transfer: .sRGB, matrix: hasSmallMatrix ? .bt601 : .bt709, range: .limited,
          chromaSiting: .left)
      }
      // Samples of grey have a range only; one with a matrix of RGB is grey all the same.
      var tags = sourceTags
      if source == .gray8, tags.matrix == .identity { tags.matrix = .unspecified }
      return try YCbCrEncoding(tags: tags, size: size).tags(tags)
    }
  }

  /// Whether readers who are told nothing take BT.601.
  private var hasSmallMatrix: Bool { size.height < 720 }

  /// What readers of a format without a field for the matrix must be told; nil where they guess it.
  var untoldMatrix: String? {
    get throws {
      guard source != .gray8 else { return nil }
      return switch try videoTags.matrix {
      case .bt601 where !hasSmallMatrix: "smpte170m"
      case .bt709 where hasSmallMatrix: "bt709"
      case .bt2020NonConstant: "bt2020nc"
      default: nil
      }
    }
  }
}
