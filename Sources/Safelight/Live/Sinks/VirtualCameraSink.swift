import Capture
import FrameCore
import Rendering
import Synchronization

/// Writes pictures to a V4L2 output device, such as v4l2loopback's: other programs see a camera.
public final class VirtualCameraSink: AnnouncingSink, @unchecked Sendable {
  public let name: String
  public let path: String
  private let format: PixelFormat
  private var output: Output?
  private let said = Mutex<String?>(nil)

  private struct Output {
    var device: VideoOutputDevice
    var converter: PixelConverter
    var samples: PixelBuffer
  }

  /// - Parameters:
  ///   - path: such as `/dev/video9`.
  ///   - format: `yuyv422`, which every program reads, `nv12` or `i420`.
  public init(path: String, format: PixelFormat = .yuyv422) {
    self.path = path
    self.format = format
    name = SinkSpecification.virtualCamera(device: path).description
  }

  /// The camera's name, once it is open.
  public var announcement: String? { said.withLock { $0 } }

  /// - Throws: the `SafelightError` of `VideoOutputDevice`'s failure.
  public func open(_ format: SinkFormat) throws {
    do {
      let device = try VideoOutputDevice(
        path: path, size: format.size, format: self.format, tags: .video(height: format.size.height),
        framesPerSecond: format.framesPerSecond)
      // The driver may have settled on other colours than it was asked for; what it tells readers must be true.
      let samples = try PixelBuffer(size: format.size, format: self.format, tags: device.tags)
      output = Output(device: device, converter: PixelConverter(threads: 1), samples: samples)
      said.withLock { $0 = "Camera “\(device.name)” at \(path), \(format.size)" }
    } catch let failure as CaptureFailure {
      throw failure.error
    }
  }

  public func write(_ frame: RenderedFrame) throws {
    guard let output else { return }
    try output.converter.convert(frame.picture, into: output.samples)
    do {
      try output.device.write(output.samples)
    } catch let failure as CaptureFailure {
      throw failure.error
    }
  }

  public func close() {
    output?.device.close()
    output = nil
  }
}
