import Rendering

/// A GPU, as lists and reports tell it.
public struct GPUDescription: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable {
    case discrete, integrated, virtual
    /// The processor behind a driver, such as Mesa's llvmpipe: for tests, since the CPU backend is faster.
    case software
    case other
  }

  /// What `--gpu` takes, from 0 on.
  public var number: Int
  public var name: String
  /// Name and version of the driver.
  public var driver: String
  public var kind: Kind
  /// Of the device's own memory, bytes.
  public var memoryBytes: Int
  /// The version of Vulkan that it has, such as `1.3.230`.
  public var vulkanVersion: String
  /// The same for the same device in the same place, 32 hexadecimal digits.
  public var identifier: String
  /// Why it cannot be used; nil where it can.
  public var problem: String?

  public init(
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

/// A GPU that renders.
public struct OpenedGPU: Sendable {
  public var description: GPUDescription
  public var renderer: any Renderer

  public init(description: GPUDescription, renderer: any Renderer) {
    (self.description, self.renderer) = (description, renderer)
  }
}
