import VulkanRendering

/// Vulkan's GPUs in this module's types.
enum VulkanBackend {
  static func devices() throws -> [GPUDescription] { try VulkanDevice.all().map(GPUDescription.init) }

  static func choose(_ selector: GPUSelector?, allowsSoftware: Bool) throws -> VulkanDevice {
    try VulkanDevice.choose(
      selector?.description, from: VulkanDevice.all(), allowsSoftware: allowsSoftware)
  }

  static func open(_ selector: GPUSelector?, allowsSoftware: Bool, threads: Int?) throws -> OpenedGPU {
    let device = try choose(selector, allowsSoftware: allowsSoftware)
    return OpenedGPU(
      description: GPUDescription(device), vulkan: try VulkanRenderer(on: device, threads: threads))
  }
}

extension GPUDescription {
  init(_ device: VulkanDevice) {
    let kind: Kind =
      switch device.kind {
      case .discrete: .discrete
      case .integrated: .integrated
      case .virtual: .virtual
      case .software: .software
      case .other: .other
      }
    self.init(
      number: device.number, name: device.name, driver: device.driver, kind: kind,
      memoryBytes: device.memoryBytes, vulkanVersion: device.apiVersion, identifier: device.uuid,
      problem: device.problem)
  }
}
