import BenchmarkSupport
import Profiling
import Safelight

/// The live chain on a GPU: with transfers, without them, and compared with copies within the GPU's memory.
extension Work {
  static func gpu() -> [Work] {
    [
      gpuChain("1080p", Workshop.fullHD), gpuChain("4k", Workshop.ultraHD), gpuChain("8k", eightK),
      gpuShare(),
    ]
  }

  private static let eightK = PixelSize(width: 7680, height: 4320)

  private static func gpuChain(_ name: String, _ size: PixelSize) -> Work {
    Work(
      id: "gpu-\(name)", kind: .frame, title: "Live chain on a GPU, \(size) YUYV to 8-bit RGBX",
      note: """
        As the live chain. With transfers, three frames are on their way at a time and each is brought to the GPU's memory and \
        its picture taken back; without, a frame lies in that memory and its picture stays there, by the GPU's clock. \
        \(GPUChoice.note)
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours("processor", "safelight, two threads of the processor") { workshop in
          try Rendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422), threads: 2).runner()
        },
        .ours("ours", "safelight, with transfers", needs: .gpu, tolerance: .rounding) { workshop in
          let rendering = try GPURendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422))
          return ValueRunner(result: { Picture(rendering.output) }) { [try rendering.secondsInFlight()] }
        },
        .ours("resident", "safelight, without transfers", needs: .gpu) { workshop in
          let rendering = try GPURendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422))
          return ValueRunner { [try rendering.residentSeconds()] }
        },
      ])
  }

  private static func gpuShare() -> Work {
    func contender(_ name: String, _ size: PixelSize) -> Contender {
      .ours(name, "safelight, \(size)", needs: .gpu) { workshop in
        let rendering = try GPURendering(liveFilters(workshop), on: workshop.picture(size, .yuyv422))
        return ValueRunner { [try rendering.shareOfCopies()] }
      }
    }
    return Work(
      id: "gpu-share", kind: .frame, title: "Live chain on a GPU, speed beside copies within its memory",
      note:
        "Bytes of the part of the frame that the picture shows, and of the picture, over the kernels' time, by bytes that "
        + "a copy reads and writes.",
      quantity: .number,
      contenders: [
        contender("1080p", Workshop.fullHD), contender("4k", Workshop.ultraHD), contender("8k", eightK),
      ])
  }
}

/// The GPU to measure: the one that `SAFELIGHT_GPU` names, or else the best one.
enum GPUChoice {
  private static let found = Result<VulkanDevice, any Error> {
    try VulkanDevice.choose(
      GPUSelector.fromEnvironment()?.description, from: VulkanDevice.all(), allowsSoftware: false)
  }

  static func device() throws -> VulkanDevice { try found.get() }

  /// Why none is measured; nil if one is. Software devices say nothing about GPUs, even if requested by name.
  static var obstacle: String? {
    do {
      let device = try device()
      return device.kind == .software ? "\(device.name) is software on the processor" : nil
    } catch {
      return (error as? SafelightError)?.problem ?? "\(error)"
    }
  }

  static var note: String {
    guard obstacle == nil, let device = try? device() else { return "" }
    return "On \(device.name), \(device.driver), Vulkan \(device.apiVersion)."
  }
}

/// A plan prepared on the GPU, with frames and memory for their results.
private final class GPURendering {
  private let renderer: VulkanRenderer
  private let prepared: any PreparedPlan
  private let sources: [PixelBuffer]
  private let outputs: [PixelBuffer]
  private var copyRate: Double?

  init(_ filters: [any Filter], on source: PixelBuffer) throws {
    renderer = try VulkanRenderer(on: GPUChoice.device())
    let plan = try renderer.plan(
      Recipe(filters: filters), input: PlanInput(source), output: PlanOutput())
    prepared = try renderer.prepare(plan)
    // The same picture in several places, so that each frame is uploaded from another one.
    sources = try (0..<renderer.framesInFlight).map { _ in
      let copy = try PixelBuffer(size: source.size, format: source.format, tags: source.tags)
      for (from, to) in zip(source.planes, copy.planes) {
        to.base.copyMemory(from: from.base, byteCount: from.rowBytes * from.rows)
      }
      return copy
    }
    outputs = try (0..<renderer.framesInFlight).map { _ in
      try PixelBuffer(size: plan.outputSize, format: .rgba8)
    }
  }

  var output: PixelBuffer { outputs[0] }

  /// The time of one frame among many.
  func secondsInFlight() throws -> Double {
    let frames = 8 * outputs.count
    var flight = PendingFrames(limit: outputs.count)
    defer { try? flight.finish() }
    let start = monotonicSeconds()
    for number in 0..<frames {
      let place = number % outputs.count
      try flight.add(try prepared.submit(sources[place], into: outputs[place]))
    }
    try flight.finish()
    return (monotonicSeconds() - start) / Double(frames)
  }

  /// The kernels' time for one frame.
  func residentSeconds() throws -> Double {
    let pending = try prepared.submit(sources[0], into: outputs[0])
    try pending.wait()
    guard let times = pending.times, times.kernel > 0 else {
      throw SafelightError(.unsupported, "\(renderer.device.name) has no clock for its work")
    }
    return times.kernel + times.downsampling
  }

  func shareOfCopies() throws -> Double {
    let rate = try copyRate ?? renderer.measureCopyBandwidth()
    copyRate = rate
    // The chain crops after straightening, so the rest of the frame is not read.
    let bytes = prepared.plan.shownInputBytes + prepared.plan.outputBytes
    return Double(bytes) / (try residentSeconds()) / 1e9 / rate
  }
}
