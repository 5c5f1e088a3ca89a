import FrameCore
import Rendering
import VulkanCompute

/// The memory and commands of one frame in flight, reused for the next one.
///
/// Belongs to one thread at a time, assigned by `LanePool`.
final class FrameLane: @unchecked Sendable {
  /// Timestamps of a job.
  private enum Clock {
    static let begin = 0
    static let uploaded = 1
    static let downsampled = 2
    static let rendered = 3
    static let downloaded = 4
    static let count = 5
  }

  /// For work in steps, each of which begins it and ends with `finishStep`; `submit` records jobs itself.
  let recording: Recording
  private let device: DeviceHandle
  private var upload, source, horizontal, downsampled, inBetween, target, download: DeviceBuffer?
  /// The light grids of the current picture, as the processor writes them and in a card's own memory: every pixel reads
  /// a dozen of their nodes, which would come through the bus one by one.
  private var lightUpload, lightSource: DeviceBuffer?
  private var light: DeviceBuffer? { device.isUnified ? lightUpload : lightSource }
  private var job: LaneJob?
  private var times = FrameTimes()
  private var uploads = false
  private var downsamples = false
  private var submitted = Timestamp(nanoseconds: 0)

  init(_ device: DeviceHandle) throws {
    self.device = device
    recording = try Recording(device, timestamps: Clock.count)
  }

  // MARK: Memory

  /// The bytes of device memory that the lane holds.
  var heldBytes: Int {
    var sum =
      (source?.bytes ?? 0) + (horizontal?.bytes ?? 0) + (downsampled?.bytes ?? 0) + (inBetween?.bytes ?? 0)
      + (target?.bytes ?? 0) + (light?.bytes ?? 0)
    if device.isUnified { sum += (upload?.bytes ?? 0) + (download?.bytes ?? 0) }
    return sum
  }

  /// The bytes of device memory that the lane may hold.
  var limit = Int.max

  /// Frees memory of earlier frames if it would exceed the limit together with the memory needed now.
  private func makeRoom(
    source: Int, horizontal: Int = 0, downsampled: Int = 0, inBetween: Int = 0, target: Int
  ) {
    func room(_ buffer: DeviceBuffer?, _ needed: Int) -> Int { max(buffer?.bytes ?? 0, needed) }
    let bytes =
      room(device.isUnified ? upload : self.source, source) + room(self.horizontal, horizontal)
      + room(self.downsampled, downsampled) + room(self.inBetween, inBetween)
      + room(device.isUnified ? download : self.target, target)
    if bytes > limit { releaseMemory() }
  }

  /// Frees all memory. Nothing may be in flight.
  func releaseMemory() {
    (upload, source, horizontal, downsampled, inBetween) = (nil, nil, nil, nil, nil)
    (target, download, lightUpload, lightSource) = (nil, nil, nil, nil)
  }

  /// Returns a buffer of at least `bytes`: the existing one if it is large enough.
  private static func grown(
    _ buffer: inout DeviceBuffer?, _ device: DeviceHandle, _ bytes: Int, _ memory: vc_memory
  ) throws(VulkanFailure) -> DeviceBuffer {
    if let buffer, buffer.bytes >= bytes { return buffer }
    buffer = nil
    let made = try DeviceBuffer(device, bytes: max(bytes, 4), memory)
    buffer = made
    return made
  }

  /// Returns memory for horizontally downsampled rows of a downsampling in steps, whose other buffers take at most
  /// `source` and `target` bytes.
  func horizontalBuffer(_ bytes: Int, source: Int, target: Int) throws(VulkanFailure) -> DeviceBuffer {
    makeRoom(source: source, horizontal: bytes, target: target)
    return try Self.grown(&horizontal, device, bytes, VC_MEMORY_DEVICE)
  }

  // MARK: Samples to the device and back

  /// Copies a rectangle of a picture to memory that kernels read; records the copy if the device has to do it.
  func bring(_ picture: PixelBuffer, _ transfer: PictureTransfer) throws(VulkanFailure) -> DeviceBuffer {
    let began = Timestamp.now
    let staged = try Self.grown(&upload, device, transfer.bytes, VC_MEMORY_UPLOAD)
    transfer.copy(from: picture, to: try staged.contents())
    staged.flush(transfer.bytes)
    times.staging += Timestamp.now.seconds(since: began)
    guard !device.isUnified else { return staged }
    let copied = try Self.grown(&source, device, transfer.bytes, VC_MEMORY_DEVICE)
    recording.copy(staged, to: copied, bytes: transfer.bytes)
    recording.barrier()
    return copied
  }

  /// Returns the buffer that kernels write results for the processor to.
  func landing(_ bytes: Int) throws(VulkanFailure) -> DeviceBuffer {
    device.isUnified
      ? try Self.grown(&download, device, bytes, VC_MEMORY_DOWNLOAD)
      : try Self.grown(&target, device, bytes, VC_MEMORY_DEVICE)
  }

  /// Records the copy of the `landing` buffer to memory that the processor reads.
  func recordReturn(_ bytes: Int) throws(VulkanFailure) {
    guard !device.isUnified, let target else { return }
    recording.barrier()
    recording.copy(target, to: try Self.grown(&download, device, bytes, VC_MEMORY_DOWNLOAD), bytes: bytes)
  }

  /// Copies the result into a picture, after the recording has ended.
  func take(_ transfer: PictureTransfer, into picture: PixelBuffer, firstRow: Int) throws(VulkanFailure) {
    guard let download else { return }
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
    uploads = !device.isUnified && job.source.bytes > 0
    downsamples = job.downsamples
    makeRoom(
      source: job.source.bytes, horizontal: job.downsamples ? job.plan.horizontalBytes : 0,
      downsampled: job.downsamples ? job.plan.downsampledTransfer?.bytes ?? 0 : 0,
      inBetween: job.inBetweenBytes, target: job.target.bytes)
    try recording.begin()
    recording.timestamp(Clock.begin)
    try bring(job.light)
    let (source, sourceLayout) = try recordSource(job.source)
    recording.timestamp(Clock.uploaded)
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
    recording.timestamp(Clock.rendered)
    switch job.target {
    case .picture(_, let transfer, _): try recordReturn(transfer.bytes)
    case .imported where device.isUnified: break
    case .imported(let picture, _):
      recording.barrier()
      recording.copy(target, to: picture.buffer, start: picture.offset, bytes: picture.bytes)
    }
    recording.timestamp(Clock.downloaded)
    try recording.submit()
    self.job = job
  }

  /// Copies light grids to memory that kernels read; records the copy if the device has to do it.
  private func bring(_ grids: LightMemory?) throws(VulkanFailure) {
    guard let nodes = grids.map({ UnsafeRawBufferPointer($0.nodes) }), let first = nodes.baseAddress else {
      return
    }
    let staged = try Self.grown(&lightUpload, device, nodes.count, VC_MEMORY_UPLOAD)
    try staged.contents().copyMemory(from: first, byteCount: nodes.count)
    staged.flush(nodes.count)
    guard !device.isUnified else { return }
    let copied = try Self.grown(&lightSource, device, nodes.count, VC_MEMORY_DEVICE)
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
      let copied = try Self.grown(&self.source, device, picture.bytes, VC_MEMORY_DEVICE)
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
    let work = plan.dispatches(from: sourceLayout, to: targetLayout, downsamples: job.downsamples)
    guard job.downsamples, let transfer = plan.downsampledTransfer else {
      recording.timestamp(Clock.downsampled)
      try record(work, of: plan, from: source, to: target)
      return
    }
    let horizontalRows = try Self.grown(&horizontal, device, work.horizontalBytes, VC_MEMORY_DEVICE)
    let small = try Self.grown(&downsampled, device, transfer.bytes, VC_MEMORY_DEVICE)
    var index = 0
    while index < work.downsampling.count {
      record(work.downsampling[index].horizontal, of: plan, from: source, to: horizontalRows)
      recording.barrier()
      record(work.downsampling[index].vertical, of: plan, from: horizontalRows, to: small)
      recording.barrier()
      index += 1
    }
    recording.timestamp(Clock.downsampled)
    try record(work, of: plan, from: small, to: target)
  }

  /// Records the frame itself, and its sharpening.
  private func record(
    _ work: FrameDispatches, of plan: LoadedPlan, from source: DeviceBuffer, to target: DeviceBuffer
  ) throws(VulkanFailure) {
    guard work.inBetweenBytes > 0 else { return record(work.frame, of: plan, from: source, to: target) }
    let between = try Self.grown(&inBetween, device, work.inBetweenBytes, VC_MEMORY_DEVICE)
    record(work.frame, of: plan, from: source, to: between)
    recording.barrier()
    record(work.sharpening, of: plan, from: between, to: target)
  }

  func record(
    _ dispatches: [Dispatch], of plan: LoadedPlan, from source: DeviceBuffer, to target: DeviceBuffer
  ) {
    var index = 0
    while index < dispatches.count {
      let variant = dispatches[index].variant
      recording.dispatch(
        dispatches[index], plan.kernels[variant], from: source, to: target, tables: plan.tables,
        light: light ?? plan.tables)
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
  var lastTimes: FrameTimes? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Clock.count) { clocks in
      clocks.initialize(repeating: 0)
      guard recording.read(clocks) else { return nil }
      func seconds(_ from: Int, _ to: Int) -> Double {
        clocks[to] > clocks[from] ? Double(clocks[to] - clocks[from]) / 1e9 : 0
      }
      var times = times
      times.upload = uploads ? seconds(Clock.begin, Clock.uploaded) : 0
      times.downsampling = downsamples ? seconds(Clock.uploaded, Clock.downsampled) : 0
      times.kernel = seconds(Clock.downsampled, Clock.rendered)
      times.download = device.isUnified ? 0 : seconds(Clock.rendered, Clock.downloaded)
      return times
    }
  }
}
