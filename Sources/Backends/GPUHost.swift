import FrameCore
import Libc

/// The machine's GPUs; tests put others in their place.
package struct GPUHost: Sendable {
  /// Whether the system has a device in which a GPU could be: far cheaper than opening Vulkan, which takes 10 to 100 ms.
  package var mayHaveGPU: @Sendable () -> Bool
  /// All that Vulkan names, usable or not.
  var devices: @Sendable () throws -> [GPUDescription]
  /// The GPU that is named, or else the best one; it is not opened.
  ///
  /// - Throws: `SafelightError` that says why there is none.
  var describe: @Sendable (_ selector: GPUSelector?, _ allowsSoftware: Bool) throws -> GPUDescription
  /// Opens it. Threads are those that bake tables for it; nil uses every core.
  ///
  /// - Throws: `SafelightError` that says why there is none.
  var open: @Sendable (_ selector: GPUSelector?, _ allowsSoftware: Bool, _ threads: Int?) throws -> OpenedGPU

  /// Device files of drivers that Vulkan works on.
  package static let system = GPUHost(
    mayHaveGPU: { GPUNodes.exist(in: "/dev") },
    devices: { try VulkanBackend.devices() },
    describe: { try GPUDescription(VulkanBackend.choose($0, allowsSoftware: $1)) },
    open: { try VulkanBackend.open($0, allowsSoftware: $1, threads: $2) })
}

/// Device files of GPUs.
enum GPUNodes {
  /// Names below `/dev`: the nodes of Linux's own graphics drivers (AMD, Intel, Raspberry Pi, Qualcomm, Nouveau), of which a
  /// card without a renderer has none, then those of NVIDIA's driver, of its Tegra boards, of WSL, and of Arm's and
  /// Qualcomm's own drivers.
  private static let names =
    (128..<136).map { "dri/renderD\($0)" } + ["nvidiactl", "nvhost-gpu", "nvgpu", "dxg", "mali0", "kgsl-3d0"]

  static func exist(in folder: String) -> Bool { names.contains { access("\(folder)/\($0)", F_OK) == 0 } }
}
