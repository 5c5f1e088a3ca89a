import FilterGraph
import FrameCore
import Rendering
import VulkanRendering

/// Measurements of a GPU.
extension Profiler {
  /// Measures the GPU and its stages, with one frame at a time; nil if the processor renders.
  func measureDevice(seconds: Double) throws -> (
    device: ProfileReport.Device, stages: [ProfileReport.StageCost]
  )? {
    guard case .gpu(let opened) = chosen, let vulkan = opened.vulkan else { return nil }
    try progress("the GPU", 0.45)
    let copy = try vulkan.measureCopyBandwidth()
    for _ in 0..<2 { _ = try workload.renderFrameAlone() }
    let before = vulkan.transfers
    var frames: [ProfileDeviceStages.Frame] = []
    var hasClock = true
    let began = Timestamp.now
    while frames.count < 5 || frames.count < 10_000 && Timestamp.now.seconds(since: began) < seconds {
      let frame = try workload.renderFrameAlone()
      hasClock = hasClock && frame.times != nil
      frames.append(ProfileDeviceStages.Frame(seconds: frame.seconds, times: frame.times ?? FrameTimes()))
    }
    if !hasClock {
      notes.append(
        "the times of a frame's steps on the GPU are not known: it has no clock, or frames do not fit into its memory"
      )
    }
    let stages = ProfileDeviceStages(
      workload.plan, copies: Self.copies(from: before, to: vulkan.transfers, frames: frames.count),
      copyRate: copy)
    let resident = OrderStatistics.median(frames.map { $0.times.kernel + $0.times.downsampling })
    let isKnown = hasClock && resident > 0
    let info = vulkan.device
    let device = ProfileReport.Device(
      name: info.name, driver: info.driver, kind: info.kind.rawValue, memoryBytes: info.memoryBytes,
      vulkanVersion: info.apiVersion, copy: copy, framesInFlight: workload.depth,
      aloneMilliseconds: 1000 * OrderStatistics.median(frames.map(\.seconds)),
      residentMilliseconds: isKnown ? 1000 * resident : nil,
      residentFramesPerSecond: isKnown ? 1 / resident : nil,
      residentOfCopy: isKnown && copy > 0 ? Double(stages.residentBytes) / resident / 1e9 / copy : nil)
    if vulkan.device.kind == .software {
      notes.append("the GPU is emulated by the processor: its times say nothing about real ones")
    }
    return (device, hasClock ? stages.costs(frames) : [])
  }

  /// Returns the fractions of the pictures of this many frames that were copied for the device.
  private static func copies(from before: FrameTransfers, to after: FrameTransfers, frames: Int)
    -> ProfileDeviceStages.Copies
  {
    func part(_ path: KeyPath<FrameTransfers, Int>) -> Double {
      min(1, Double(after[keyPath: path] - before[keyPath: path]) / Double(max(1, frames)))
    }
    return ProfileDeviceStages.Copies(sources: part(\.copiedSources), outputs: part(\.copiedOutputs))
  }
}
