import VulkanCompute

/// The loader, opened, and what devices it knows.
final class VulkanInstance: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameters:
  ///   - validate: whether Vulkan's validation layer watches every call, for tests.
  ///   - findsHazards: whether it then also looks for commands that lack a barrier between them.
  /// - Throws: `VulkanFailure` where there is no loader, or no validation layer.
  init(validate: Bool, findsHazards: Bool = false) throws {
    let level: Int32 = validate ? (findsHazards ? 2 : 1) : 0
    pointer = try checked { vc_instance_open(level, &$0) }
  }

  deinit { vc_instance_close(pointer) }

  /// What the validation layer complained about: how often, and the first complaint.
  var complaints: (count: Int, first: String) {
    var first = [CChar](repeating: 0, count: 4096)
    let count = vc_instance_complaints(pointer, &first, first.count)
    return (count, first.withUnsafeBytes { text(of: $0) })
  }
}
