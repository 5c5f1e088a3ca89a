/// A picture with its place in time: what captures deliver and renderers take.
public struct Frame: Sendable {
  public var buffer: PixelBuffer
  /// When the first row was captured.
  public var time: Timestamp
  /// Position in the source's sequence; a gap is a dropped frame.
  public var sequence: UInt64
  /// How the samples must be turned for display.
  public var orientation: Orientation
  /// Seconds for which it is shown, where the source says so: a video file does, a camera does not.
  public var duration: Double?
  /// Of the samples as stored, before any turn.
  public var sampleAspect: SampleAspect
  /// Of the rows as stored.
  public var fieldOrder: FieldOrder

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
