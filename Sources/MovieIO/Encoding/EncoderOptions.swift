import FrameCore
import Libc

extension KnownEncoder {
  /// The options of an encoder, one `key=value` a line, as FFmpeg's documentation names them.
  ///
  /// - Parameter first: the preset with which the movie began, whose parameter sets faster ones must keep.
  func options(_ settings: VideoEncoderSettings, preset: EncoderPreset, first: EncoderPreset) -> [String] {
    let threads = settings.threadCount
    return switch kind {
    case .x264:
      ["preset=\(preset.rawValue)", "forced-idr=1", Self.x264Parameters(preset: preset, first: first)]
        + quality(settings, "crf", scale: 1)
    case .x265:
      ["preset=\(preset.rawValue)", "forced-idr=1", Self.x265Parameters(threads: threads)]
        + quality(settings, "crf", scale: 1)
    case .svtAV1:
      ["preset=\(Self.svtPreset(preset))", Self.svtParameters(threads: threads)]
        + quality(settings, "crf", scale: 63.0 / 51, smallest: 1)
    case .aomAV1:
      ["usage=realtime", "cpu-used=\(Self.aomSpeed(preset))", "row-mt=1", "lag-in-frames=0"]
        + quality(settings, "crf", scale: 63.0 / 51)
    case .proRes: ["vendor=sfl0"]
    case .ffv1: ["level=3", "slicecrc=1"]
    case .nvenc:
      ["preset=p4", "tune=ll", "forced-idr=1", "delay=0"]
        + quality(settings, "qp", scale: 1, mode: "rc=constqp")
    case .vaapi: quality(settings, "qp", scale: 1, mode: "rc_mode=CQP")
    case .qsv: ["forced_idr=1", "async_depth=1"] + quality(settings, "global_quality", scale: 1)
    // These drivers keep a bit rate only.
    case .v4l2: []
    }
  }

  private func quality(
    _ settings: VideoEncoderSettings, _ option: String, scale: Double, mode: String? = nil, smallest: Int = 0
  ) -> [String] {
    switch settings.quality ?? settings.codec.defaultQuality {
    case .constant(let value)?:
      // Only x264 and x265 take fractions; SVT-AV1 through FFmpeg takes 0 for no value.
      (mode.map { [$0] } ?? [])
        + [
          "\(option)="
            + (kind == .x264 || kind == .x265
              ? "\(value)" : "\(max(smallest, Int((value * scale).rounded())))")
        ]
    case .bitRate?, nil: []
    }
  }

  /// The bit rate to ask for; 0 with constant quality.
  func bitRate(_ settings: VideoEncoderSettings) -> Int64 {
    switch settings.quality ?? settings.codec.defaultQuality {
    case .bitRate(let bits)?: Int64(bits)
    case .constant(let value)? where kind == .v4l2:
      // 0.12 bits a pixel at quality 23, and half or double of it for 6 steps.
      Int64(
        0.12 * Double(settings.size.pixelCount) * settings.framesPerSecond * pow(2, (23 - value) / 6))
    case .constant?, nil: 0
    }
  }

  /// Faster presets must not change the sequence and picture parameter sets, which the container stores once.
  /// The numbers of reference frames, the transforms, the entropy coder and the offset of chroma are in these
  /// sets; x264 lowers the offset by 2 where it optimizes for the eye (subme 6 and more).
  private static func x264Parameters(preset: EncoderPreset, first: EncoderPreset) -> String {
    var parameters = [
      "stitchable=1", "bframes=0", "cabac=1", "8x8dct=1", "weightp=1", "scenecut=0",
      "ref=\(x264References(first))",
      "rc-lookahead=\(lookahead)", "sync-lookahead=0", "keyint=infinite",
    ]
    let offset = x264ChromaOffset(first) - x264ChromaOffset(preset)
    // x264's own superfast leaves this out, and files of noisy pictures become larger than ultrafast's, at no
    // less time.
    if preset == .superfast { parameters.append("mbtree=1") }
    if offset != 0 { parameters.append("chroma-qp-offset=\(offset)") }
    return "x264-params=" + parameters.joined(separator: ":")
  }

  /// Pictures that x264 looks ahead: they wait in the encoder, and a crash loses them.
  static let lookahead = 5

  private static func x264References(_ preset: EncoderPreset) -> Int {
    switch preset {
    case .slow: 5
    case .medium: 3
    case .fast, .faster: 2
    case .veryfast, .superfast, .ultrafast: 1
    }
  }

  private static func x264ChromaOffset(_ preset: EncoderPreset) -> Int {
    switch preset {
    case .slow, .medium, .fast: -2
    case .faster, .veryfast, .superfast, .ultrafast: 0
    }
  }

  private static func x265Parameters(threads: Int) -> String {
    let parameters = [
      "log-level=none", "bframes=0", "open-gop=0", "keyint=-1", "scenecut=0", "repeat-headers=0", "ctu=32",
      "min-cu-size=8", "max-tu-size=32", "tu-intra-depth=1", "tu-inter-depth=1", "ref=1", "rect=0", "amp=0",
      "sao=0", "weightp=1", "strong-intra-smoothing=1", "signhide=1", "aq-mode=2", "cutree=1", "deblock=0,0",
      "rc-lookahead=\(lookahead)", "frame-threads=1", "pools=\(threads)", "info=0",
    ]
    return "x265-params=" + parameters.joined(separator: ":")
  }

  private static func svtPreset(_ preset: EncoderPreset) -> Int {
    switch preset {
    case .slow: 7
    case .medium: 8
    case .fast: 9
    case .faster: 10
    case .veryfast: 11
    case .superfast: 12
    case .ultrafast: 13
    }
  }

  private static func svtParameters(threads: Int) -> String {
    "svtav1-params=" + ["pred-struct=1", "lp=\(threads)", "scd=0"].joined(separator: ":")
  }

  private static func aomSpeed(_ preset: EncoderPreset) -> Int {
    switch preset {
    case .slow: 5
    case .medium: 6
    case .fast, .faster: 7
    case .veryfast, .superfast, .ultrafast: 8
    }
  }
}

extension VideoEncoderSettings {
  var threadCount: Int { max(1, threads ?? min(8, ProcessorCount.usable)) }
}
