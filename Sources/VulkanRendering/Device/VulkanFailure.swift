import FrameCore
import VulkanCompute

/// The failure of a device call, passed up to code that can handle it.
struct VulkanFailure: Error {
  let status: vc_status
  /// What failed and why, without a full stop.
  let message: String

  init(_ status: vc_status, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: vc_error) {
    status = error.status
    message = withUnsafeBytes(of: error.message) { text(of: $0) }
  }

  var isLost: Bool { status == VC_DEVICE_LOST }

  /// Whether smaller buffers may succeed.
  var isShortOfMemory: Bool {
    status == VC_OUT_OF_DEVICE_MEMORY || status == VC_OUT_OF_HOST_MEMORY || status == VC_TOO_LARGE
  }

  /// The failure as an error for users.
  var error: SafelightError {
    switch status {
    case VC_NOT_BUILT:
      SafelightError(
        .unsupported, "This build of Safelight has no GPU renderer, since Vulkan's headers were missing",
        remedy:
          "install libvulkan-dev and glslang-tools (Debian, Ubuntu) and build again, or render on the CPU")
    case VC_NO_LOADER:
      SafelightError(
        .device, "Vulkan is not installed on this machine: \(message)",
        remedy:
          "install its loader and a driver, such as libvulkan1 and mesa-vulkan-drivers (Debian, Ubuntu), "
          + "or render on the CPU")
    case VC_NO_DEVICE:
      SafelightError(
        .device, "Vulkan finds no GPU on this machine: \(message)",
        remedy: "install the GPU's driver, such as mesa-vulkan-drivers (Debian, Ubuntu), or render on the CPU"
      )
    case VC_UNSUITABLE:
      SafelightError(
        .device, "The GPU cannot be used: \(message)",
        remedy: "update its driver, choose another one, or render on the CPU")
    case VC_OUT_OF_DEVICE_MEMORY, VC_OUT_OF_HOST_MEMORY:
      SafelightError(
        .noMemory, "The GPU does not have enough memory: \(message)",
        remedy: "close programs that use it, or render on the CPU")
    case VC_TOO_LARGE:
      SafelightError(
        .tooLarge, "The GPU has a limit that the picture exceeds: \(message)", remedy: "render it on the CPU")
    case VC_DEVICE_LOST:
      SafelightError(
        .device, "The GPU stopped working and could not be restarted: \(message)",
        remedy: "look at the kernel's log (dmesg), update the GPU's driver, or render on the CPU")
    default:
      SafelightError(
        .device, "The GPU failed: \(message)", remedy: "update its driver, or render on the CPU")
    }
  }
}

/// The text of a null-terminated C array of characters.
func text(of bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

/// Calls `body`, which reports failure through its argument and by returning nil.
func checked<Value>(_ body: (inout vc_error) -> Value?) throws(VulkanFailure) -> Value {
  var error = vc_error()
  guard let value = body(&error) else { throw VulkanFailure(error) }
  return value
}

/// As above, for functions that return 0 on failure.
func checked(_ body: (inout vc_error) -> Int32) throws(VulkanFailure) {
  var error = vc_error()
  guard body(&error) != 0 else { throw VulkanFailure(error) }
}

/// Calls `body` and turns device failures into errors for users.
func speaking<Value>(_ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let failure as VulkanFailure {
    throw failure.error
  }
}
