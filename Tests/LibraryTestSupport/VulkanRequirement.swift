import Testing

import Safelight

extension Trait where Self == ConditionTrait {
  /// Skips what needs a device of Vulkan, were it Mesa's llvmpipe, where there is none.
  package static var vulkanHasADevice: Self {
    .enabled(if: VulkanDevices.problem == nil, "\(VulkanDevices.problem ?? "there is none")")
  }
}

package enum VulkanDevices {
  /// Why no plan can be rendered; nil where one can.
  package static let problem: String? = {
    do {
      guard try GPUList.all().contains(where: { $0.problem == nil }) else {
        return "no device of Vulkan can be used"
      }
      return nil
    } catch {
      return "\(error)"
    }
  }()
}
