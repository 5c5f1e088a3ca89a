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
