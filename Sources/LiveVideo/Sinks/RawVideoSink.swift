import FrameCore

/// Writes packed 8-bit R, G, B, row after row and frame after frame, without headers (`rgb24` in FFmpeg).
///
/// For video, the values result from its matrix and range, in its own primaries: a stream without headers cannot
/// state them.
public final class RawVideoSink: InterruptibleSink, @unchecked Sendable {
  public let name: String
  private let target: VideoPipeTarget
  private let interruption = PipeInterruption()
  private var output: Output?

  public init(to target: VideoPipeTarget = .standardOutput) {
    self.target = target
    name = target.name(of: .rgb)
  }

  public func pictures(of source: PixelFormat) -> SinkPictures { .video }

  public func open(_ format: SinkFormat) throws {
    let pipe = try target.open()
    interruption.attach(pipe)
    output = Output(pipe: pipe, bytes: try PipeBytes(count: 3 * format.size.pixelCount))
  }

  public func write(_ frame: RenderedFrame) throws {
    guard let output else { return }
    pack(frame.picture, into: output.bytes.memory)
    try output.pieces.write(to: output.pipe)
  }

  public func close() {
    interruption.detach()
    output = nil
  }

  public func interrupt() { interruption.interrupt() }

  private func pack(_ picture: PixelBuffer, into memory: UnsafeMutableRawBufferPointer) {
    precondition(picture.format == .rgba8 && memory.count == 3 * picture.size.pixelCount)
    guard var out = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    for y in 0..<picture.height {
      guard let row = picture.row(y, as: UInt8.self).baseAddress else { continue }
      for x in 0..<picture.width {
        out[0] = row[4 &* x]
        out[1] = row[4 &* x &+ 1]
        out[2] = row[4 &* x &+ 2]
        out += 3
      }
    }
  }

  private struct Output {
    let pipe: VideoPipe
    let bytes: PipeBytes
    let pieces: PipePieces

    init(pipe: VideoPipe, bytes: PipeBytes) {
      self.pipe = pipe
      self.bytes = bytes
      pieces = PipePieces(bytes)
    }
  }
}
