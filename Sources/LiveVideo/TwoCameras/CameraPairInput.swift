import Capture
import FilterGraph
import FrameCore
import Rendering

/// Two cameras as one: their pictures, each with its own look, paired by time and put into one picture.
///
/// The first camera sets the pace. If the second one is late or gone, its last picture stays for two seconds and then
/// leaves its place empty until it is back.
public final class CameraPairInput: CaptureInput {
  /// One of the cameras.
  public struct Camera: Sendable {
    public var input: any CaptureInput
    public var look: LiveLook
    public var request: StreamRequest

    public init(
      _ input: any CaptureInput, look: LiveLook = LiveLook(), request: StreamRequest = StreamRequest()
    ) {
      self.input = input
      self.look = look
      self.request = request
    }
  }

  public let first: Camera
  public let second: Camera
  public let layout: PairLayout
  let makeRenderer: @Sendable () throws -> any Renderer

  public var id: String { "pair:\(first.input.id)+\(second.input.id)" }
  public var name: String { "\(first.input.name) and \(second.input.name)" }
  public var facing: CameraFacing { first.input.facing }

  /// - Parameter makeRenderer: called once for each camera.
  public init(
    _ first: Camera, _ second: Camera, layout: PairLayout = .inset(.topLeft),
    makeRenderer: @escaping @Sendable () throws -> any Renderer = { CPURenderer() }
  ) {
    self.first = first
    self.second = second
    self.layout = layout
    self.makeRenderer = makeRenderer
  }

  /// Opens both cameras. The request goes to the first one.
  ///
  /// - Throws: `CaptureFailure` if one of them cannot be opened, or delivers no picture within five seconds.
  public func openStream(_ request: StreamRequest) throws -> any FrameStream {
    do {
      return try CameraPairStream(self, request)
    } catch let error as SafelightError {
      throw CaptureFailure(error.code == .device ? .inputOutput : .unsupported, error)
    }
  }

  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    guard failure.reason != .unsupported else { return false }
    return first.input.awaitReturn(after: failure, until: deadline)
  }
}
