import FrameCore

/// What a reader must know of compressed pictures before their first packet.
public struct EncodedVideoFormat: Sendable, Hashable {
  public var codec: VideoCodec
  /// The size as stored, before the rotation.
  public var size: PixelSize
  /// The decoder's configuration as containers store it: the contents of `avcC`, `hvcC` or `av1C`, or FFV1's extra
  /// data; empty for ProRes.
  public var configuration: [UInt8]
  /// The code of the sample description where the codec has several, such as `apch` of ProRes.
  public var fourCC: String
  public var tags: ColorTags
  public var sampleAspect: SampleAspect
  /// How players must turn the pictures.
  public var orientation: Orientation

  public init(
    codec: VideoCodec, size: PixelSize, configuration: [UInt8], fourCC: String, tags: ColorTags,
    sampleAspect: SampleAspect = .square, orientation: Orientation = .up
  ) {
    self.codec = codec
    self.size = size
    self.configuration = configuration
    self.fourCC = fourCC
    self.tags = tags
    self.sampleAspect = sampleAspect
    self.orientation = orientation
  }

  /// Ticks per second of packet times.
  public static let timeScale: Int64 = 90_000
}

/// What a reader must know of compressed sound before its first packet. Ticks of packet times are samples.
public struct EncodedAudioFormat: Sendable, Hashable {
  public var codec: AudioCodec
  public var format: AudioFormat
  /// The decoder's configuration: AAC's AudioSpecificConfig, the `OpusHead` packet, FLAC's STREAMINFO (34 bytes);
  /// empty for PCM.
  public var configuration: [UInt8]
  /// Samples at the start of the first packet that were added by the encoder and are not part of the sound.
  public var priming: Int
  /// Samples per packet; 0 if packets vary.
  public var samplesPerPacket: Int
  /// Bits per sample of PCM (16, 24; 32 is float) and FLAC; 0 otherwise. PCM is little-endian.
  public var bitsPerSample: Int

  public init(
    codec: AudioCodec, format: AudioFormat, configuration: [UInt8], priming: Int = 0,
    samplesPerPacket: Int = 0, bitsPerSample: Int = 0
  ) {
    self.codec = codec
    self.format = format
    self.configuration = configuration
    self.priming = priming
    self.samplesPerPacket = samplesPerPacket
    self.bitsPerSample = bitsPerSample
  }
}

/// One compressed picture, or one block of sound.
public struct EncodedPacket: Sendable {
  public var bytes: [UInt8]
  /// When it is shown or heard, in ticks of its track since the movie's start. For sound, the time of the first
  /// sample that the decoder produces, so it is negative by the priming in a movie that begins at 0.
  public var presentation: Int64
  /// When it is decoded, in the same ticks; not decreasing. Equal to `presentation` without reordering.
  public var decode: Int64
  /// In ticks; 0 if only the next packet tells.
  public var duration: Int64
  /// Whether decoding can begin here.
  public var isKey: Bool

  public init(
    bytes: [UInt8], presentation: Int64, decode: Int64? = nil, duration: Int64 = 0, isKey: Bool = true
  ) {
    self.bytes = bytes
    self.presentation = presentation
    self.decode = decode ?? presentation
    self.duration = duration
    self.isKey = isKey
  }
}

/// A track of a movie.
public enum MovieTrack: Sendable, Hashable {
  case video(EncodedVideoFormat)
  case audio(EncodedAudioFormat)

  /// Ticks per second of its packets' times.
  public var timeScale: Int64 {
    switch self {
    case .video: EncodedVideoFormat.timeScale
    case .audio(let audio): Int64(audio.format.sampleRate)
    }
  }
}

/// Writes the packets of a movie into a file. One thread at a time.
///
/// The packets of each track come in the order of decoding; those of different tracks may be up to some seconds apart,
/// and the writer interleaves them.
public protocol MovieWriter: AnyObject {
  /// Bytes in the file so far.
  var byteCount: Int64 { get }

  /// Adds a packet of the track with this index. What was written survives a crash but for at most a second.
  ///
  /// - Throws: `SafelightError`, such as `noSpace`. The file so far stays readable, and `finish` may be called.
  func write(_ packet: EncodedPacket, track: Int) throws

  /// Names a moment, in seconds from the movie's start; players list it as a chapter once the file is complete.
  func mark(seconds: Double, title: String)

  /// Completes the file. Nothing may be written afterwards.
  func finish() throws
}
