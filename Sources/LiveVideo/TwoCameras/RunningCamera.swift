import Capture
import FrameCore
import Libc
import Rendering
import Synchronization

/// A session and a pipeline for one of several cameras, whose rendered pictures go to a function.
final class RunningCamera: Sendable {
  private let session = CaptureSession()
  private let pipeline: LivePipeline
  private let tap: PictureTap
  private let opening: Monitor<Result<Void, any Error>?>

  /// Starts the camera; `awaitSize` waits for it.
  ///
  /// - Parameters:
  ///   - take: called with each picture, in sRGB, on a thread of the pipeline's.
  ///   - whenEnded: called once no more pictures come.
  init(
    _ camera: CameraPairInput.Camera, request: StreamRequest, renderer: any Renderer,
    take: @escaping @Sendable (RenderedFrame) -> Void,
    whenEnded: @escaping @Sendable (LivePipeline.End) -> Void
  ) throws {
    let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
    let (session, input) = (session, camera.input)
    let tap = PictureTap(name: input.name, take)
    self.tap = tap
    let pipeline = try LivePipeline(
      from: output, through: camera.look, to: [tap], format: { session.format }, renderer: renderer)
    self.pipeline = pipeline
    let opening = Monitor<Result<Void, any Error>?>(nil)
    self.opening = opening
    try pipeline.start { [weak pipeline] in
      if let end = pipeline?.end { whenEnded(end) }
    }
    Task {
      do {
        try await session.configure {
          try $0.add(input)
          try $0.add(output, connection: Connection(mirroring: .off))
          $0.request = request
        }
        try await session.start()
        opening.update { $0 = .success(()) }
      } catch {
        opening.update { $0 = .failure(error) }
      }
    }
  }

  /// The rate that the source promised; 0 if it has none.
  var framesPerSecond: Double { session.format?.framesPerSecond ?? 0 }

  /// Waits for the first picture and returns the size of all.
  ///
  /// - Throws: the error of opening the camera, or `SafelightError` if no picture comes in time.
  func awaitSize(seconds: Double) throws -> PixelSize {
    let deadline = Timestamp.now.advanced(bySeconds: seconds)
    while Timestamp.now < deadline {
      if case .failure(let error)? = opening.read({ $0 }) { throw error }
      if case .failed(let error)? = pipeline.end { throw error }
      if let size = tap.size { return size }
      usleep(2000)
    }
    throw SafelightError(
      .device, "No frame came from \(tap.name) within \(PlainNumber.fixed(seconds, 0)) s",
      remedy: "check that the source sends pictures")
  }

  /// Ends the camera; returns once it is closed.
  func close() {
    let done = Monitor(false)
    let session = session
    Task {
      await session.stop()
      done.update { $0 = true }
    }
    done.wait { $0 ? true : nil }
    pipeline.stop()
  }
}

/// A sink that passes pictures on.
private final class PictureTap: FrameSink {
  let name: String
  private let take: @Sendable (RenderedFrame) -> Void
  private let opened = Mutex<PixelSize?>(nil)

  init(name: String, _ take: @escaping @Sendable (RenderedFrame) -> Void) {
    (self.name, self.take) = (name, take)
  }

  var size: PixelSize? { opened.withLock { $0 } }

  func open(_ format: SinkFormat) throws { opened.withLock { $0 = format.size } }

  func write(_ frame: RenderedFrame) throws { take(frame) }

  func close() {}
}
