import FilterGraph
import FrameCore
import Rendering
import VulkanRendering

/// What is measured of a GPU.
extension Profiler {
  /// What a frame's steps took: its own times, and what the processor waited for beside them.
  private struct DeviceFrame {
    var seconds: Double
    var times: FrameTimes

    /// Until the device began, and between its steps.
    var waiting: Double {
      max(
        0, seconds - times.staging - times.upload - times.reduction - times.kernel - times.download)
    }
  }

  /// The GPU and its stages, from frames each by itself; nil where the processor renders.
  func measureDevice(seconds: Double) throws -> (
    device: ProfileReport.Device, stages: [ProfileReport.StageCost]
  )? {
    guard let vulkan = renderer as? VulkanRenderer else { return nil }
    try progress("the GPU", 0.45)
    let copy = try vulkan.measureCopyBandwidth()
    for _ in 0..<2 { _ = try workload.renderFrameAlone() }
    var frames: [DeviceFrame] = []
    var hasClock = true
    let began = Timestamp.now
    while frames.count < 5 || frames.count < 10_000 && Timestamp.now.seconds(since: began) < seconds {
      let frame = try workload.renderFrameAlone()
      hasClock = hasClock && frame.times != nil
      frames.append(DeviceFrame(seconds: frame.seconds, times: frame.times ?? FrameTimes()))
    }
    if !hasClock { notes.append("the GPU has no clock for its work: what its steps take is not known") }
    let resident = ProfileStatistics.median(frames.map { $0.times.kernel + $0.times.reduction })
    let isKnown = hasClock && resident > 0
    let bytes = Double(source.pictureBytes + workload.outputBytes)
    let info = vulkan.device
    let device = ProfileReport.Device(
      name: info.name, driver: info.driver, kind: info.kind.rawValue, memoryBytes: info.memoryBytes,
      vulkanVersion: info.apiVersion, copy: copy, framesInFlight: workload.depth,
      aloneMilliseconds: 1000 * ProfileStatistics.median(frames.map(\.seconds)),
      residentMilliseconds: isKnown ? 1000 * resident : nil,
      residentFramesPerSecond: isKnown ? 1 / resident : nil,
      residentOfCopy: isKnown && copy > 0 ? bytes / resident / 1e9 / copy : nil)
    if vulkan.device.kind == .software {
      notes.append("the GPU is software on the processor: its times say nothing of real ones")
    }
    return (device, hasClock ? stages(frames, copy: copy) : [])
  }

  /// A row for each step that took time, medians in blocks as samples.
  private func stages(_ frames: [DeviceFrame], copy: Double) -> [ProfileReport.StageCost] {
    let plan = workload.plan
    let (input, output) = (source.pictureBytes, workload.outputBytes)
    let reduced = plan.stages.lazy.compactMap { stage -> Int? in
      guard case .shrink(let shrink) = stage else { return nil }
      return 8 * shrink.outputSize.pixelCount
    }.first
    let rows: [(kind: String, text: String, bytes: Int, rate: Double, seconds: (DeviceFrame) -> Double)] = [
      (
        "staging", "the processor's copies to and from memory that the GPU reaches", 2 * (input + output), 0,
        { $0.times.staging }
      ),
      ("upload", "\(plan.input.format.rawValue) → the GPU", 2 * input, 0, { $0.times.upload }),
      ("reduce", "averaged in linear light", input + (reduced ?? 0), copy, { $0.times.reduction }),
      (
        "kernel", plan.stages.map(\.kindName).filter { $0 != "shrink" }.joined(separator: " · "),
        (reduced ?? input) + output, copy, { $0.times.kernel }
      ),
      ("download", "the GPU → \(plan.output.format.rawValue)", 2 * output, 0, { $0.times.download }),
      ("wait", "for the GPU to begin and for what lies between its steps", 0, 0, { $0.waiting }),
    ]
    let alone = ProfileStatistics.median(frames.map(\.seconds))
    let used = rows.filter { row in
      // Where nothing is reduced, two readings of the clock lie apart all the same.
      (row.kind != "reduce" || plan.reduces) && frames.contains { row.seconds($0) > 0 }
    }
    let medians = used.map { row in ProfileStatistics.median(frames.map(row.seconds)) }
    // Medians do not add up by themselves.
    let scale = alone / max(medians.reduce(0, +), 1e-12)
    let size = max(1, frames.count / 16)
    return zip(used, medians).map { row, median in
      let milliseconds = 1000 * median * scale
      let pixels = Double(plan.outputSize.pixelCount)
      let gigabytes = milliseconds > 0 ? Double(row.bytes) / milliseconds / 1e6 : 0
      let samples = stride(from: 0, to: frames.count - size + 1, by: size).map { start in
        1000 * ProfileStatistics.median(frames[start..<start + size].map(row.seconds))
      }
      return ProfileReport.StageCost(
        kind: row.kind, text: row.text.isEmpty ? "copied" : row.text, milliseconds: milliseconds,
        nanosecondsPerPixel: milliseconds * 1e6 / pixels,
        megapixelsPerSecond: milliseconds > 0 ? pixels / milliseconds / 1e3 : 0,
        gigabytesPerSecond: gigabytes, bytes: row.bytes, share: alone > 0 ? median * scale / alone : 0,
        ofRoofline: row.rate > 0 ? gigabytes / row.rate : 0, samples: samples)
    }
  }
}
