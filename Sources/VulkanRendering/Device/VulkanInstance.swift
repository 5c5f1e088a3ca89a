import VulkanCompute

/// The open loader and the devices it knows.
final class VulkanInstance: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameters:
  ///   - validate: whether Vulkan's validation layer checks every call; for tests.
  ///   - findsHazards: whether it also looks for missing barriers between commands.
  /// - Throws: `VulkanFailure` if there is no loader or no validation layer.
  init(validate: Bool, findsHazards: Bool = false) throws {
    let level: Int32 = validate ? (findsHazards ? 2 : 1) : 0
    pointer = try checked { vc_instance_open(level, &$0) }
  }

  deinit { vc_instance_close(pointer) }

  /// The validation layer's complaints: their number, and the first one.
  var complaints: (count: Int, first: String) {
    var first = [CChar](repeating: 0, count: 4096)
    let count = vc_instance_complaints(pointer, &first, first.count)
    return (count, first.withUnsafeBytes { text(of: $0) })
  }
}
