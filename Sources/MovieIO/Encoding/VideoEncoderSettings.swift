import FrameCore

/// How good the pictures of a movie are, or how many bits they may take.
public enum VideoQuality: Sendable, Hashable {
  /// x264's scale of constant quality, 0 (best) … 51: about 6 more halve the size. For AV1, whose scale ends
  /// at 63, it is stretched; for hardware it is the quantizer.
  case constant(Double)
  /// Bits per second on average.
  case bitRate(Int)
}

/// The time that a software encoder may take for a picture: x264's names, from the slowest to the fastest.
public enum EncoderPreset: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  case slow, medium, fast, faster, veryfast, superfast, ultrafast

  private var rank: Int {
    switch self {
    case .slow: 0
    case .medium: 1
    case .fast: 2
    case .faster: 3
    case .veryfast: 4
    case .superfast: 5
    case .ultrafast: 6
    }
  }

  /// Whether the first one is slower.
  public static func < (a: EncoderPreset, b: EncoderPreset) -> Bool { a.rank < b.rank }

  /// The next faster one; nil after the fastest.
  public var faster: EncoderPreset? { Self.allCases.first { $0.rank == rank + 1 } }
  /// The next slower one; nil before the slowest.
  public var slower: EncoderPreset? { Self.allCases.first { $0.rank == rank - 1 } }
}

/// Which encoder of a codec is used.
public enum EncoderChoice: Sendable, Hashable {
  /// An encoder in software.
  case software
  /// The first hardware that opens; an error if there is none.
  case hardware
  /// The first hardware that opens, or else software.
  case automatic
  /// The encoder with this name in FFmpeg, such as `libx264` or `h264_nvenc`.
  case named(String)
}

/// The variant of ProRes, from the smallest files to the largest. Pictures in 4:4:4 need `p4444`, which only
/// they can have.
public enum ProResProfile: String, Sendable, Hashable, Codable, CaseIterable {
  case proxy, lt, standard, hq, p4444

  var fourCC: String {
    switch self {
    case .proxy: "apco"
    case .lt: "apcs"
    case .standard: "apcn"
    case .hq: "apch"
    case .p4444: "ap4h"
    }
  }

  /// FFmpeg's number.
  var number: Int32 {
    switch self {
    case .proxy: 0
    case .lt: 1
    case .standard: 2
    case .hq: 3
    case .p4444: 4
    }
  }
}

/// What a video encoder is asked for.
public struct VideoEncoderSettings: Sendable, Hashable {
  public var codec: VideoCodec
  /// The size of the pictures that will be sent. See `VideoEncoder.size` for odd ones.
  public var size: PixelSize
  /// The layout of the pictures that will be sent: one of `VideoEncoder.pixelFormats(for:)`.
  public var pixelFormat: PixelFormat
  public var tags: ColorTags
  public var sampleAspect = SampleAspect.square
  /// Written into the format for containers; pictures are not turned.
  public var orientation = Orientation.up
  /// The nominal frames per second, above 0: what a bit rate is shared out by. Times may differ from it.
  public var framesPerSecond: Double
  /// Nil for the codec's default. FFV1 and ProRes take none.
  public var quality: VideoQuality?
  public var preset = EncoderPreset.veryfast
  public var choice = EncoderChoice.software
  /// Seconds between key frames, by the pictures' times; above 0. Codecs without prediction have only key
  /// frames.
  public var keyFrameInterval = 1.0
  /// Threads of the encoder, at least 1; nil for one for each processor, at most 8.
  public var threads: Int?
  public var proResProfile = ProResProfile.standard

  public init(
    codec: VideoCodec = .h264, size: PixelSize, pixelFormat: PixelFormat = .i420, tags: ColorTags,
    framesPerSecond: Double = 30
  ) {
    self.codec = codec
    self.size = size
    self.pixelFormat = pixelFormat
    self.tags = tags
    self.framesPerSecond = framesPerSecond
  }
}

extension VideoCodec {
  /// The constant quality that is used if none is asked for; nil for codecs that have no such value.
  public var defaultQuality: VideoQuality? {
    switch self {
    case .h264: .constant(21)
    // x265's scale is a few steps coarser at the same number.
    case .hevc: .constant(23)
    case .av1: .constant(26)
    case .prores, .ffv1: nil
    }
  }

  /// Whether pictures are predicted from others.
  public var hasPrediction: Bool {
    switch self {
    case .h264, .hevc, .av1: true
    case .prores, .ffv1: false
    }
  }

  /// What people call it.
  public var title: String {
    switch self {
    case .h264: "H.264"
    case .hevc: "HEVC"
    case .av1: "AV1"
    case .prores: "ProRes"
    case .ffv1: "FFV1"
    }
  }
}
