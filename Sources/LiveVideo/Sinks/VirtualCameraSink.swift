import Capture
import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// Writes pictures to a V4L2 output device, such as v4l2loopback's: other programs see a camera.
///
/// Frames that the look does not change are the source's own samples, and readers are told the source's matrix,
/// range, primaries and transfer function, as far as V4L2 has names for them.
public final class VirtualCameraSink: AnnouncingSink, @unchecked Sendable {
  public let name: String
  public let path: String
  private let format: PixelFormat?
  private var output: Output?
  private let said = Mutex<String?>(nil)

  private struct Output {
    var device: VideoOutputDevice
    var converter: PixelConverter
    /// For pictures that are luma and colour differences already, if the device did not accept their matrix and range.
    var decoder: PictureConverter?
    var samples: PixelBuffer
  }

  /// - Parameters:
  ///   - path: such as `/dev/video9`.
  ///   - format: `yuyv422`, `nv12` or `i420`. Nil takes `i420` for a 4:2:0 source, so that its samples stay
  ///     unchanged, and `yuyv422` for all others: the two formats that every program reads.
  public init(path: String, format: PixelFormat? = nil) {
    self.path = path
    self.format = format
    name = SinkSpecification.virtualCamera(device: path).description
  }

  /// The camera's name, once it is open.
  public var announcement: String? { said.withLock { $0 } }

  public func pictures(of source: PixelFormat) -> SinkPictures {
    .planes(layout(of: source))
  }

  private func layout(of source: PixelFormat) -> PixelFormat {
    format ?? (SampleCopier.fits(source, .i420) && source != .gray8 ? .i420 : .yuyv422)
  }

  /// - Throws: `SafelightError` if the device cannot be opened or takes no frames of this format.
  public func open(_ format: SinkFormat) throws {
    let (layout, tags) = (layout(of: format.source), try format.videoTags)
    do {
      let device = try VideoOutputDevice(
        path: path, size: format.size, format: layout, tags: tags, framesPerSecond: format.framesPerSecond)
      // The driver may have chosen another matrix or range than requested; the tags that it reports to readers
      // must be true.
      let samples = try PixelBuffer(size: format.size, format: layout, tags: device.tags)
      var output = Output(device: device, converter: PixelConverter(threads: 1), samples: samples)
      if device.tags.matrix != tags.matrix || device.tags.range != tags.range {
        let input = try PlanInput(size: format.size, format: layout, tags: tags)
        output.decoder = try PictureConverter(from: input)
      }
      self.output = output
      said.withLock { $0 = "Camera “\(device.name)” at \(path), \(format.size)" }
    } catch let failure as CaptureFailure {
      throw failure.error
    }
  }

  public func write(_ frame: RenderedFrame) throws {
    guard let output else { return }
    var picture = frame.picture
    if let decoder = output.decoder {
      try output.converter.convert(decoder.convert(picture), into: output.samples)
      picture = output.samples
    }
    do {
      try output.device.write(picture)
    } catch let failure as CaptureFailure {
      throw failure.error
    }
  }

  public func close() {
    output?.device.close()
    output = nil
  }
}
