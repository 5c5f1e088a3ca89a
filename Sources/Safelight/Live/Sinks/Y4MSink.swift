import FrameCore
import Rendering

/// Writes YUV4MPEG2: 8-bit 4:2:0 in limited range, which every player and encoder reads.
///
/// The matrix is BT.601 below 720 lines and BT.709 from there on: the format has no field for it, and this is what
/// readers take for granted. Chroma sits where MPEG-2 has it (`C420mpeg2`).
/// Source of the header: yuv4mpeg(5) of mjpegtools; `XCOLORRANGE` is FFmpeg's.
public final class Y4MSink: InterruptibleSink, @unchecked Sendable {
  public let name: String
  private let target: VideoPipeTarget
  private let interruption = PipeInterruption()
  private var output: Output?

  public init(to target: VideoPipeTarget = .standardOutput) {
    self.target = target
    name = target.name(of: .y4m)
  }

  public func open(_ format: SinkFormat) throws {
    let pipe = try target.open()
    interruption.attach(pipe)
    let tags = ColorTags.video(height: format.size.height)
    let planes = try PixelBuffer(size: format.size, format: .i420, tags: tags)
    output = Output(pipe: pipe, planes: planes)
    try PipePieces.write(Self.header(format), to: pipe)
  }

  public func write(_ frame: RenderedFrame) throws {
    guard let output else { return }
    try output.converter.convert(frame.picture, into: output.planes)
    try output.pieces.write(to: output.pipe)
  }

  public func close() {
    interruption.detach()
    output = nil
  }

  public func interrupt() { interruption.interrupt() }

  /// The stream's header, line feed included.
  static func header(_ format: SinkFormat) -> [UInt8] {
    let rate = FrameRateFraction(format.framesPerSecond)
    return Array(
      ("YUV4MPEG2 W\(format.size.width) H\(format.size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 "
        + "C420mpeg2 XCOLORRANGE=LIMITED\n").utf8)
  }

  private struct Output {
    let pipe: VideoPipe
    // The renderer has the other cores.
    let converter = PixelConverter(threads: 1)
    let planes: PixelBuffer
    let pieces: PipePieces

    init(pipe: VideoPipe, planes: PixelBuffer) {
      self.pipe = pipe
      self.planes = planes
      pieces = PipePieces(header: Array("FRAME\n".utf8), planes)
    }
  }
}
