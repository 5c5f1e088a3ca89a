import FrameCore

/// One of FFmpeg's video encoders, and how it is driven.
struct KnownEncoder: Sendable {
  /// What encodes.
  enum Kind: Sendable, Hashable {
    case x264, x265, svtAV1, aomAV1, proRes, ffv1
    case nvenc, vaapi, qsv, v4l2

    var isHardware: Bool {
      switch self {
      case .nvenc, .vaapi, .qsv, .v4l2: true
      case .x264, .x265, .svtAV1, .aomAV1, .proRes, .ffv1: false
      }
    }

    /// Whether key frames are made by a new encoder: SVT-AV1 forces them only with pictures out of order.
    var restartsAtKeys: Bool { self == .svtAV1 }

    /// Whether a faster preset can take over within a movie.
    var hasPresets: Bool {
      switch self {
      case .x264, .x265, .svtAV1: true
      case .aomAV1, .proRes, .ffv1, .nvenc, .vaapi, .qsv, .v4l2: false
      }
    }
  }

  let name: String
  let codec: VideoCodec
  let kind: Kind

  /// All of them, each codec's best first.
  static let all = [
    KnownEncoder(name: "libx264", codec: .h264, kind: .x264),
    KnownEncoder(name: "h264_nvenc", codec: .h264, kind: .nvenc),
    KnownEncoder(name: "h264_vaapi", codec: .h264, kind: .vaapi),
    KnownEncoder(name: "h264_qsv", codec: .h264, kind: .qsv),
    KnownEncoder(name: "h264_v4l2m2m", codec: .h264, kind: .v4l2),
    KnownEncoder(name: "libx265", codec: .hevc, kind: .x265),
    KnownEncoder(name: "hevc_nvenc", codec: .hevc, kind: .nvenc),
    KnownEncoder(name: "hevc_vaapi", codec: .hevc, kind: .vaapi),
    KnownEncoder(name: "hevc_qsv", codec: .hevc, kind: .qsv),
    KnownEncoder(name: "hevc_v4l2m2m", codec: .hevc, kind: .v4l2),
    KnownEncoder(name: "libsvtav1", codec: .av1, kind: .svtAV1),
    KnownEncoder(name: "libaom-av1", codec: .av1, kind: .aomAV1),
    KnownEncoder(name: "av1_nvenc", codec: .av1, kind: .nvenc),
    KnownEncoder(name: "av1_vaapi", codec: .av1, kind: .vaapi),
    KnownEncoder(name: "av1_qsv", codec: .av1, kind: .qsv),
    KnownEncoder(name: "prores_ks", codec: .prores, kind: .proRes),
    KnownEncoder(name: "ffv1", codec: .ffv1, kind: .ffv1),
  ]

  /// The encoders to try for a codec, in order.
  static func candidates(for codec: VideoCodec, _ choice: EncoderChoice) -> [KnownEncoder] {
    let software = all.filter { $0.codec == codec && !$0.kind.isHardware }
    let hardware = all.filter { $0.codec == codec && $0.kind.isHardware }
    return switch choice {
    case .software: software
    case .hardware: hardware
    case .automatic: hardware + software
    case .named(let name): all.filter { $0.codec == codec && $0.name == name }
    }
  }

  /// FFmpeg's name of the format in which the encoder gets pictures of a layout; nil if it would lose colour.
  ///
  /// Planes are only rearranged, but for ProRes, which has at least 4:2:2 of 10 bits.
  func storedFormat(for format: PixelFormat) -> String? {
    switch kind {
    case .x264:
      switch format {
      case .i420: "yuv420p"
      case .nv12: "nv12"
      case .nv21: "nv21"
      case .nv16: "nv16"
      case .i422, .yuyv422, .uyvy422: "yuv422p"
      case .i444: "yuv444p"
      case .gray8: "gray"
      case .rgba8, .rgba16, .rgbaF32: nil
      }
    case .x265, .aomAV1, .ffv1:
      switch format {
      case .i420, .nv12, .nv21: "yuv420p"
      case .i422, .nv16, .yuyv422, .uyvy422: "yuv422p"
      case .i444: "yuv444p"
      case .gray8: "gray"
      case .rgba8, .rgba16, .rgbaF32: nil
      }
    case .svtAV1:
      switch format {
      case .i420, .nv12, .nv21: "yuv420p"
      case .i422, .nv16, .yuyv422, .uyvy422, .i444, .gray8, .rgba8, .rgba16, .rgbaF32: nil
      }
    case .proRes:
      switch format {
      case .i420, .nv12, .nv21, .i422, .nv16, .yuyv422, .uyvy422: "yuv422p10le"
      case .i444: "yuv444p10le"
      case .gray8, .rgba8, .rgba16, .rgbaF32: nil
      }
    case .nvenc, .vaapi, .qsv, .v4l2:
      switch format {
      case .i420, .nv12, .nv21: "nv12"
      case .i422, .nv16, .yuyv422, .uyvy422, .i444, .gray8, .rgba8, .rgba16, .rgbaF32: nil
      }
    }
  }

  /// What to do if this libavcodec was built without it.
  var missingRemedy: String {
    switch kind {
    case .x264, .x265, .svtAV1, .aomAV1:
      "install Debian's package libavcodec\(FFmpegVersion.codec), which has \(name), or choose another codec"
    case .proRes, .ffv1, .nvenc, .vaapi, .qsv, .v4l2:
      "install an FFmpeg that has \(name), such as Debian's package ffmpeg, or choose another codec"
    }
  }
}
