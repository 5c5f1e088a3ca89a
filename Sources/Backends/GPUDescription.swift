import Rendering
import VulkanRendering

/// A GPU as shown in lists and reports.
public struct GPUDescription: Sendable, Hashable, Codable {
  /// The kind of device, as its driver reports it.
  public enum Kind: String, Sendable, Hashable, Codable {
    case discrete, integrated, virtual
    /// The processor behind a driver, such as Mesa's llvmpipe; for tests only, since the CPU backend is faster.
    case software
    case other
  }

  /// The number that `--gpu` accepts, counted from 0.
  public var number: Int
  public var name: String
  /// Name and version of the driver.
  public var driver: String
  public var kind: Kind
  /// The size of the device's own memory in bytes.
  public var memoryBytes: Int
  /// The supported version of Vulkan, such as `1.3.230`.
  public var vulkanVersion: String
  /// 32 hexadecimal digits that stay the same for the same device in the same slot.
  public var identifier: String
  /// Why it cannot be used; nil if it can.
  public var problem: String?

  package init(
    number: Int, name: String, driver: String, kind: Kind, memoryBytes: Int, vulkanVersion: String,
    identifier: String, problem: String? = nil
  ) {
    self.number = number
    self.name = name
    self.driver = driver
    self.kind = kind
    self.memoryBytes = memoryBytes
    self.vulkanVersion = vulkanVersion
    self.identifier = identifier
    self.problem = problem
  }
}

/// A GPU opened for rendering.
package struct OpenedGPU: Sendable {
  package var description: GPUDescription
  package var renderer: any Renderer
  /// The renderer if it is Vulkan's, for measurements of the device; nil in tests.
  package var vulkan: VulkanRenderer?

  package init(description: GPUDescription, renderer: any Renderer) {
    (self.description, self.renderer) = (description, renderer)
  }

  init(description: GPUDescription, vulkan: VulkanRenderer) {
    self.init(description: description, renderer: vulkan)
    self.vulkan = vulkan
  }
}
