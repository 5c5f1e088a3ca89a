import FrameCore
import Rendering

/// Makes luma and colour differences of pictures for one sink, beside sinks that want other pictures. Used by one thread.
final class PlanesConverter {
  private let format: PixelFormat
  private let size: PixelSize
  private let tags: ColorTags
  // The renderer uses the other cores.
  private let converter = PixelConverter(threads: 1)
  /// For frames that were not rendered; nil if all are.
  private let copier: SampleCopier?
  private let ring: BufferRing

  /// - Parameter heldPictures: those that the sink keeps.
  /// - Throws: `SafelightError` if the source's tags contradict its format, or if memory is short.
  init(to format: PixelFormat, of stream: SinkFormat, heldPictures: Int) throws {
    self.format = format
    size = stream.size
    tags = try stream.videoTags
    copier = SampleCopier(from: stream.source, to: format, size: stream.size)
    // One is being written, and one is spare.
    ring = try BufferRing(count: 2 + heldPictures, size: size, format: format, tags: tags)
  }

  /// Returns a picture's samples in the format: of RGBA, or of the source's own samples.
  func convert(_ picture: PixelBuffer) throws -> PixelBuffer {
    guard picture.format != format else { return picture }
    let result = try ring.take() ?? PixelBuffer(size: size, format: format, tags: tags)
    if !picture.format.isRGBA, let copier {
      copier.copy(picture, into: result)
    } else {
      try converter.convert(picture, into: result)
    }
    return result
  }
}
