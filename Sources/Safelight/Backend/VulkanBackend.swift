import FrameCore

/// GPUs through Vulkan, in the words of the façade.
enum VulkanBackend {
  static func devices() throws -> [GPUDescription] { throw notBuilt }

  static func open(_ selector: GPUSelector?, allowsSoftware: Bool) throws -> OpenedGPU { throw notBuilt }

  private static var notBuilt: SafelightError {
    SafelightError(.unsupported, "This build of Safelight has no GPU renderer", remedy: "render on the CPU")
  }
}
