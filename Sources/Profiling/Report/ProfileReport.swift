import Rendering
import FrameCore

/// What profiling one chain of filters found: all that `safelight profile` prints, draws and compares.
///
/// Times are milliseconds of wall clock, sizes are bytes, rates are 10⁹ bytes or 10⁶ pixels a second. Everything was
/// measured in one run on one machine; only ratios carry over to another.
public struct ProfileReport: Codable, Sendable, Hashable {
  /// The form of this report; a reader refuses others.
  public static let currentVersion = 1

  public var version = Self.currentVersion
  public var machine: Machine
  public var subject: Subject
  /// The GPU that rendered, and what its part was; nil where the processor rendered.
  public var device: Device?
  public var roofline: Roofline
  /// Whole frames as they run in earnest: fused, on all threads asked for, nothing measured inside.
  public var frames: FrameTimes
  /// Why some of these frames took longer; nil in profiles that did not ask the kernel.
  public var interruptions: Interruptions?
  /// The same frames with a clock in every tile, stage by stage, in the order they run.
  public var stages: [StageCost]
  /// What the optimizer did.
  public var passes: [Pass]
  /// Of a baked table; nil where the plan has none.
  public var bake: Bake?
  public var filters: [FilterCost]
  /// The same plan on 1, 2, … threads.
  public var scaling: [ThreadPoint]
  public var capacities: [Capacity]
  /// What the reader should know, such as a machine that was not idle.
  public var notes: [String]

  public struct Machine: Codable, Sendable, Hashable {
    public var processor: String
    public var cores: Int
    /// Such as `AVX3_DL`.
    public var instructionSet: String
    public var system: String
    /// Of Safelight.
    public var release: String
    /// ISO 8601, UTC.
    public var date: String
  }

  public struct Subject: Codable, Sendable, Hashable {
    /// The preset's or recipe's name, or the filters' where it has none.
    public var name: String
    /// Each filter as the plan's text gives it.
    public var filters: [String]
    /// `yuyv`, `nv12`, `mjpeg`, `rgba8`, `rgba16` or `f32`.
    public var input: String
    public var inputWidth: Int
    public var inputHeight: Int
    public var outputFormat: String
    public var outputWidth: Int
    public var outputHeight: Int
    public var backend: String
    public var threads: Int
    /// `sharp` or `bilinear`; nil in profiles that only knew `sharp`.
    public var interpolation: String?
    /// The whole plan as `safelight plan` prints it.
    public var plan: String
  }

  /// A GPU. Its clock tells how long its own work takes; the processor's tells what a frame takes as a whole.
  public struct Device: Codable, Sendable, Hashable {
    public var name: String
    /// Name and version of the driver.
    public var driver: String
    /// `discrete`, `integrated`, `virtual`, `software` or `other`.
    public var kind: String
    public var memoryBytes: Int
    /// Such as `1.3.230`.
    public var vulkanVersion: String
    /// How fast it copies within its own memory, measured in the same run: bytes read plus bytes written.
    public var copy: Double
    /// Frames on their way at a time while `frames` were measured: what is brought, rendered and taken overlaps.
    public var framesInFlight: Int
    /// One frame by itself, from its handing over to its picture: the median.
    public var aloneMilliseconds: Double
    /// What a frame takes that is in the device's memory and stays there: its kernels, the median. Nil where the device
    /// has no clock.
    public var residentMilliseconds: Double?
    public var residentFramesPerSecond: Double?
    /// Bytes of the frame's part that the picture shows and of the picture over the kernels' time, as a part of `copy`,
    /// 0…1 and, in caches, more.
    public var residentOfCopy: Double?
  }

  /// What this machine's memory does, measured in the same run on buffers far larger than its caches.
  public struct Roofline: Codable, Sendable, Hashable {
    public struct Point: Codable, Sendable, Hashable {
      public var threads: Int
      /// memcpy: bytes read plus bytes written.
      public var copy: Double
      public var read: Double
      /// With ordinary stores; that the processor reads each line before (write-allocate) is not counted.
      public var write: Double
      /// STREAM's triad a = b + s·c: bytes read plus bytes written.
      public var triad: Double
    }
    /// By threads, ascending.
    public var points: [Point]
    /// How fast a frame's own bytes, in and out, are copied on the threads asked for.
    public var frameCopyMilliseconds: Double
    /// Of each of the arrays that `points` were measured on.
    public var arrayBytes = 0
  }

  public struct FrameTimes: Codable, Sendable, Hashable {
    /// Every frame measured, in order.
    public var milliseconds: [Double]
    public var p50: Double
    public var p90: Double
    public var p99: Double
    public var p999: Double
    public var minimum: Double
    public var maximum: Double
    public var mean: Double
    /// The mean difference of neighbouring frames.
    public var jitter: Double
    public var framesPerSecond: Double
  }

  public struct StageCost: Codable, Sendable, Hashable {
    /// The stage's kind, such as `geometry`, `ycbcr`, `baked`, or `decode`, `load`, `store` around the plan's stages, and
    /// `wait` for what threads wait for work and for each other.
    public var kind: String
    /// As the plan's text gives it.
    public var text: String
    /// Of one frame: the stage's part of all threads' time, the median of blocks, as a part of `frames.p50`, so that all
    /// stages together are the frame. On a GPU the median of frames by themselves as its clock tells it; with `wait`, which
    /// is what these leave of it, they are `device.aloneMilliseconds`.
    public var milliseconds: Double
    public var nanosecondsPerPixel: Double
    public var megapixelsPerSecond: Double
    /// Bytes that the stage must read and write, by its formats alone, over its time; what crosses the bus to a GPU or
    /// from it is counted once.
    public var gigabytesPerSecond: Double
    public var bytes: Int
    /// Of the frame, 0…1.
    public var share: Double
    /// `gigabytesPerSecond` as a part of what memcpy reaches on as many threads, 0…1 and more; for a GPU's kernels of what
    /// its own copies reach. 0 where there is nothing to compare with.
    public var ofRoofline: Double
    /// In milliseconds, one for each block of frames: what comparisons of two runs take their noise from.
    public var samples: [Double]
  }

  public struct Pass: Codable, Sendable, Hashable {
    public var name: String
    public var stagesBefore: Int
    public var stagesAfter: Int
    public var remarks: [String]
  }

  public struct Bake: Codable, Sendable, Hashable {
    /// Nodes an edge.
    public var nodes: Int
    public var maximumDeltaE2000: Double
    public var meanDeltaE2000: Double
    /// To lower, bake and prove the whole plan: the median.
    public var milliseconds: Double
    /// Each time that was measured: what comparisons take their noise from. Nil where only the median was kept.
    public var samples: [Double]?
  }

  public struct FilterCost: Codable, Sendable, Hashable {
    public var id: String
    public var text: String
    /// A frame through a plan of this filter alone, less one through a plan of none.
    public var aloneMilliseconds: Double
    /// A frame through the whole plan, less one through the plan without this filter.
    public var inPlanMilliseconds: Double
  }

  public struct ThreadPoint: Codable, Sendable, Hashable {
    public var threads: Int
    /// The median.
    public var milliseconds: Double
    public var framesPerSecond: Double
    /// Speed-up over one thread, divided by the threads.
    public var efficiency: Double
  }

  /// The largest frame of the subject's proportions that keeps a frame rate.
  public struct Capacity: Codable, Sendable, Hashable {
    public var framesPerSecond: Double
    /// Nil where not even the smallest size tried keeps it.
    public var width: Int?
    public var height: Int?
    /// The 99th percentile of frames of this size, measured; of fewer than a hundred frames that is the longest.
    public var p99Milliseconds: Double?
    /// Frames that `p99Milliseconds` is of; nil in profiles that did not say.
    public var frames: Int?
    /// Such as `4K` or `1080p`: the largest usual size that fits in it.
    public var usualSize: String?
    /// Whether larger frames would keep the rate too; none larger than 8K, or than half of the free memory takes, are
    /// tried.
    public var isLowerBound = false

    /// What `p99Milliseconds` is in earnest: `p99 of 100 frames`, or `longest of 54 frames`.
    public var timeName: String {
      frames.map { ($0 < 100 ? "longest" : "p99") + " of \($0) frames" } ?? "p99"
    }
  }
}
