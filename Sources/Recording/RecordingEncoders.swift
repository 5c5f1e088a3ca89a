import FrameCore
import MovieIO

/// What a recording needs of an encoder for pictures; tests have their own.
protocol PictureEncoder: AnyObject {
  var format: EncodedVideoFormat { get }

  /// Compresses a picture; returns the packets that are complete.
  ///
  /// - Parameters:
  ///   - ticks: when it is shown, in 1/90000 s; more than that of the picture before.
  ///   - isKey: whether decoding must be able to begin here.
  func encode(_ picture: PixelBuffer, at ticks: Int64, isKey: Bool) throws -> [EncodedPacket]

  /// Returns the last packets. Nothing is encoded afterwards.
  func finish() throws -> [EncodedPacket]

  /// Asks for less work per picture, from a key picture on: 0 is as it was set up.
  func setSpeedStep(_ step: Int)
}

/// What a recording needs of an encoder for sound, one for each file.
protocol SoundEncoder: AnyObject {
  var format: EncodedAudioFormat { get }

  /// Compresses interleaved samples, which follow those before; returns the packets that are complete.
  func encode(_ samples: [Float]) throws -> [EncodedPacket]

  /// Returns the last packets. Nothing is encoded afterwards.
  func finish() throws -> [EncodedPacket]
}

/// Samples, interleaved, that are in their place on the clock.
struct AlignedSound: Sendable {
  var samples: [Float]
  /// Counts samples per channel from the aligner's epoch.
  var position: Int64
}

/// Puts sound in its place on the clock: samples at the nominal rate of the clock come out, without gaps.
protocol SoundAligner: AnyObject {
  /// The moment of sample 0.
  var epoch: Timestamp { get }
  var status: MovieStatus.SoundStatus { get }
  func align(_ sound: AudioBuffer) throws -> [AlignedSound]
}

/// What a recording makes its encoders and files with.
struct RecordingParts: Sendable {
  /// Does what takes time and needs no picture yet.
  var warmUp: (@Sendable () -> Void)?
  /// Makes the encoder for pictures of this form.
  var makePictureEncoder: @Sendable (MoviePictures) throws -> any PictureEncoder
  /// Returns how sound of a format is recorded: at a rate that the codec stores.
  var recordedFormat: @Sendable (AudioFormat) throws -> AudioFormat = { $0 }
  /// Returns the bytes of a compressed sample of all channels, at most or on average.
  var soundBytesPerSample: @Sendable (AudioFormat) -> Double = { Double(4 * $0.channelCount) }
  var makeSoundEncoder: @Sendable (AudioFormat) throws -> any SoundEncoder
  /// Makes the aligner for sound of a format, whose samples are numbered from a moment at a rate.
  var makeAligner: @Sendable (AudioFormat, Timestamp, _ rate: Int) throws -> any SoundAligner
  /// Opens the file whose sound is kept; nil for none.
  var openSoundFile: (@Sendable () throws -> SoundFile?)?
  /// Whether the file of a name has as many bytes as were written into it.
  var isIntact: @Sendable (String, _ bytes: Int64) -> Bool = { _, _ in true }
  /// Creates the next file, whose time 0 is a recorded time.
  var makeFile: @Sendable ([MovieTrack], _ start: Int64) throws -> (path: String, writer: any MovieWriter)
}

/// The pictures of a recording.
public struct MoviePictures: Sendable, Hashable {
  public var size: PixelSize
  public var format: PixelFormat
  public var tags: ColorTags
  public var sampleAspect: SampleAspect
  /// How players must turn the pictures.
  public var orientation: Orientation
  /// The rate that the source promised; 0 if it has none. Times are those of the frames.
  public var framesPerSecond: Double

  public init(
    size: PixelSize, format: PixelFormat, tags: ColorTags, sampleAspect: SampleAspect = .square,
    orientation: Orientation = .up, framesPerSecond: Double = 0
  ) {
    self.size = size
    self.format = format
    self.tags = tags
    self.sampleAspect = sampleAspect
    self.orientation = orientation
    self.framesPerSecond = framesPerSecond
  }
}
