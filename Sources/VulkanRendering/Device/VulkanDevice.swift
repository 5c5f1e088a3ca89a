import FrameCore
import VulkanCompute

/// A GPU of this machine, or a driver that emulates one on the processor.
public struct VulkanDevice: Sendable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case discrete, integrated, virtual, other
    /// The processor, which Safelight's own kernels use better.
    case software
  }

  /// Counted from 0, in the loader's order.
  public let number: Int
  public let name: String
  /// The driver's name and version.
  public let driver: String
  public let kind: Kind
  /// For example `1.3.230`.
  public let apiVersion: String
  /// The bytes of the device's own memory, or of the machine's if it shares that.
  public let memoryBytes: Int
  /// Identifies the device permanently; 32 hexadecimal digits.
  public let uuid: String
  /// Why the device cannot be used, without a full stop; nil if it can.
  public let problem: String?

  /// Identifies the device and its driver.
  let pipelineCacheUUID: String
  let instance: VulkanInstance

  public var isUsable: Bool { problem == nil }

  /// Makes a fictitious device for tests.
  init(number: Int, name: String, kind: Kind, problem: String? = nil, instance: VulkanInstance) {
    (self.number, self.name, self.kind, self.problem) = (number, name, kind, problem)
    self.instance = instance
    (driver, apiVersion, memoryBytes, uuid, pipelineCacheUUID) = ("", "", 0, "", "")
  }

  private init(_ number: Int, of instance: VulkanInstance) {
    var info = vc_device_info()
    vc_device_describe(instance.pointer, number, &info)
    self.number = number
    self.instance = instance
    name = withUnsafeBytes(of: info.name) { text(of: $0) }
    driver = withUnsafeBytes(of: info.driver) { text(of: $0) }
    kind =
      switch info.kind {
      case VC_KIND_DISCRETE: .discrete
      case VC_KIND_INTEGRATED: .integrated
      case VC_KIND_VIRTUAL: .virtual
      case VC_KIND_CPU: .software
      default: .other
      }
    apiVersion = "\(info.api_major).\(info.api_minor).\(info.api_patch)"
    memoryBytes = Int(clamping: info.memory_bytes)
    uuid = withUnsafeBytes(of: info.device_uuid) { hexadecimal($0) }
    pipelineCacheUUID = withUnsafeBytes(of: info.pipeline_cache_uuid) { hexadecimal($0) }
    let problem = withUnsafeBytes(of: info.problem) { text(of: $0) }
    self.problem =
      problem.isEmpty
      ? Shader.problem(
        groupInvocations: Int(info.group_invocations), sharedBytes: Int(info.shared_bytes))
      : problem
  }

  /// Returns all devices in the loader's order, including those that cannot be used.
  ///
  /// - Parameter validate: whether Vulkan's validation layer checks every call to them; for tests.
  /// - Throws: `SafelightError(.device)` if Vulkan is not installed, `.unsupported` if this build does not include
  ///   it.
  public static func all(validate: Bool = false) throws -> [VulkanDevice] {
    try speaking { all(of: try VulkanInstance(validate: validate)) }
  }

  static func all(of instance: VulkanInstance) -> [VulkanDevice] {
    (0..<vc_device_count(instance.pointer)).map { VulkanDevice(Int($0), of: instance) }
  }

  /// Returns the requested device.
  ///
  /// - Parameters:
  ///   - wanted: a device number, or a case-insensitive part of its name; nil chooses the best one: discrete
  ///     before integrated, virtual and software.
  ///   - allowsSoftware: whether the processor is acceptable if `wanted` is nil.
  /// - Throws: `SafelightError` if there is none, or if it cannot be used; the error lists the available ones.
  public static func choose(
    _ wanted: String? = nil, from devices: [VulkanDevice], allowsSoftware: Bool = true
  ) throws -> VulkanDevice {
    guard !devices.isEmpty else { throw VulkanFailure(VC_NO_DEVICE, "its loader lists no device").error }
    if let wanted { return try named(wanted, in: devices) }
    let usable = devices.filter { $0.isUsable && (allowsSoftware || $0.kind != .software) }
    // The first of equals: loaders list preferred devices first.
    if let best = usable.min(by: { $0.rank < $1.rank }) { return best }
    if let refused = devices.first(where: { !$0.isUsable }) { throw refused.refusal }
    throw SafelightError(
      .device, "The only GPU is \(devices[0].name), which is software and slower than the CPU renderer",
      remedy: "render on the CPU, or ask for it by name")
  }

  private static func named(_ wanted: String, in devices: [VulkanDevice]) throws -> VulkanDevice {
    let list = devices.map { "\($0.number) (\($0.name))" }.joined(separator: ", ")
    var matches = Int(wanted).map { number in devices.filter { $0.number == number } } ?? []
    if matches.isEmpty, !wanted.isEmpty {
      // A number that no device has may be a part of a name, such as 4090.
      let part = wanted.lowercased()
      matches = devices.filter { $0.name.lowercased().contains(part) }
    }
    guard let found = matches.first(where: \.isUsable) ?? matches.first else {
      throw SafelightError(
        .invalidValue, "There is no GPU “\(wanted)” on this machine", remedy: "choose from \(list)")
    }
    guard found.isUsable else { throw found.refusal }
    return found
  }

  private var rank: Int {
    switch kind {
    case .discrete: 0
    case .integrated: 1
    case .virtual: 2
    case .other: 3
    case .software: 4
    }
  }

  private var refusal: SafelightError {
    VulkanFailure(VC_UNSUITABLE, "\(name) \(problem ?? "is not usable")").error
  }
}

private func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
  bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
}
