import FrameCore
import Testing
import VulkanCompute

@testable import VulkanRendering

@Suite("Vulkan devices")
struct VulkanDeviceTests {
  /// Devices that tests make up, without any of which the loader knows.
  private func devices(_ list: [(String, VulkanDevice.Kind, problem: String?)]) throws -> [VulkanDevice] {
    let instance = try TestDevice.device().instance
    return list.enumerated().map {
      VulkanDevice(
        number: $0, name: $1.0, kind: $1.1, problem: $1.problem, instance: instance)
    }
  }

  private func choice(
    _ wanted: String?, _ devices: [VulkanDevice], allowsSoftware: Bool = true
  ) -> String {
    do {
      return try VulkanDevice.choose(wanted, from: devices, allowsSoftware: allowsSoftware).name
    } catch { return "\(error)" }
  }

  @Test(
    "are chosen by number, by a part of the name, or by kind",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func choices() throws {
    let all = try devices([
      ("llvmpipe (LLVM 15)", .software, nil), ("Intel Iris Xe", .integrated, nil),
      ("NVIDIA RTX 3050", .discrete, nil), ("NVIDIA GT 640", .discrete, "has Vulkan 1.2; 1.3 is needed"),
    ])
    #expect(choice(nil, all) == "NVIDIA RTX 3050")
    #expect(choice(nil, Array(all[0...1])) == "Intel Iris Xe")
    #expect(choice(nil, Array(all[0...0])) == "llvmpipe (LLVM 15)")
    #expect(choice("1", all) == "Intel Iris Xe")
    #expect(choice("nvidia", all) == "NVIDIA RTX 3050")
    // A number that no device has, and a part of a name.
    #expect(choice("3050", all) == "NVIDIA RTX 3050")
    #expect(choice("IRIS", all) == "Intel Iris Xe")
    #expect(choice("0", all, allowsSoftware: false) == "llvmpipe (LLVM 15)")
  }

  @Test(
    "that are not there or cannot be used are named, with what there is",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func refusals() throws {
    let all = try devices([
      ("llvmpipe", .software, nil), ("NVIDIA GT 640", .discrete, "has Vulkan 1.2; 1.3 is needed"),
    ])
    #expect(
      choice("7", all)
        == "There is no GPU “7” on this machine; choose from 0 (llvmpipe), 1 (NVIDIA GT 640).")
    #expect(
      choice("radeon", all)
        == "There is no GPU “radeon” on this machine; choose from 0 (llvmpipe), 1 (NVIDIA GT 640).")
    #expect(choice("", all).hasPrefix("There is no GPU “”"))
    #expect(
      choice("gt", all)
        == "The GPU cannot be used: NVIDIA GT 640 has Vulkan 1.2; 1.3 is needed; update its driver, choose another "
        + "one, or render on the CPU.")
    #expect(
      choice(nil, [all[1]], allowsSoftware: false).hasPrefix("The GPU cannot be used: NVIDIA GT 640 has"))
    #expect(
      choice(nil, [all[0]], allowsSoftware: false)
        == "The only GPU is llvmpipe, which is software and slower than the CPU renderer; render on the CPU, "
        + "or ask for it by name.")
    #expect(choice(nil, []).hasPrefix("Vulkan finds no GPU on this machine: "))
  }

  /// Where this one is skipped, no other test of the renderer says anything of Vulkan's rules.
  @Test("are watched by the validation layer in tests", .needsValidation)
  func validation() throws {
    #expect(TestDevice.isValidated)
    try TestDevice.expectNoComplaints()
  }

  @Test("are described", .enabled(if: TestDevice.isThere, TestDevice.absence))
  func description() throws {
    for (index, device) in try VulkanDevice.all().enumerated() {
      #expect(device.number == index)
      #expect(!device.name.isEmpty)
      #expect(device.uuid.count == 32)
      #expect(device.apiVersion.split(separator: ".").count == 3)
      if device.isUsable { #expect(device.memoryBytes > 0) }
    }
  }

  @Test("and their failures are told in sentences with a remedy")
  func sentences() {
    let all = [
      VC_NOT_BUILT, VC_NO_LOADER, VC_NO_DEVICE, VC_UNSUITABLE, VC_OUT_OF_DEVICE_MEMORY, VC_OUT_OF_HOST_MEMORY,
      VC_DEVICE_LOST, VC_TOO_LARGE, VC_TIMEOUT, VC_FAILED,
    ]
    for status in all {
      let error = VulkanFailure(status, "libvulkan.so.1: cannot open").error
      #expect(error.remedy.contains("CPU"))
      #expect(!error.description.contains(".."))
      #expect(status == VC_NOT_BUILT || error.problem.contains("libvulkan.so.1: cannot open"))
      let isShort = status == VC_OUT_OF_DEVICE_MEMORY || status == VC_OUT_OF_HOST_MEMORY
      #expect((error.code == .noMemory) == isShort && (error.code == .tooLarge) == (status == VC_TOO_LARGE))
    }
    #expect(
      VulkanFailure(VC_NO_LOADER, "libvulkan.so.1: cannot open").error.description
        == "Vulkan is not installed on this machine: libvulkan.so.1: cannot open; install its loader and a driver, "
        + "such as libvulkan1 and mesa-vulkan-drivers (Debian, Ubuntu), or render on the CPU.")
  }
}
