import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A plan as prepared by a Vulkan renderer; loaded again after its device was lost.
final class VulkanPlan: Sendable {
  let program: PlanProgram
  /// The renderer that prepared it.
  let renderer: VulkanRenderer
  private let loaded = Mutex<LoadedPlan?>(nil)

  init(_ program: PlanProgram, of renderer: VulkanRenderer) {
    self.program = program
    self.renderer = renderer
  }

  /// Returns the plan loaded on a device.
  func on(_ context: DeviceContext) throws -> LoadedPlan {
    try loaded.withLock { loaded in
      if let loaded, loaded.context === context { return loaded }
      loaded = nil
      let made = try load(on: context)
      loaded = made
      return made
    }
  }

  private func load(on context: DeviceContext) throws -> LoadedPlan {
    do {
      return try LoadedPlan(program, on: context, of: renderer)
    } catch let failure as VulkanFailure where failure.isShortOfMemory {
      context.lanes.releaseMemory()
      return try LoadedPlan(program, on: context, of: renderer)
    }
  }
}

/// A picture prepared for a plan that downsamples: the downsampled picture, wherever it is stored.
final class VulkanSource: Sendable {
  enum Downsampled: Sendable {
    case device(DeviceBuffer, PictureTransfer, DeviceContext)
    /// In the processor's memory, if the device's is short.
    case picture(PixelBuffer)
  }
  private let downsampled = Mutex<Downsampled?>(nil)

  /// Returns the downsampled picture; calls `downsample` again if its device was lost.
  func downsampled(on context: DeviceContext, _ downsample: () throws -> Downsampled) throws -> Downsampled {
    try downsampled.withLock { downsampled in
      switch downsampled {
      case .device(_, _, let home)? where home !== context: break
      case let known?: return known
      case nil: break
      }
      downsampled = nil
      let made = try downsample()
      downsampled = made
      return made
    }
  }
}
