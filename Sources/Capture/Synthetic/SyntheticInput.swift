import FrameCore

/// A simulated camera: the coast of `SyntheticScene`, live, with all properties known.
///
/// Waves roll, clouds drift, the camera sways and the light changes, all as declared: frame `n` of a stream shows
/// the scene at `n / framesPerSecond` seconds, with `horizonDegrees(at:)` and `illuminantGain(at:)` for that time.
/// The same frame of the same source has the same bytes in every run, but for a flash, which goes by the
/// clock.
///
/// A paced source that cannot paint at its rate drops the frames that it missed, as `missedDeadline`.
public final class SyntheticInput: CaptureInput {
  /// The size, if a request does not specify one.
  public let size: PixelSize
  public let framesPerSecond: Double
  /// One of `encodings`.
  public let encoding: PixelFormat
  public let motion: SyntheticMotion
  /// The height where the horizon crosses the middle column, as a fraction from the top.
  public let horizonHeight: Double
  public let seed: UInt32
  /// Whether the chart of known patches is shown in the lower left corner.
  public let showsPatches: Bool
  /// Whether pages are laid before the camera, each sliding in, lying still and being taken away; `pageCorners(at:)`
  /// says where.
  public let showsPages: Bool
  /// Whether frames arrive at their rate, as from a camera. Otherwise each comes on request, for benchmarks.
  public let isPaced: Bool
  /// The number of frames after which the source ends; nil for never.
  public let frameLimit: Int?
  public let faults: SyntheticFaults
  /// Whether a lamp in the upper right corner, a quarter of the width and a fifth of the height, flashes with
  /// the beeps of `SyntheticAudio`: white in the frames whose interval, from their time to that of the next,
  /// shares a moment with the 50 ms after a whole second of `Timestamp`, otherwise black.
  public let showsFlash: Bool
  /// The time of a stream's frame 0, if the source is not paced; nil is when the stream is opened.
  public let startTime: Timestamp?

  /// The encodings that a stream can have. YCbCr has limited range, the matrix of Rec. 601 and sRGB's transfer
  /// function, as in webcams.
  public static var encodings: [PixelFormat] { LivePacker.formats }
  /// Accepted edge lengths in pixels.
  public static let edges = 16...4096
  /// The largest sum of mean roll and sway, in degrees.
  package static let maximumRoll = 15.0
  /// The number of a stream's buffers, and thus of frames that may be held.
  static let bufferCount = 8

  public let name = "Synthetic scene"
  public let facing = CameraFacing.external
  public var id: String { "synthetic" }

  /// - Throws: `SafelightError(.invalidValue)` if a value is out of range.
  public init(
    size: PixelSize = PixelSize(width: 1280, height: 720), framesPerSecond: Double = 30,
    encoding: PixelFormat = .yuyv422, motion: SyntheticMotion = SyntheticMotion(),
    horizonHeight: Double = 0.55, seed: UInt32 = 1, showsPatches: Bool = false, showsPages: Bool = false,
    paced: Bool = true,
    frameLimit: Int? = nil, faults: SyntheticFaults = SyntheticFaults(), showsFlash: Bool = false,
    startTime: Timestamp? = nil
  ) throws {
    self.size = size
    self.framesPerSecond = framesPerSecond
    self.encoding = encoding
    self.motion = motion
    self.horizonHeight = horizonHeight
    self.seed = seed
    self.showsPatches = showsPatches
    self.showsPages = showsPages
    isPaced = paced
    self.frameLimit = frameLimit
    self.faults = faults
    self.showsFlash = showsFlash
    self.startTime = startTime
    try validate()
    _ = try agreedFormat(StreamRequest())
  }

  /// Returns the camera's roll, in degrees, `seconds` after the start of a stream, at its frame `seconds ·
  /// framesPerSecond`. If positive, the horizon rises to the right.
  public func horizonDegrees(at seconds: Double) -> Double { motion.roll(at: seconds) }

  /// Returns the linear gains of the light on R, G, B at that time.
  public func illuminantGain(at seconds: Double) -> SIMD3<Float> { motion.gain(at: seconds) }

  /// Returns the corners of the page that is there at that time, clockwise from its own top left, in fractions of the
  /// picture; nil if there is none.
  public func pageCorners(at seconds: Double) -> [SIMD2<Double>]? {
    showsPages ? LivePages.corners(at: seconds, in: size) : nil
  }

  /// Returns the scene at that time, as the exact painter would render it, without pages.
  public func scene(at seconds: Double, size: PixelSize? = nil) -> SyntheticScene {
    SyntheticScene(
      size: size ?? self.size, horizonDegrees: motion.roll(at: seconds), horizonHeight: horizonHeight,
      seed: seed, time: seconds, illuminantGain: motion.gain(at: seconds), showsPatches: showsPatches)
  }

  public func openStream(_ request: StreamRequest) throws -> any FrameStream {
    do {
      return try SyntheticStream(self, format: try agreedFormat(request))
    } catch let error as SafelightError {
      throw CaptureFailure(
        error.code.isShortage || error.code == .tooLarge ? .inputOutput : .unsupported, error)
    }
  }

  /// The scene never disappears.
  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    failure.reason != .unsupported
  }

  private func agreedFormat(_ request: StreamRequest) throws -> StreamFormat {
    let size = request.size ?? size
    guard Self.edges.contains(size.width), Self.edges.contains(size.height) else {
      throw SafelightError(
        .invalidValue, "The synthetic scene cannot be painted at \(size)",
        remedy: "ask for edges of \(Self.edges.lowerBound) to \(Self.edges.upperBound) pixels")
    }
    let rate = request.framesPerSecond ?? framesPerSecond
    guard (0.001...1000).contains(rate) else {
      throw SafelightError(
        .invalidValue, "The synthetic scene cannot be painted \(rate) times a second",
        remedy: "ask for a rate from 0.001 to 1000")
    }
    let supported = Self.encodings.map(\.rawValue).joined(separator: ", ")
    switch request.encoding ?? .raw(encoding) {
    case .raw(let format) where Self.encodings.contains(format):
      return StreamFormat(
        size: size, encoding: .raw(format), pixelFormat: format,
        tags: format.isRGBA ? .sRGB : Self.cameraTags, framesPerSecond: rate)
    case .raw(let format):
      throw SafelightError(
        .unsupported, "The synthetic scene does not come as \(format.rawValue)",
        remedy: "ask for one of \(supported)")
    case .mjpeg:
      throw SafelightError(
        .unsupported, "The synthetic scene does not come as MJPEG", remedy: "ask for one of \(supported)")
    case .bayer(let format):
      throw SafelightError(
        .unsupported, "The synthetic scene does not come as \(CaptureEncoding.bayer(format).label)",
        remedy: "ask for one of \(supported)")
    case .converted(let fourCC):
      throw SafelightError(
        .unsupported, "The synthetic scene does not come as \(fourCC)", remedy: "ask for one of \(supported)")
    }
  }

  private static let cameraTags = ColorTags(
    primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)

  private func validate() throws {
    func check(_ value: Double, _ name: String, in range: ClosedRange<Double>) throws {
      guard range.contains(value) else {
        throw SafelightError(
          .invalidValue, "The synthetic scene's \(name) is \(value)",
          remedy: "give a value from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    guard startTime == nil || !isPaced else { throw SyntheticBeat.pacedStartTime(of: "scene") }
    try check(motion.maximumRoll, "largest roll", in: 0...Self.maximumRoll)
    try check(horizonHeight, "horizonHeight", in: 0...1)
    try check(Double(motion.drift), "drift of the light", in: 0...0.2)
    for (index, channel) in ["red", "green", "blue"].enumerated() {
      try check(Double(motion.meanGain[index]), "gain (\(channel))", in: 0.65...1.6)
    }
    try check(faults.jitter, "jitter", in: 0...10)
    for duration in faults.stalls.values { try check(duration, "stall", in: 0...3600) }
    for count in faults.gaps.values { try check(Double(count), "gap", in: 1...1_000_000) }
  }
}
