import FrameCore
import Libc

/// The machine's GPUs; tests substitute others.
package struct GPUHost: Sendable {
  /// Whether the system may have a GPU: a far cheaper check than opening Vulkan, which takes 10 to 100 ms.
  package var mayHaveGPU: @Sendable () -> Bool
  /// All devices that Vulkan lists, usable or not.
  var devices: @Sendable () throws -> [GPUDescription]
  /// Describes the named GPU, or the best one, without opening it.
  ///
  /// - Throws: `SafelightError` with the reason if there is none.
  var describe: @Sendable (_ selector: GPUSelector?, _ allowsSoftware: Bool) throws -> GPUDescription
  /// Opens the GPU. `threads` bake tables for it; nil uses every core.
  ///
  /// - Throws: `SafelightError` with the reason if there is none.
  var open: @Sendable (_ selector: GPUSelector?, _ allowsSoftware: Bool, _ threads: Int?) throws -> OpenedGPU

  /// The real GPUs, detected by the device files of drivers that Vulkan uses.
  package static let system = GPUHost(
    mayHaveGPU: { GPUNodes.exist(in: "/dev") },
    devices: { try VulkanBackend.devices() },
    describe: { try GPUDescription(VulkanBackend.choose($0, allowsSoftware: $1)) },
    open: { try VulkanBackend.open($0, allowsSoftware: $1, threads: $2) })
}

/// Device files of GPUs.
enum GPUNodes {
  /// Names below `/dev`: render nodes of Linux's own graphics drivers (AMD, Intel, Raspberry Pi, Qualcomm,
  /// Nouveau), which display-only cards lack, then those of NVIDIA's driver, its Tegra boards, WSL, and Arm's and
  /// Qualcomm's own drivers.
  private static let names =
    (128..<136).map { "dri/renderD\($0)" } + ["nvidiactl", "nvhost-gpu", "nvgpu", "dxg", "mali0", "kgsl-3d0"]

  static func exist(in folder: String) -> Bool { names.contains { access("\(folder)/\($0)", F_OK) == 0 } }
}
