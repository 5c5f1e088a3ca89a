import Rendering
import FrameCore

/// The result of profiling one chain of filters: everything that `safelight profile` prints, draws and compares.
///
/// Times are wall-clock milliseconds, sizes are bytes, rates are 10⁹ bytes or 10⁶ pixels per second. Everything
/// was measured in one run on one machine; only ratios apply to other machines.
public struct ProfileReport: JSONReport, Hashable {
  /// The format version of this report; readers reject others.
  package static let currentVersion = 1

  public var version = Self.currentVersion
  public var machine: Machine
  public var subject: Subject
  /// The GPU that rendered, and its share of the work; nil if the processor rendered.
  public var device: Device?
  public var roofline: Roofline
  /// Whole frames as in normal operation: fused, on all requested threads, without probes.
  public var frames: FrameTimes
  /// Why some of these frames took longer; nil in profiles without the kernel's counters.
  public var interruptions: Interruptions?
  /// The same frames with timing in every tile, stage by stage, in execution order.
  public var stages: [StageCost]
  /// What the optimizer did.
  public var passes: [Pass]
  /// The cost of baking a table; nil if the plan has none.
  public var bake: Bake?
  public var filters: [FilterCost]
  /// The same plan on 1, 2, … threads.
  public var scaling: [ThreadPoint]
  public var capacities: [Capacity]
  /// Notes for the reader, such as that the machine was not idle.
  public var notes: [String]

  public struct Machine: Codable, Sendable, Hashable {
    public var processor: String
    public var cores: Int
    /// The instruction set, such as `AVX3_DL`.
    public var instructionSet: String
    public var system: String
    /// The release of Safelight.
    public var release: String
    /// The date in ISO 8601, UTC.
    public var date: String
  }

  public struct Subject: Codable, Sendable, Hashable {
    /// The preset's or recipe's name, or the filters' names if it has none.
    public var name: String
    /// Each filter as in the plan's text.
    public var filters: [String]
    /// The input: `yuyv`, `nv12`, `mjpeg`, `rgba8`, `rgba16` or `f32`.
    public var input: String
    public var inputWidth: Int
    public var inputHeight: Int
    public var outputFormat: String
    public var outputWidth: Int
    public var outputHeight: Int
    public var backend: String
    public var threads: Int
    /// The interpolation, `sharp` or `bilinear`; nil in older profiles, which only knew `sharp`.
    public var interpolation: String?
    /// The whole plan as `safelight plan` prints it.
    public var plan: String
  }

  /// A GPU. Its own clock measures its work; the processor's measures a frame as a whole.
  public struct Device: Codable, Sendable, Hashable {
    public var name: String
    /// The name and version of the driver.
    public var driver: String
    /// The kind: `discrete`, `integrated`, `virtual`, `software` or `other`.
    public var kind: String
    public var memoryBytes: Int
    /// The Vulkan version, such as `1.3.230`.
    public var vulkanVersion: String
    /// The rate of copies within its own memory, measured in the same run: bytes read plus bytes written.
    public var copy: Double
    /// The number of frames in flight while `frames` were measured: upload, rendering and download overlap.
    public var framesInFlight: Int
    /// The median time of a single frame, from submission to its picture.
    public var aloneMilliseconds: Double
    /// The median time of the kernels for a frame that is and stays in the device's memory. Nil if the device has
    /// no clock.
    public var residentMilliseconds: Double?
    public var residentFramesPerSecond: Double?
    /// The bytes of the visible part of the frame and of the picture, divided by the kernels' time, relative to
    /// `copy`: 0…1 and, in caches, more.
    public var residentOfCopy: Double?
  }

  /// The performance of this machine's memory, measured in the same run on buffers far larger than its caches.
  public struct Roofline: Codable, Sendable, Hashable {
    public struct Point: Codable, Sendable, Hashable {
      public var threads: Int
      /// memcpy: bytes read plus bytes written.
      public var copy: Double
      public var read: Double
      /// Ordinary stores; the processor's read of each line before it is written (write-allocate) is not counted.
      public var write: Double
      /// STREAM's triad a = b + s·c: bytes read plus bytes written.
      public var triad: Double
    }
    /// The measurements by number of threads, ascending.
    public var points: [Point]
    /// The time to copy a frame's own bytes, in and out, on the requested threads.
    public var frameCopyMilliseconds: Double
    /// The size of each array that `points` were measured on.
    public var arrayBytes = 0
  }

  public struct FrameTimes: Codable, Sendable, Hashable {
    /// The time of every measured frame, in order.
    public var milliseconds: [Double]
    public var p50: Double
    public var p90: Double
    public var p99: Double
    public var p999: Double
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    /// The mean difference between consecutive frames.
    public var jitter: Double
    public var framesPerSecond: Double
  }

  public struct StageCost: Codable, Sendable, Hashable {
    /// The stage's kind, such as `geometry`, `ycbcr`, `baked`, or `decode`, `load`, `store` around the plan's
    /// stages, and `wait` for the time that threads wait for work and for each other.
    public var kind: String
    /// The stage as in the plan's text.
    public var text: String
    /// The stage's time per frame: its share of all threads' time, the median of blocks, scaled to `frames.p50`,
    /// so that all stages add up to the frame. On a GPU, the median over single frames by its clock; with `wait`,
    /// which is the rest, the stages add up to `device.aloneMilliseconds`.
    public var milliseconds: Double
    public var nanosecondsPerPixel: Double
    public var megapixelsPerSecond: Double
    /// The bytes that the stage must read and write, determined by its formats alone, divided by its time; bytes
    /// that cross the bus to or from a GPU are counted once.
    public var gigabytesPerSecond: Double
    public var bytes: Int
    /// The fraction of the frame's time, 0…1.
    public var share: Double
    /// `gigabytesPerSecond` relative to memcpy on as many threads, 0…1 and more; for a GPU's kernels relative to
    /// its own copies. 0 if there is nothing to compare with.
    public var ofRoofline: Double
    /// The time of each block of frames in milliseconds, from which comparisons of two runs estimate the noise.
    public var samples: [Double]
  }

  public struct Pass: Codable, Sendable, Hashable {
    public var name: String
    public var stagesBefore: Int
    public var stagesAfter: Int
    public var remarks: [String]
  }

  public struct Bake: Codable, Sendable, Hashable {
    /// The number of nodes per edge.
    public var nodes: Int
    public var maximumDeltaE2000: Double
    public var meanDeltaE2000: Double
    /// The median time to lower, bake and prove the whole plan.
    public var milliseconds: Double
    /// Each measured time, from which comparisons estimate the noise. Nil if only the median was kept.
    public var samples: [Double]?
  }

  public struct FilterCost: Codable, Sendable, Hashable {
    public var id: String
    public var text: String
    /// The time of a frame through a plan of this filter alone, minus that of an empty plan.
    public var aloneMilliseconds: Double
    /// The time of a frame through the whole plan, minus that of the plan without this filter.
    public var inPlanMilliseconds: Double
  }

  public struct ThreadPoint: Codable, Sendable, Hashable {
    public var threads: Int
    /// The median time of a frame.
    public var milliseconds: Double
    public var framesPerSecond: Double
    /// The speed-up over one thread, divided by the number of threads.
    public var efficiency: Double
  }

  /// The largest frame of the subject's aspect ratio that keeps a frame rate.
  public struct Capacity: Codable, Sendable, Hashable {
    public var framesPerSecond: Double
    /// The width; nil if not even the smallest size tried keeps the rate.
    public var width: Int?
    public var height: Int?
    /// The measured 99th percentile of frames of this size; the longest if there are fewer than a hundred.
    public var p99Milliseconds: Double?
    /// The number of frames behind `p99Milliseconds`; nil in older profiles.
    public var frames: Int?
    /// The largest usual size that fits in it, such as `4K` or `1080p`.
    public var usualSize: String?
    /// Whether larger frames might keep the rate too; frames larger than 8K, or that take more than half of the
    /// free memory, are not tried.
    public var isLowerBound = false

    /// The name of the value in `p99Milliseconds`: `p99 of 100 frames`, or `longest of 54 frames`.
    public var timeName: String {
      frames.map { ($0 < 100 ? "longest" : "p99") + " of \($0) frames" } ?? "p99"
    }
  }
}
