import FilterGraph
import FrameCore
import Rendering
import Synchronization
import VulkanCompute

/// Runs a plan's optimized stages as compute shaders on a GPU.
///
/// Frames go through three lanes of device memory, so that one is uploaded and one downloaded while the device
/// works on a third. Pictures that exceed the memory are rendered in parts. After the first frames, rendering and
/// submitting frames allocates nothing.
///
/// A device that is lost, through a driver fault or by being unplugged, is reopened once per frame and at most
/// three times within a minute; to let the CPU take over after that, wrap the renderer in a `FallbackRenderer`.
public final class VulkanRenderer: Renderer {
  public let name = "vulkan"
  public var backendReport: BackendReport { BackendReport(backend: name, device: device.name) }
  public let device: VulkanDevice
  private let cpu: CPURenderer
  private let memoryLimit: Int?
  private let cacheFile: PipelineCacheFile?
  private let open: Mutex<OpenDevice>
  /// Whether pictures are copied even if they need not be; for tests.
  private let copiesAlways: Bool
  /// Called with every context that is opened; for tests that make devices fail.
  private let onOpening: @Sendable (DeviceContext) -> Void

  /// The open device, and when it was recently reopened.
  private struct OpenDevice {
    var context: DeviceContext
    var reopened: [Timestamp] = []

    /// The number of reopenings within `period` seconds after which a device is given up.
    static let limit = 3
    static let period = 60.0
  }

  let counted = Mutex(FrameTransfers())

  /// Counted since the renderer was made.
  public var transfers: FrameTransfers { counted.withLock { $0 } }

  /// Tables are baked on the processor, whose threads start with the first one.
  public func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try cpu.optimize(draft, options: options)
  }

  public let framesInFlight = LanePool.count

  /// - Parameters:
  ///   - memoryLimit: the maximum bytes of device memory for frames; nil asks the driver.
  ///   - cacheFolder: the folder for compiled kernels; nil for `safelight` in the user's cache folder.
  ///   - threads: the number of threads that bake tables on the processor; nil uses every core.
  /// - Throws: `SafelightError` if the device cannot be used.
  public convenience init(
    on device: VulkanDevice, memoryLimit: Int? = nil, cacheFolder: String? = nil, threads: Int? = nil
  ) throws {
    try self.init(
      on: device, memoryLimit: memoryLimit, cacheFolder: cacheFolder, threads: threads, onOpening: { _ in })
  }

  init(
    on device: VulkanDevice, memoryLimit: Int?, cacheFolder: String?, threads: Int? = nil,
    copiesAlways: Bool = false,
    onOpening: @escaping @Sendable (DeviceContext) -> Void
  ) throws {
    if let problem = device.problem {
      throw VulkanFailure(VC_UNSUITABLE, "\(device.name) \(problem)").error
    }
    self.device = device
    cpu = CPURenderer(threads: threads)
    self.memoryLimit = memoryLimit
    let cacheFile = PipelineCacheFile(uuid: device.pipelineCacheUUID, in: cacheFolder)
    self.cacheFile = cacheFile
    self.copiesAlways = copiesAlways
    self.onOpening = onOpening
    let context = try speaking {
      try DeviceContext(
        device, memoryLimit: memoryLimit, cacheFile: cacheFile, copiesAlways: copiesAlways)
    }
    onOpening(context)
    open = Mutex(OpenDevice(context: context))
  }

  /// The currently open device.
  var context: DeviceContext { open.withLock { $0.context } }

  public func prepare(_ plan: Plan) throws -> VulkanPlan {
    let copy = plan.copiesSamples ? cpu.prepare(plan) : nil
    let prepared = VulkanPlan(try PlanProgram(plan), of: self, copy: copy)
    if copy == nil { try attempt(prepared) { _ in } }
    return prepared
  }

  // MARK: Devices that fail

  /// Calls `body` with the plan on the open device: again with less memory if that was short, and once more on the
  /// reopened device if it was lost.
  func attempt<Value>(_ plan: VulkanPlan, _ body: (LoadedPlan) throws -> Value) throws -> Value {
    var isReopened = false
    while true {
      let context = self.context
      do {
        return try lessening(plan.on(context), body)
      } catch let failure as VulkanFailure {
        guard failure.isLost, !isReopened else { throw failure.error }
        isReopened = true
        try reopen(after: context)
      }
    }
  }

  private func lessening<Value>(_ plan: LoadedPlan, _ body: (LoadedPlan) throws -> Value) throws -> Value {
    while true {
      do {
        return try body(plan)
      } catch let failure as VulkanFailure where failure.isShortOfMemory {
        guard plan.lessen() else { throw plan.memoryError(failure) }
      }
    }
  }

  /// Reopens the device, unless another thread already has.
  ///
  /// - Throws: if reopening fails, or has happened too often: a driver that resets with every other frame is of no
  ///   use.
  private func reopen(after lost: DeviceContext) throws {
    try open.withLock { open in
      guard open.context === lost else { return }
      let now = Timestamp.now
      open.reopened.removeAll { now.seconds(since: $0) > OpenDevice.period }
      guard open.reopened.count < OpenDevice.limit else {
        throw VulkanFailure(
          VC_DEVICE_LOST, "it was lost \(OpenDevice.limit + 1) times within a minute"
        ).error
      }
      open.reopened.append(now)
      open.context = try speaking {
        do {
          return try DeviceContext(
            device, memoryLimit: memoryLimit, cacheFile: cacheFile, copiesAlways: copiesAlways)
        } catch let failure as VulkanFailure {
          throw VulkanFailure(VC_DEVICE_LOST, failure.message)
        }
      }
      onOpening(open.context)
    }
  }

  /// Renders a frame again whose device was lost while it was in flight.
  func recover(_ failed: LanePool.FailedFrame) throws {
    guard failed.failure.isLost, let frame = failed.job.frame, !frame.isSecondTry else {
      throw failed.failure.error
    }
    try reopen(after: failed.job.plan.context)
    try submit(
      WholeFrame(
        source: frame.source, plan: frame.plan, output: frame.output, light: frame.light, isSecondTry: true)
    ).wait()
  }
}
