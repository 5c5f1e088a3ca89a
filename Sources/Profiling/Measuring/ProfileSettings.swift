import Backends
import Capture
import FilterGraph
import Filters
import FrameCore

/// The form in which a camera or another source delivers frames.
public enum ProfileInput: String, Sendable, Hashable, CaseIterable, Codable {
  case yuyv, nv12, mjpeg, rgba8, rgba16, f32

  /// The format of the plan's input. Motion JPEG is 4:2:0 here.
  public var format: PixelFormat {
    switch self {
    case .yuyv: .yuyv422
    case .nv12: .nv12
    case .mjpeg: .i420
    case .rgba8: .rgba8
    case .rgba16: .rgba16
    case .f32: .rgbaF32
    }
  }

  /// The input of plans for frames of this format, as a camera delivers them.
  public func planInput(size: PixelSize) throws -> PlanInput {
    guard self == .mjpeg else { return PlanInput(size: size, format: format) }
    return try PlanInput(size: size, format: format, tags: MJPEGDecoder.defaultTags)
  }

  /// The format of the plan's output, with the depth of the input.
  public var outputFormat: PixelFormat { format.isRGBA ? format : .rgba8 }
}

/// What is profiled, and for how long.
public struct ProfileSettings: Sendable {
  public var recipe: Recipe
  /// The preset's or recipe's name; empty means the filters' names.
  public var name: String
  public var input: ProfileInput
  public var size: PixelSize
  /// The backend that renders; for `auto` it is determined by measurement first.
  public var backend: Backend
  /// The GPU to use; nil takes the best one.
  public var gpu: GPUSelector?
  /// How rotated and enlarged frames and subsampled colour are sampled.
  public var interpolation: Interpolation
  /// The threads of the CPU renderer, which is then used if the backend is `auto`; nil uses every core.
  public var threads: Int?
  /// How long whole frames are measured, in seconds; everything else together takes about three times as long.
  public var seconds: Double
  /// The bytes of each array used to measure memory; nil means several times the last-level cache.
  var arrayBytes: Int?

  /// The accepted durations, in seconds.
  public static let durations = 0.05...600.0
  /// The accepted thread counts: with more threads than any machine has cores, only thread creation would be
  /// measured.
  public static let threadCounts = 1...256

  public init(
    recipe: Recipe, name: String = "", input: ProfileInput = .yuyv,
    size: PixelSize = PixelSize(width: 1920, height: 1080), backend: Backend = .auto,
    gpu: GPUSelector? = nil, interpolation: Interpolation = .sharp, threads: Int? = nil, seconds: Double = 3
  ) {
    self.recipe = recipe
    self.name = name
    self.input = input
    self.size = size
    self.backend = backend
    self.gpu = gpu
    self.interpolation = interpolation
    self.threads = threads
    self.seconds = seconds
  }

  /// The backend request. Threads are CPU threads, and a measurement with some of them says nothing about the
  /// whole CPU, against which a GPU would be compared.
  var request: BackendRequest {
    threads != nil && backend == .auto ? BackendRequest(.cpu) : BackendRequest(backend, gpu: gpu)
  }

  /// Returns a live edit with a filter of every kind, which is profiled by default.
  public static func exampleRecipe() throws -> Recipe {
    var filters: [any Filter] = [
      Straighten(2), Crop(.proportions(width: 16, height: 9)), WhiteBalance(temperature: 5600),
      Exposure(stops: 0.3), Contrast(10), Saturation(8),
    ]
    filters += try PresetLibrary.preset("teal-orange").portableRecipe.filters.filter { $0 is LUT }
    return Recipe(name: "live chain", filters: filters)
  }

  /// - Throws: `SafelightError` if a value is out of range.
  func validate() throws {
    try PixelBuffer.validate(size)
    guard Self.durations.contains(seconds) else {
      throw SafelightError(
        .invalidValue, "A profile of \(PlainNumber.text(seconds)) seconds is out of range",
        remedy: "give 0.05 to 600 seconds")
    }
    if let threads, !Self.threadCounts.contains(threads) {
      throw SafelightError(
        .invalidValue, "A profile with \(threads) threads is out of range",
        remedy: "give 1 to \(Self.threadCounts.upperBound)")
    }
    guard threads != nil else { return }
    switch backend {
    case .auto, .cpu: break
    case .reference:
      throw SafelightError(
        .unsupported, "The reference renderer always uses every core",
        remedy: "leave the number of threads out, or profile the cpu backend")
    case .vulkan:
      throw SafelightError(
        .unsupported, "A GPU has no threads of the processor",
        remedy: "leave the number of threads out, or profile the cpu backend")
    }
  }
}

/// Frame sizes with common names.
public enum UsualSize {
  /// The sizes, smallest first.
  public static let all: [(name: String, size: PixelSize)] = [
    ("480p", PixelSize(width: 854, height: 480)), ("720p", PixelSize(width: 1280, height: 720)),
    ("1080p", PixelSize(width: 1920, height: 1080)), ("1440p", PixelSize(width: 2560, height: 1440)),
    ("4K", PixelSize(width: 3840, height: 2160)), ("5K", PixelSize(width: 5120, height: 2880)),
    ("8K", PixelSize(width: 7680, height: 4320)),
  ]

  /// Returns the size with a name, ignoring case.
  public static func named(_ name: String) -> PixelSize? {
    all.first { $0.name.lowercased() == name.lowercased() }?.size
  }

  /// Returns the name of the largest size with no more pixels than `size`.
  package static func name(within size: PixelSize) -> String? {
    all.last { $0.size.pixelCount <= size.pixelCount }?.name
  }
}
