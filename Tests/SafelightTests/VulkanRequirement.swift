import Testing

@testable import Safelight

extension Trait where Self == ConditionTrait {
  /// Skips what needs a device of Vulkan, were it Mesa's llvmpipe, where there is none.
  static var vulkanHasADevice: Self {
    .enabled(if: VulkanDevices.problem == nil, "\(VulkanDevices.problem ?? "there is none")")
  }
}

enum VulkanDevices {
  /// Why no plan can be rendered; nil where one can.
  static let problem: String? = {
    do {
      guard try VulkanBackend.devices().contains(where: { $0.problem == nil }) else {
        return "no device of Vulkan can be used"
      }
      return nil
    } catch {
      return "\(error)"
    }
  }()
}
