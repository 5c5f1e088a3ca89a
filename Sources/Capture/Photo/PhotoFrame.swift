import FrameCore

/// A frame kept for photos, in memory of its own.
public struct PhotoFrame: Sendable {
  public enum Content: Sendable {
    /// The samples as captured.
    case samples(PixelBuffer)
    /// The camera's own JPEG, which loses nothing by being saved as it is.
    case jpeg(EncodedPicture)
    /// The sensor's own samples.
    case bayer(BayerMosaic)
  }

  /// Where the content is.
  enum Place: Sendable {
    case memory(Content)
    /// Until the photo is processed, since memory had no room.
    case disk(SpooledContent)
  }

  private let place: Place
  public let size: PixelSize
  public let tags: ColorTags
  /// The time at which the first row was captured, on the source's clock.
  public let time: Timestamp
  public let sequence: UInt64
  /// How the samples must be turned for display; the connection's rotation is included.
  public let orientation: Orientation
  public let sampleAspect: SampleAspect
  public let fieldOrder: FieldOrder

  init(_ frame: Frame, content: Content) { self.init(frame, at: .memory(content)) }

  init(_ frame: Frame, at place: Place) {
    self.place = place
    (size, tags, time, sequence) = (frame.buffer.size, frame.buffer.tags, frame.time, frame.sequence)
    (orientation, sampleAspect, fieldOrder) = (frame.orientation, frame.sampleAspect, frame.fieldOrder)
  }

  /// A frame that was stored, and is read back.
  package init(
    content: Content, size: PixelSize, tags: ColorTags, time: Timestamp, sequence: UInt64,
    orientation: Orientation, sampleAspect: SampleAspect, fieldOrder: FieldOrder
  ) {
    (self.place, self.size, self.tags, self.time, self.sequence) = (
      .memory(content), size, tags, time, sequence
    )
    (self.orientation, self.sampleAspect, self.fieldOrder) = (orientation, sampleAspect, fieldOrder)
  }

  public var content: Content {
    guard case .memory(let content) = place else {
      preconditionFailure("a frame is loaded before anybody gets its photo")
    }
    return content
  }

  /// The frame with its content in memory.
  ///
  /// - Throws: `SafelightError` if memory is short, or the disk fails.
  func loaded() throws -> PhotoFrame {
    guard case .disk(let content) = place else { return self }
    return PhotoFrame(
      content: try content.loaded(), size: size, tags: tags, time: time, sequence: sequence,
      orientation: orientation, sampleAspect: sampleAspect, fieldOrder: fieldOrder)
  }

  /// The camera's own JPEG; nil if it sent samples.
  public var jpeg: EncodedPicture? { if case .jpeg(let picture) = content { picture } else { nil } }

  /// The sensor's mosaic; nil if the camera did not send one.
  public var mosaic: BayerMosaic? { if case .bayer(let mosaic) = content { mosaic } else { nil } }

  /// Returns the samples, decoded if they are compressed and developed if they are a mosaic (`rgba16`).
  ///
  /// - Throws: `SafelightError`: `.noMemory`; `.corruptData` if a JPEG cannot be decoded, which was decoded before it
  ///   was kept.
  public func samples() throws -> PixelBuffer {
    switch content {
    case .samples(let buffer): return buffer
    case .jpeg(let picture):
      let decoder = try MJPEGDecoder(expecting: size, tags: tags, bufferCount: 1)
      guard case .decoded(let buffer) = try decoder.decode(picture.bytes) else {
        // It was decoded once before it was kept.
        throw SafelightError(.corruptData, "A kept frame cannot be decoded: \(decoder.problem)")
      }
      return buffer
    case .bayer(let mosaic): return try mosaic.developed()
    }
  }

  /// Returns the samples for a photo that is made of several frames: mosaics are developed with one colour of white.
  ///
  /// - Throws: as `samples()`.
  package func samples(balancedAs reference: PhotoFrame) throws -> PixelBuffer {
    guard let mosaic, let other = reference.mosaic else { return try samples() }
    return try mosaic.balanced(by: other.neutral).developed()
  }

  /// The frame with its samples, for renderers and analyses.
  ///
  /// - Throws: as `samples()`.
  public func frame() throws -> Frame {
    Frame(
      buffer: try samples(), time: time, sequence: sequence, orientation: orientation,
      sampleAspect: sampleAspect, fieldOrder: fieldOrder)
  }
}

/// The frames of one photo, before they are processed.
public struct CapturedPhoto: Sendable {
  public let settings: ResolvedPhotoSettings
  /// In the order of their times; at least one.
  public private(set) var frames: [PhotoFrame]
  /// The index of the frame nearest to the press.
  public let reference: Int
  /// The time from the press to the reference frame in seconds, both on one clock; negative if the frame was
  /// earlier.
  public let offset: Double
  /// In a bracket, the exposure of each frame; empty for other photos.
  public var exposures: [BracketedExposure] = []
  /// The camera's values when the photo was asked for; all photos of a burst have those of its press. Nil if the
  /// output reads none.
  public internal(set) var cameraValues: CameraValues?

  package init(
    settings: ResolvedPhotoSettings, frames: [PhotoFrame], reference: Int, offset: Double,
    exposures: [BracketedExposure] = []
  ) {
    (self.settings, self.frames, self.reference, self.offset) = (settings, frames, reference, offset)
    self.exposures = exposures
  }

  public var referenceFrame: PhotoFrame { frames[reference] }

  /// The photo with its frames in memory.
  ///
  /// - Throws: as `PhotoFrame.loaded`.
  func loaded() throws -> CapturedPhoto {
    var photo = self
    photo.frames = try frames.map { try $0.loaded() }
    return photo
  }
}

/// When a photo was captured, without its frames, whose memory is scarce.
public struct PhotoMoment: Sendable, Hashable {
  public let settings: ResolvedPhotoSettings
  /// The time of the frame nearest to the press, on the source's clock.
  public let time: Timestamp
  /// That frame's position in the session's sequence.
  public let sequence: UInt64
  /// As `CapturedPhoto.offset`.
  public let offset: Double
  /// The number of frames that the photo is made of.
  public let frameCount: Int

  init(_ captured: CapturedPhoto) {
    let reference = captured.referenceFrame
    (settings, time, sequence) = (captured.settings, reference.time, reference.sequence)
    (offset, frameCount) = (captured.offset, captured.frames.count)
  }
}
