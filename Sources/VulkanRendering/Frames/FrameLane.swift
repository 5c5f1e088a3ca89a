import FrameCore
import Rendering
import VulkanCompute

/// The memory and commands of one frame in flight, reused for the next one.
///
/// Belongs to one thread at a time, assigned by `LanePool`.
final class FrameLane: @unchecked Sendable {
  /// For work in steps, each of which begins it and ends with `finishStep`; `submit` records jobs itself.
  let recording: Recording
  private let device: DeviceHandle
  private var memory: LaneMemory
  private var job: LaneJob?
  private var times = FrameTimes()
  private var steps = LaneClock.Steps()
  private var submitted = Timestamp(nanoseconds: 0)

  init(_ device: DeviceHandle) throws {
    self.device = device
    memory = LaneMemory(isUnified: device.isUnified)
    recording = try Recording(device, timestamps: LaneClock.allCases.count)
  }

  // MARK: Memory

  /// The bytes of device memory that the lane holds.
  var heldBytes: Int { memory.heldBytes }

  /// The bytes of device memory that the lane may hold.
  var limit: Int {
    get { memory.limit }
    set { memory.limit = newValue }
  }

  /// Frees all memory. Nothing may be in flight.
  func releaseMemory() { memory.release() }

  /// Returns memory for the guides of a noise reduction in steps, whose other buffers take at most `source` and `target`
  /// bytes.
  func guideBuffer(_ bytes: Int, source: Int, target: Int) throws(VulkanFailure) -> DeviceBuffer {
    memory.makeRoom(source: source, guide: bytes, target: target)
    return try LaneMemory.grown(&memory.guide, device, bytes)
  }

  /// Returns memory for horizontally downsampled rows of a downsampling in steps, whose other buffers take at most
  /// `source` and `target` bytes.
  func horizontalBuffer(_ bytes: Int, source: Int, target: Int) throws(VulkanFailure) -> DeviceBuffer {
    memory.makeRoom(source: source, horizontal: bytes, target: target)
    return try LaneMemory.grown(&memory.horizontal, device, bytes)
  }

  // MARK: Samples to the device and back

  /// Copies a rectangle of a picture to memory that kernels read; records the copy if the device has to do it.
  func bring(_ picture: PixelBuffer, _ transfer: PictureTransfer) throws(VulkanFailure) -> DeviceBuffer {
    let began = Timestamp.now
    let staged = try LaneMemory.grown(&memory.upload, device, transfer.bytes, VC_MEMORY_UPLOAD)
    transfer.copy(from: picture, to: try staged.contents())
    staged.flush(transfer.bytes)
    times.staging += Timestamp.now.seconds(since: began)
    guard !device.isUnified else { return staged }
    let copied = try LaneMemory.grown(&memory.source, device, transfer.bytes)
    recording.copy(staged, to: copied, bytes: transfer.bytes)
    recording.barrier()
    return copied
  }

  /// Returns the buffer that kernels write results for the processor to.
  func landing(_ bytes: Int) throws(VulkanFailure) -> DeviceBuffer {
    device.isUnified
      ? try LaneMemory.grown(&memory.download, device, bytes, VC_MEMORY_DOWNLOAD)
      : try LaneMemory.grown(&memory.target, device, bytes)
  }

  /// Records the copy of the `landing` buffer to memory that the processor reads.
  func recordReturn(_ bytes: Int) throws(VulkanFailure) {
    guard !device.isUnified, let target = memory.target else { return }
    recording.barrier()
    recording.copy(
      target, to: try LaneMemory.grown(&memory.download, device, bytes, VC_MEMORY_DOWNLOAD), bytes: bytes)
  }

  /// Copies the result into a picture, after the recording has ended.
  func take(_ transfer: PictureTransfer, into picture: PixelBuffer, firstRow: Int) throws(VulkanFailure) {
    guard let download = memory.download else { return }
    let began = Timestamp.now
    download.invalidate(transfer.bytes)
    transfer.copy(from: try download.contents(), to: picture, firstRow: firstRow)
    let seconds = Timestamp.now.seconds(since: began)
    times.staging += seconds
    times.stagingOut += seconds
  }

  /// Submits the recorded commands to the device and returns when they are done.
  func finishStep() throws(VulkanFailure) {
    try recording.submit()
    try end()
  }

  private func end() throws(VulkanFailure) {
    do {
      try recording.wait()
    } catch {
      // Work still running on the device must end before its kernels and memory are freed.
      recording.close()
      throw error
    }
  }

  // MARK: Jobs

  /// Submits a job to the device.
  func submit(_ job: LaneJob) throws(VulkanFailure) {
    submitted = .now
    times = FrameTimes()
    let whole = job.fromInput ? job.plan : nil
    steps = LaneClock.Steps(
      uploads: !device.isUnified && job.source.bytes > 0, denoises: whole?.denoisedTransfer != nil,
      downsamples: whole?.downsampledTransfer != nil, downloads: !device.isUnified)
    memory.makeRoom(
      source: job.source.bytes, guide: whole?.guideBytes ?? 0, denoised: whole?.denoisedTransfer?.bytes ?? 0,
      horizontal: whole?.horizontalBytes ?? 0, downsampled: whole?.downsampledTransfer?.bytes ?? 0,
      inBetween: job.inBetweenBytes, target: job.target.bytes)
    try recording.begin()
    recording.timestamp(LaneClock.begin.rawValue)
    try bring(job.light)
    let (source, sourceLayout) = try recordSource(job.source)
    recording.timestamp(LaneClock.uploaded.rawValue)
    let target: DeviceBuffer
    let targetLayout: DeviceLayout
    switch job.target {
    case .picture(_, let transfer, _):
      (target, targetLayout) = (try landing(transfer.bytes), transfer.layout)
    case .imported(let picture, _) where device.isUnified:
      (target, targetLayout) = (picture.buffer, picture.layout)
    case .imported(let picture, _):
      (target, targetLayout) = (try landing(picture.bytes), picture.copiedLayout)
    }
    try record(job, source, sourceLayout, target, targetLayout)
    recording.timestamp(LaneClock.rendered.rawValue)
    switch job.target {
    case .picture(_, let transfer, _): try recordReturn(transfer.bytes)
    case .imported where device.isUnified: break
    case .imported(let picture, _):
      recording.barrier()
      recording.copy(target, to: picture.buffer, start: picture.offset, bytes: picture.bytes)
    }
    recording.timestamp(LaneClock.downloaded.rawValue)
    try recording.submit()
    self.job = job
  }

  /// Copies light grids to memory that kernels read; records the copy if the device has to do it.
  private func bring(_ grids: LightMemory?) throws(VulkanFailure) {
    guard let nodes = grids.map({ UnsafeRawBufferPointer($0.nodes) }), let first = nodes.baseAddress else {
      return
    }
    let staged = try LaneMemory.grown(&memory.lightUpload, device, nodes.count, VC_MEMORY_UPLOAD)
    try staged.contents().copyMemory(from: first, byteCount: nodes.count)
    staged.flush(nodes.count)
    guard !device.isUnified else { return }
    let copied = try LaneMemory.grown(&memory.lightSource, device, nodes.count)
    recording.copy(staged, to: copied, bytes: nodes.count)
    recording.barrier()
  }

  private func recordSource(_ source: LaneJob.Source) throws(VulkanFailure) -> (DeviceBuffer, DeviceLayout) {
    switch source {
    case .picture(let picture, let transfer): return (try bring(picture, transfer), transfer.layout)
    case .resident(let buffer, let layout): return (buffer, layout)
    case .imported(let picture, _):
      picture.buffer.flush(picture.buffer.bytes)
      guard !device.isUnified else { return (picture.buffer, picture.layout) }
      let copied = try LaneMemory.grown(&memory.source, device, picture.bytes)
      recording.copy(picture.buffer, from: picture.offset, to: copied, bytes: picture.bytes)
      recording.barrier()
      return (copied, picture.copiedLayout)
    }
  }

  private func record(
    _ job: LaneJob, _ source: DeviceBuffer, _ sourceLayout: DeviceLayout, _ target: DeviceBuffer,
    _ targetLayout: DeviceLayout
  ) throws(VulkanFailure) {
    let plan = job.plan
    let work = plan.dispatches(from: sourceLayout, to: targetLayout, fromInput: job.fromInput)
    let source = try denoised(source, work, of: plan)
    recording.timestamp(LaneClock.denoised.rawValue)
    guard job.fromInput, let transfer = plan.downsampledTransfer else {
      recording.timestamp(LaneClock.downsampled.rawValue)
      try record(work, of: plan, from: source, to: target)
      return
    }
    let horizontalRows = try LaneMemory.grown(&memory.horizontal, device, work.horizontalBytes)
    let small = try LaneMemory.grown(&memory.downsampled, device, transfer.bytes)
    var index = 0
    while index < work.downsampling.count {
      record(work.downsampling[index].horizontal, of: plan, from: source, to: horizontalRows)
      recording.barrier()
      record(work.downsampling[index].vertical, of: plan, from: horizontalRows, to: small)
      recording.barrier()
      index += 1
    }
    recording.timestamp(LaneClock.downsampled.rawValue)
    try record(work, of: plan, from: small, to: target)
  }

  /// Records the noise reduction of a picture.
  ///
  /// - Returns: the picture without noise, or the picture if the plan keeps its noise.
  private func denoised(
    _ picture: DeviceBuffer, _ work: FrameDispatches, of plan: LoadedPlan
  ) throws(VulkanFailure) -> DeviceBuffer {
    guard !work.denoising.isEmpty, let transfer = plan.denoisedTransfer else { return picture }
    let guide = try LaneMemory.grown(&memory.guide, device, work.guideBytes)
    let clean = try LaneMemory.grown(&memory.denoised, device, transfer.bytes)
    var index = 0
    while index < work.denoising.count {
      record(work.denoising[index], of: plan, from: picture, guide: guide, to: clean)
      index += 1
    }
    return clean
  }

  /// Records the noise reduction of a band, and what has to wait for it.
  func record(
    _ band: PlanProgram.DenoisingBand, of plan: LoadedPlan, from picture: DeviceBuffer, guide: DeviceBuffer,
    to target: DeviceBuffer
  ) {
    record(band.guide, of: plan, from: picture, to: guide)
    recording.barrier()
    record(band.result, of: plan, from: picture, to: target, light: guide)
    recording.barrier()
  }

  /// Records the frame itself, and its sharpening.
  private func record(
    _ work: FrameDispatches, of plan: LoadedPlan, from source: DeviceBuffer, to target: DeviceBuffer
  ) throws(VulkanFailure) {
    guard work.inBetweenBytes > 0 else { return record(work.frame, of: plan, from: source, to: target) }
    let between = try LaneMemory.grown(&memory.inBetween, device, work.inBetweenBytes)
    record(work.frame, of: plan, from: source, to: between)
    recording.barrier()
    record(work.sharpening, of: plan, from: between, to: target)
  }

  func record(
    _ dispatches: [Dispatch], of plan: LoadedPlan, from source: DeviceBuffer, to target: DeviceBuffer,
    light other: DeviceBuffer? = nil
  ) {
    var index = 0
    while index < dispatches.count {
      let variant = dispatches[index].variant
      recording.dispatch(
        dispatches[index], plan.kernels[variant], from: source, to: target, tables: plan.tables,
        light: other ?? memory.light ?? plan.tables)
      index += 1
    }
  }

  /// Waits for the job, copies its pixels into their picture and releases both pictures.
  ///
  /// - Returns: the job and its failure, if it failed.
  func complete() -> (job: LaneJob, failure: VulkanFailure)? {
    guard let job else { return nil }
    self.job = nil
    do throws(VulkanFailure) {
      try end()
      switch job.target {
      case .picture(let picture, let transfer, let firstRow):
        try take(transfer, into: picture, firstRow: firstRow)
      case .imported(let picture, _): picture.buffer.invalidate(picture.buffer.bytes)
      }
    } catch {
      return (job, error)
    }
    times.wall = Timestamp.now.seconds(since: submitted)
    return nil
  }

  /// The times of the last job; nil if the device has no clock.
  var lastTimes: FrameTimes? { times.clocked(by: recording, steps) }
}
