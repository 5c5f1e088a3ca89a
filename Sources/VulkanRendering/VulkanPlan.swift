import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A plan as a Vulkan renderer prepared it; on a device anew after that was lost.
final class VulkanPlan: Sendable {
  let program: PlanProgram
  /// Who prepared it.
  let renderer: VulkanRenderer
  private let loaded = Mutex<LoadedPlan?>(nil)

  init(_ program: PlanProgram, of renderer: VulkanRenderer) {
    self.program = program
    self.renderer = renderer
  }

  /// The plan on a device.
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

/// A picture prepared for a plan that reduces: the reduced one, where it lies now.
final class VulkanSource: Sendable {
  enum Reduced: Sendable {
    case device(DeviceBuffer, PictureTransfer, DeviceContext)
    /// Where the device's memory is short.
    case picture(PixelBuffer)
  }
  private let reduced = Mutex<Reduced?>(nil)

  /// The reduced picture; made again by `reduce` where its device was lost.
  func reduced(on context: DeviceContext, _ reduce: () throws -> Reduced) throws -> Reduced {
    try reduced.withLock { reduced in
      switch reduced {
      case .device(_, _, let home)? where home !== context: break
      case let known?: return known
      case nil: break
      }
      reduced = nil
      let made = try reduce()
      reduced = made
      return made
    }
  }
}
