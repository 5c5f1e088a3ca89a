import CJPEG
import FrameCore

/// Decodes Motion JPEG from webcams into luma and chroma planes.
///
/// Samples are delivered as stored, with the JPEG's own subsampling: 4:2:0 as `i420`, 4:2:2 as `i422`, 4:4:4 as
/// `i444`, and a grey JPEG as `gray8`. 4:4:0, 4:1:1 and 4:1:0 are widened by repeating chroma samples. Stray bytes
/// between markers and a missing end marker are tolerated; missing Huffman tables are replaced by the standard's
/// (ITU-T T.81, annex K.3). A frame with any other damage is rejected entirely.
///
/// Each stream has its own decoder, used by one thread at a time. It reuses buffers that are no longer referenced,
/// and so makes none after the first frame. Frames are decoded independently: nothing of one shows in another.
public final class MJPEGDecoder {
  public enum Outcome {
    /// The frame, which is not overwritten while anyone refers to it.
    case decoded(PixelBuffer)
    /// The data are damaged, incomplete, or not a supported JPEG; see `problem`.
    case damaged
    /// All buffers are still in use.
    case outOfBuffers
  }

  /// The `ColorTags` of a JPEG without other information: sRGB, BT.601, full range (JFIF 1.02).
  public static let defaultTags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)

  /// The number of frames that may be held at the same time.
  public let bufferCount: Int
  /// The only size accepted; nil accepts any size that a `PixelBuffer` may have.
  public let expectedSize: PixelSize?
  /// The format of the last decoded frame, or nil before the first.
  public private(set) var pixelFormat: PixelFormat?

  private let decoder: OpaquePointer
  private let tags: ColorTags
  private var ring: BufferRing?
  private var ringSize: PixelSize?
  private var ringFormat: PixelFormat?
  /// The rule that the frame broke, unless libjpeg detected it.
  private var ownProblem: StaticString?

  /// - Parameters:
  ///   - size: rejects frames of another size, except for rows that a camera adds at the bottom to complete
  ///     blocks.
  ///   - tags: the colour tags of the decoded buffers.
  /// - Throws: `SafelightError` if memory is short.
  public init(
    expecting size: PixelSize? = nil, tags: ColorTags = MJPEGDecoder.defaultTags, bufferCount: Int = 8
  ) throws {
    guard let decoder = jpeg_frame_decoder_new() else {
      throw SafelightError(.noMemory, "Not enough memory to decode JPEG", remedy: "close other programs")
    }
    self.decoder = decoder
    self.tags = tags
    self.bufferCount = max(1, bufferCount)
    expectedSize = size
  }

  deinit { jpeg_frame_decoder_free(decoder) }

  /// The fault of the last `damaged` frame.
  public var problem: String {
    if let ownProblem { return "\(ownProblem)" }
    return String(cString: jpeg_frame_decoder_message(decoder))
  }

  /// Decodes one frame. `data` is only read, and not referenced afterwards.
  ///
  /// - Throws: `SafelightError` if there is no memory for buffers of the frame's size.
  public func decode(_ data: UnsafeRawBufferPointer) throws -> Outcome {
    ownProblem = nil
    guard let base = data.baseAddress, data.count > 0 else { return refused("the frame is empty") }
    var header = jpeg_frame_header()
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    guard jpeg_frame_decoder_begin(decoder, bytes, data.count, &header) == CJPEG_OK else { return .damaged }
    let stored = PixelSize(width: Int(header.width), height: Int(header.height))
    guard let size = accepted(stored) else { return refused("the size is not the stream's") }
    guard let buffer = try buffer(size, Self.format(header.sampling)) else { return .outOfBuffers }
    let status = withPlanes(of: buffer) { jpeg_frame_decoder_finish(decoder, $0, Int32(buffer.planes.count)) }
    if status == CJPEG_OUT_OF_MEMORY {
      throw SafelightError(
        .noMemory, "Not enough memory to decode a JPEG of \(stored)", remedy: "close other programs")
    }
    guard status == CJPEG_OK else { return .damaged }
    pixelFormat = buffer.format
    return .decoded(buffer)
  }

  private func refused(_ problem: StaticString) -> Outcome {
    ownProblem = problem
    return .damaged
  }

  private func accepted(_ stored: PixelSize) -> PixelSize? {
    guard let expectedSize else {
      return (try? PixelBuffer.validate(stored)) == nil ? nil : stored
    }
    // 1080 rows are 67½ blocks of 16; some cameras send all 1088.
    let rowsAdded = stored.height - expectedSize.height
    return stored.width == expectedSize.width && (0..<16).contains(rowsAdded) ? expectedSize : nil
  }

  private func buffer(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer? {
    if let ring, ringSize == size, ringFormat == format { return ring.take() }
    let ring = try BufferRing(count: bufferCount, size: size, format: format, tags: tags)
    self.ring = ring
    ringSize = size
    ringFormat = format
    return ring.take()
  }

  private func withPlanes(
    of buffer: PixelBuffer, _ body: (UnsafePointer<jpeg_frame_plane>) -> cjpeg_status
  ) -> cjpeg_status {
    withUnsafeTemporaryAllocation(of: jpeg_frame_plane.self, capacity: 3) { planes in
      for (index, plane) in buffer.planes.enumerated() {
        planes.initializeElement(
          at: index,
          to: jpeg_frame_plane(
            base: plane.base.assumingMemoryBound(to: UInt8.self), row_bytes: plane.rowBytes,
            rows: UInt32(plane.rows)))
      }
      guard let base = planes.baseAddress else { return CJPEG_DAMAGED }
      return body(UnsafePointer(base))
    }
  }

  private static func format(_ sampling: jpeg_frame_sampling) -> PixelFormat {
    switch sampling {
    case JPEG_FRAME_GRAY: .gray8
    case JPEG_FRAME_420: .i420
    case JPEG_FRAME_422: .i422
    default: .i444
    }
  }
}
