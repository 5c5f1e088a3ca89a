import LibraryTestSupport
import Safelight
import FrameCore
import Synchronization
import Testing

@testable import LiveVideo

/// Frames in memory, as a source that waits for its consumer.
final class FrameListInput: CaptureInput {
  let id = "frames"
  let name = "frames"
  let facing = CameraFacing.external
  private let frames: [PixelBuffer]
  private let fields: FieldOrder

  init(_ frames: [PixelBuffer], fields: FieldOrder = .progressive) {
    self.frames = frames
    self.fields = fields
  }

  func openStream(_ request: StreamRequest) throws -> any FrameStream { Stream(frames, fields) }
  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool { false }

  private final class Stream: FrameStream {
    let format: StreamFormat
    let isPaced = false
    let mayStall = false
    private let frames: [PixelBuffer]
    private let fields: FieldOrder
    private var index = 0

    init(_ frames: [PixelBuffer], _ fields: FieldOrder) {
      self.frames = frames
      self.fields = fields
      let first = frames[0]
      format = StreamFormat(
        size: first.size, encoding: .raw(first.format), pixelFormat: first.format, tags: first.tags,
        framesPerSecond: 25)
    }

    func next(until deadline: Timestamp) throws -> StreamEvent {
      guard index < frames.count else { return .finished }
      defer { index += 1 }
      let time = Timestamp(nanoseconds: Int64(index) * 40_000_000)
      return .frame(
        Frame(buffer: frames[index], time: time, sequence: UInt64(index), fieldOrder: fields))
    }
    func wake() {}
    func close() { index = frames.count }
  }
}

/// Takes what people look at, as R, G, B.
final class ScreenSink: FrameSink {
  let name = "screen"
  let pictures = Mutex<[(bytes: [UInt8], tags: ColorTags)]>([])

  func open(_ format: SinkFormat) {}
  func write(_ frame: RenderedFrame) {
    pictures.withLock { $0.append((frame.picture.packedRGB, frame.picture.tags)) }
  }
  func close() {}
}

/// What frames become on their way through a look to sinks of every kind.
struct VideoRun {
  /// The header of Y4M, and the samples of all its frames.
  var header = ""
  var samples: [UInt8] = []
  var rgb: [UInt8] = []
  var screen: [(bytes: [UInt8], tags: ColorTags)] = []
  var notes: [String] = []

  enum Target: CaseIterable { case y4m, rgb, screen }

  init(_ frames: [PixelBuffer], through look: Recipe = Recipe(), to targets: [Target] = Target.allCases)
    async throws
  {
    let folder = try Scratch()
    let screen = ScreenSink()
    let sinks: [any FrameSink] = targets.map { target -> any FrameSink in
      switch target {
      case .y4m: Y4MSink(to: .path(folder("a.y4m")))
      case .rgb: RawVideoSink(to: .path(folder("a.rgb")))
      case .screen: screen
      }
    }
    let session = CaptureSession()
    let output = VideoDataOutput(lateFrames: .keepAll(limit: 2))
    let pipeline = try LivePipeline(
      from: output, through: LiveLook(look), to: sinks, losesNothing: true, isLive: false,
      format: { session.format }, renderer: CPURenderer(threads: 1))
    try await session.configure {
      try $0.add(FrameListInput(frames))
      try $0.add(output)
    }
    try pipeline.start()
    try await session.start()
    for _ in 0..<30_000 where pipeline.end == nil { try await Task.sleep(for: .milliseconds(2)) }
    if case .failed(let error)? = pipeline.end { throw error }
    #expect(pipeline.statistics.rendered == frames.count)
    await session.stop()
    notes = pipeline.takeNotes()
    self.screen = screen.pictures.withLock { $0 }
    if targets.contains(.rgb) { rgb = try folder.read("a.rgb") }
    if targets.contains(.y4m) { try read(folder.read("a.y4m"), frames: frames.count) }
  }

  private mutating func read(_ bytes: [UInt8], frames: Int) throws {
    let end = try #require(bytes.firstIndex(of: 10))
    header = String(decoding: bytes[..<end], as: UTF8.self)
    let body = bytes[(end + 1)...]
    let mark = Array("FRAME\n".utf8)
    try #require(body.count.isMultiple(of: frames))
    let stride = body.count / frames
    for start in Swift.stride(from: body.startIndex, to: body.endIndex, by: stride) {
      #expect(body[start..<start + mark.count].elementsEqual(mark))
      samples += body[start + mark.count..<start + stride]
    }
  }
}

/// A picture of Y'CbCr by a function of the pixel's place; colour differences are those of the upper left pixel.
struct YCbCrPicture {
  let buffer: PixelBuffer
  /// Planes of Y, Cb and Cr, tight, at the format's density.
  let planes: [UInt8]

  init(
    _ width: Int, _ height: Int, _ format: PixelFormat, _ tags: ColorTags, _ color: (Int, Int) -> [UInt8]
  ) throws {
    buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: format, tags: tags)
    let last = format.planes[format.planes.count - 1]
    let (stepX, stepY) = format == .gray8 ? (1, 1) : (last.columnsPerGroup, last.rowsPerGroup)
    var planes: [UInt8] = []
    for y in 0..<height { for x in 0..<width { planes.append(color(x, y)[0]) } }
    for channel in 1...2 where format != .gray8 {
      for y in stride(from: 0, to: height, by: stepY) {
        for x in stride(from: 0, to: width, by: stepX) { planes.append(color(x, y)[channel]) }
      }
    }
    self.planes = planes
    for y in 0..<height {
      for x in 0..<width {
        let sample = color(x, y)
        func put(_ value: UInt8, _ plane: Int, _ row: Int, _ column: Int) {
          buffer.planes[plane].row(row).storeBytes(of: value, toByteOffset: column, as: UInt8.self)
        }
        let packed = format == .yuyv422 ? 0 : 1
        if format == .yuyv422 || format == .uyvy422 {
          put(sample[0], 0, y, 2 * x + packed)
        } else {
          put(sample[0], 0, y, x)
        }
        guard format != .gray8, x % stepX == 0, y % stepY == 0 else { continue }
        let (column, row) = (x / stepX, y / stepY)
        switch format {
        case .yuyv422, .uyvy422:
          put(sample[1], 0, y, 4 * column + 1 - packed)
          put(sample[2], 0, y, 4 * column + 3 - packed)
        case .nv12, .nv16, .nv21:
          let first = format == .nv21 ? 2 : 1
          put(sample[first], 1, row, 2 * column)
          put(sample[3 - first], 1, row, 2 * column + 1)
        default:
          put(sample[1], 1, row, column)
          put(sample[2], 2, row, column)
        }
      }
    }
  }
}
