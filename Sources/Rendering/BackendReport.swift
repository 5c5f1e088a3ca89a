/// The backend that rendered, as shown in reports.
public struct BackendReport: Sendable, Hashable, Codable {
  /// `cpu`, `vulkan` or `reference`.
  public var backend: String
  /// The GPU's name; nil if no GPU rendered.
  public var device: String?
  /// Why another backend replaced the intended one; nil if none did.
  public var fallback: String?

  public init(backend: String, device: String? = nil, fallback: String? = nil) {
    (self.backend, self.device, self.fallback) = (backend, device, fallback)
  }

  /// For example `cpu` or `vulkan, NVIDIA H200`.
  public var text: String { backend + (device.map { ", \($0)" } ?? "") }
}
