import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A plan as prepared by a Vulkan renderer; loaded again after its device was lost.
public final class VulkanPlan: PreparedPlan, BandedPlan {
  let program: PlanProgram
  /// The renderer that prepared it.
  let renderer: VulkanRenderer
  private let loaded = Mutex<LoadedPlan?>(nil)
  /// Copies the samples of a plan that makes none: no device does that faster than the processor.
  private let copy: CPUPlan?
  /// Finds the light around the pixels of pictures; nil if the plan has no local tone.
  private let light: LightMaker?

  init(_ program: PlanProgram, of renderer: VulkanRenderer, copy: CPUPlan?, light: LightMaker? = nil) {
    self.program = program
    self.renderer = renderer
    self.copy = copy
    self.light = light ?? LightMaker(program.plan)
  }

  public func lit(by proxy: LightProxy) throws -> any PreparedPlan {
    guard let light, light.needsPicture else { return self }
    try plan.check(proxy)
    return VulkanPlan(program, of: renderer, copy: copy, light: light.lit(by: proxy))
  }

  public func following(_ history: LightHistory) -> any PreparedPlan {
    guard let light else { return self }
    return VulkanPlan(program, of: renderer, copy: copy, light: light.following(history))
  }

  public var plan: Plan { program.plan }

  public var bands: (any BandedPlan)? { plan.rendersRows ? self : nil }

  public func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try submit(source, into: output).wait()
  }

  public func submit(_ source: PixelBuffer, into output: PixelBuffer) throws -> PendingFrame {
    if let copy {
      try copy.render(source, into: output)
      return .done
    }
    return try renderer.submit(
      WholeFrame(
        source: source, plan: self, output: output, light: light?.grids(of: source), isSecondTry: false))
  }

  public func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    try plan.check(source)
    try plan.checkRendersRows()
    let light = light?.grids(of: source)
    // Kept in the processor's memory, as rows are asked for whenever it suits.
    let clean =
      program.denoised == nil
      ? source : try renderer.attempt(self) { try renderer.withoutNoise(source, through: $0) }
    let picture = VulkanPicture(clean, plan: self, light: light)
    if program.downsampling != nil {
      _ = try renderer.attempt(self) { loaded in
        try picture.downsampled(on: loaded.context) { try renderer.downsample(clean, through: loaded) }
      }
    }
    return picture
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

/// A picture prepared for a Vulkan plan: if the plan downsamples, with the downsampled picture, wherever it is stored.
final class VulkanPicture: PreparedPicture {
  let plan: VulkanPlan
  /// Without noise if the plan removes it.
  let source: PixelBuffer
  let light: LightMemory?

  enum Downsampled: Sendable {
    case device(DeviceBuffer, PictureTransfer, DeviceContext)
    /// In the processor's memory, if the device's is short.
    case picture(PixelBuffer)
  }
  private let downsampled = Mutex<Downsampled?>(nil)

  init(_ source: PixelBuffer, plan: VulkanPlan, light: LightMemory?) {
    (self.source, self.plan, self.light) = (source, plan, light)
  }

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try plan.renderer.render(self, rows: rows, into: output)
  }

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
