/// The rendering engine: one by name, or a choice left to Safelight.
public enum Backend: String, Sendable, Hashable, CaseIterable, Codable {
  /// The faster one of processor and GPU for the plan at hand, as measured on this machine.
  case auto
  /// SIMD kernels on the processor's cores.
  case cpu
  /// Compute shaders on a GPU, through Vulkan.
  case vulkan
  /// Pixel by pixel in double precision, without tables: the reference for the others.
  case reference

  /// Whether a GPU may render.
  package var mayUseGPU: Bool { self == .auto || self == .vulkan }
}
