import ColorScience
import FrameCore

extension SinkFormat {
  /// What the samples of a sink for video mean, nothing left open: the source's own matrix, range, siting, primaries and
  /// transfer function.
  ///
  /// A source of RGB has none of video's: its pictures become limited range, with the matrix that untagged
  /// video of their size is taken to have, chroma on the left as MPEG-2 has it.
  ///
  /// - Throws: `SafelightError` where the tags contradict the format.
  var videoTags: ColorTags {
    get throws {
      guard !source.isRGBA else {
        return ColorTags(
          primaries: .bt709, transfer: .sRGB, matrix: assumedMatrix == .bt601 ? .bt601 : .bt709,
          range: .limited, chromaSiting: .left)
      }
      // Samples of grey have a range only; one with a matrix of RGB is grey all the same.
      var tags = sourceTags
      if source == .gray8, tags.matrix == .identity { tags.matrix = .unspecified }
      return try YCbCrEncoding(tags: tags, size: size).tags(tags)
    }
  }

  /// What players take where they are told nothing.
  private var assumedMatrix: YCbCrEncoding.Matrix { .assumed(at: size) }

  /// What readers of a format without a field for the matrix must be told, by FFmpeg's name; nil where all
  /// guess it.
  ///
  /// Players guess by the size, FFmpeg takes BT.601 at any size: both are right only with BT.601 below 720
  /// lines. A source that does not name its own matrix is guessed as before, and nothing is said, unless its
  /// size now stands for another one.
  var untoldMatrix: String? {
    get throws {
      guard source.isRGBA || source.isYCbCr else { return nil }
      let isAssumed = !source.isRGBA && sourceTags.matrix == .unspecified
      if isAssumed, assumedMatrix == .assumed(at: sourceSize) { return nil }
      return switch try videoTags.matrix {
      case .bt601: assumedMatrix == .bt601 && !isAssumed ? nil : "smpte170m"
      case .bt709: "bt709"
      case .bt2020NonConstant: "bt2020nc"
      default: nil
      }
    }
  }
}

extension ColorTags {
  /// What is said of video with a high dynamic range; nil of other video.
  var rangeNote: String? {
    guard isHighDynamicRange else { return nil }
    return
      "The video is HDR (\(transfer == .pq ? "PQ" : "HLG")), which is not handled: it is taken as SDR and "
      + "looks flat; convert it to SDR first"
  }
}
