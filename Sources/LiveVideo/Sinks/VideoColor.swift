import ColorScience
import FrameCore

extension ColorTags {
  /// What a source's tags say of luma and colour differences made of its frames; what they leave open depends on the
  /// size of the pictures. Those of an RGB source are as `SinkFormat.videoTags` describes them.
  func planeTags(of source: PixelFormat) -> ColorTags {
    guard !source.isRGBA else {
      return ColorTags(
        primaries: .bt709, transfer: .sRGB, matrix: .unspecified, range: .limited, chromaSiting: .left)
    }
    // Grey samples have a range only; a source tagged with the RGB matrix is still grey.
    var tags = self
    if source == .gray8, tags.matrix == .identity { tags.matrix = .unspecified }
    return tags
  }
}

extension SinkFormat {
  /// The complete colour tags of a video sink's samples: the source's own matrix, range, siting, primaries and
  /// transfer function.
  ///
  /// An RGB source has no video tags: its pictures become limited range, with the matrix assumed for untagged
  /// video of their size, and left-sited chroma as in MPEG-2.
  ///
  /// - Throws: `SafelightError` if the tags contradict the format.
  package var videoTags: ColorTags {
    get throws {
      let tags = sourceTags.planeTags(of: source)
      return try YCbCrEncoding(tags: tags, size: size).tags(tags)
    }
  }

  /// The matrix that players assume if none is stated.
  private var assumedMatrix: YCbCrEncoding.Matrix { .assumed(at: size) }

  /// The matrix to state to readers of a format that has no field for it, by FFmpeg's name; nil if all readers
  /// guess it correctly.
  ///
  /// Players guess by the size, FFmpeg assumes BT.601 at any size: both are right only with BT.601 below 720
  /// lines. A source that does not name its own matrix is left to be guessed, and nothing is stated, unless its
  /// new size implies another matrix.
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
  /// The note about high dynamic range video; nil for other video.
  var rangeNote: String? {
    highDynamicRange.map {
      "The video is HDR (\($0)), which is not supported: it is treated as SDR and looks flat; convert it to SDR "
        + "first"
    }
  }

  /// The field's name of the tagged high dynamic range; nil for other video.
  package var highDynamicRange: String? {
    switch transfer {
    case .pq: "PQ"
    case .hlg: "HLG"
    default: nil
    }
  }
}
