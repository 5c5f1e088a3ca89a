/// What renders: an engine by name, or the choice left to Safelight.
public enum Backend: String, Sendable, Hashable, CaseIterable, Codable {
  /// The faster one of processor and GPU for the plan at hand, as measured on this machine.
  case auto
  /// SIMD kernels on the processor's cores.
  case cpu
  /// Compute shaders on a GPU, through Vulkan.
  case vulkan
  /// Pixel by pixel in double precision, without tables: what the others are compared with.
  case reference

  /// Whether a GPU may render.
  public var mayUseGPU: Bool { self == .auto || self == .vulkan }
}

/// What rendered, as reports tell it.
public struct BackendReport: Sendable, Hashable, Codable {
  /// `cpu`, `vulkan` or `reference`.
  public var backend: String
  /// The GPU's name; nil where none rendered.
  public var device: String?
  /// Why another backend took the place of the one that was to render; nil where none did.
  public var fallback: String?

  public init(backend: String, device: String? = nil, fallback: String? = nil) {
    (self.backend, self.device, self.fallback) = (backend, device, fallback)
  }

  /// `cpu`, `vulkan, NVIDIA H200`.
  public var text: String { backend + (device.map { ", \($0)" } ?? "") }
}
