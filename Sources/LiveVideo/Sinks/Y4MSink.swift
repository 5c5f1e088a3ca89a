import FrameCore
import Rendering
import Synchronization

/// Writes 8-bit YUV4MPEG2 with the source's own chroma subsampling, siting, range, matrix, sample aspect and field
/// order.
///
/// Frames that the look does not change are the source's own samples. The header states everything but the matrix,
/// primaries and transfer function, for which the format has no field: if a reader would guess another matrix,
/// `announcement` says which. RGB pictures become 4:2:0 in limited range, which every player and encoder reads.
/// Source of the header: yuv4mpeg(5) of mjpegtools; `XCOLORRANGE` and the sitings of 4:2:0 are FFmpeg's.
public final class Y4MSink: InterruptibleSink, AnnouncingSink, @unchecked Sendable {
  public let name: String
  private let target: VideoPipeTarget
  private let interruption = PipeInterruption()
  private var output: Output?
  private let said = Mutex<String?>(nil)

  public init(to target: VideoPipeTarget = .standardOutput) {
    self.target = target
    name = target.name(of: .y4m)
  }

  /// Grey stays grey only while the look adds no colour, so it comes as it is.
  public func pictures(of source: PixelFormat) -> SinkPictures {
    source == .gray8 ? .samples : .planes(Self.planarFormat(of: source))
  }

  /// The matrix, if a reader would guess another one.
  public var announcement: String? { said.withLock { $0 } }

  public func open(_ format: SinkFormat) throws {
    let header = try Self.header(format)
    let matrix = try format.untoldMatrix
    let pipe = try target.open()
    interruption.attach(pipe)
    let planes = try PixelBuffer(size: format.size, format: Self.layout(format), tags: format.videoTags)
    output = Output(pipe: pipe, planes: planes, source: format.source)
    if let matrix {
      said.withLock {
        $0 =
          "Y4M has no field for the colour matrix: tell the reader which one these frames have "
          + "(FFmpeg: -colorspace \(matrix) before -i -)"
      }
    }
    try PipePieces.write(header, to: pipe)
  }

  public func write(_ frame: RenderedFrame) throws {
    guard let output else { return }
    // Planes as the stream wants them go into the pipe from where they are.
    guard frame.picture.format != output.planes.format else {
      return try PipePieces(header: Output.header, frame.picture).write(to: output.pipe)
    }
    try output.fill(from: frame.picture)
    try output.pieces.write(to: output.pipe)
  }

  public func close() {
    interruption.detach()
    output = nil
  }

  public func interrupt() { interruption.interrupt() }

  /// The stream's header, line feed included.
  ///
  /// - Throws: `SafelightError` if the source's tags contradict its format.
  static func header(_ format: SinkFormat) throws -> [UInt8] {
    let rate = FrameRateFraction(format.framesPerSecond)
    let tags = try format.videoTags
    let chroma =
      switch (layout(format), tags.chromaSiting) {
      case (.gray8, _): "mono"
      case (.i444, _): "444"
      case (.i422, _): "422"
      case (_, .center): "420jpeg"
      case (_, .topLeft): "420paldv"
      default: "420mpeg2"
      }
    let interlacing =
      switch format.fieldOrder {
      case .progressive: "p"
      case .topFirst: "t"
      case .bottomFirst: "b"
      }
    let fields = [
      "YUV4MPEG2", "W\(format.size.width)", "H\(format.size.height)",
      "F\(rate.numerator):\(rate.denominator)", "I\(interlacing)", "A\(format.sampleAspect)", "C\(chroma)",
      "XCOLORRANGE=\(tags.range == .full ? "FULL" : "LIMITED")",
    ]
    return Array((fields.joined(separator: " ") + "\n").utf8)
  }

  /// The planar format with the source's chroma subsampling.
  private static func layout(_ format: SinkFormat) -> PixelFormat {
    // A look may add colour to grey.
    format.source == .gray8 && format.isUnedited ? .gray8 : planarFormat(of: format.source)
  }

  private static func planarFormat(of source: PixelFormat) -> PixelFormat {
    switch source {
    case .i422, .nv16, .yuyv422, .uyvy422: .i422
    case .i444: .i444
    case .gray8, .i420, .nv12, .nv21, .rgba8, .rgba16, .rgbaF32: .i420
    }
  }

  private struct Output {
    static let header = Array("FRAME\n".utf8)
    let pipe: VideoPipe
    // The renderer uses the other cores.
    let converter = PixelConverter(threads: 1)
    /// For frames that were not rendered; nil if all are.
    let copier: SampleCopier?
    let planes: PixelBuffer
    let pieces: PipePieces

    init(pipe: VideoPipe, planes: PixelBuffer, source: PixelFormat) {
      self.pipe = pipe
      self.planes = planes
      copier = SampleCopier(from: source, to: planes.format, size: planes.size)
      pieces = PipePieces(header: Self.header, planes)
    }

    func fill(from picture: PixelBuffer) throws {
      if !picture.format.isRGBA, let copier {
        copier.copy(picture, into: planes)
      } else {
        try converter.convert(picture, into: planes)
      }
    }
  }
}
