/// A picture with a time: what captures deliver and renderers accept.
public struct Frame: Sendable {
  public var buffer: PixelBuffer
  /// The time at which the first row was captured.
  public var time: Timestamp
  /// The position in the source's sequence; a gap is a dropped frame.
  public var sequence: UInt64
  /// How the samples must be turned for display.
  public var orientation: Orientation
  /// The display duration in seconds, if the source gives it: a video file does, a camera does not.
  public var duration: Double?
  /// The aspect of the samples as stored, before any turn.
  public var sampleAspect: SampleAspect
  /// The field order of the rows as stored.
  public var fieldOrder: FieldOrder
  /// The picture as the source compressed it, for outputs that ask for it; nil from sources of plain samples.
  public var encoded: EncodedPicture?
  /// The sensor's mosaic that `buffer` was developed from, for outputs that ask for encoded pictures; nil from other
  /// sources.
  public var mosaic: BayerMosaic?

  public init(
    buffer: PixelBuffer, time: Timestamp = Timestamp(nanoseconds: 0), sequence: UInt64 = 0,
    orientation: Orientation = .up, duration: Double? = nil, sampleAspect: SampleAspect = .square,
    fieldOrder: FieldOrder = .progressive
  ) {
    self.buffer = buffer
    self.time = time
    self.sequence = sequence
    self.orientation = orientation
    self.duration = duration
    self.sampleAspect = sampleAspect
    self.fieldOrder = fieldOrder
  }
}
