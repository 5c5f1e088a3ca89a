import FrameCore
import VulkanCompute

/// A GPU of this machine, or a driver that does a GPU's work on the processor.
public struct VulkanDevice: Sendable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case discrete, integrated, virtual, other
    /// The processor, which Safelight's own kernels use better.
    case software
  }

  /// Counted from 0 on, in the loader's order.
  public let number: Int
  public let name: String
  /// Name and version of the driver.
  public let driver: String
  public let kind: Kind
  /// Such as `1.3.230`.
  public let apiVersion: String
  /// Bytes of memory of its own; of the machine's, where it shares that.
  public let memoryBytes: Int
  /// The same for one device on every day, 32 hexadecimal digits.
  public let uuid: String
  /// Why it cannot be used, without a full stop; nil where it can.
  public let problem: String?

  /// The same for one device and driver.
  let pipelineCacheUUID: String
  let instance: VulkanInstance

  public var isUsable: Bool { problem == nil }

  /// What tests make up.
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

  /// All devices, in the loader's order, those that cannot be used among them.
  ///
  /// - Parameter validate: whether Vulkan's validation layer watches every call to them, for tests.
  /// - Throws: `SafelightError(.device)` where Vulkan is not installed, `.unsupported` where this build has no part of it.
  public static func all(validate: Bool = false) throws -> [VulkanDevice] {
    try speaking { all(of: try VulkanInstance(validate: validate)) }
  }

  static func all(of instance: VulkanInstance) -> [VulkanDevice] {
    (0..<vc_device_count(instance.pointer)).map { VulkanDevice(Int($0), of: instance) }
  }

  /// The device that a user means.
  ///
  /// - Parameters:
  ///   - wanted: its number, or a part of its name in either case; nil chooses the best one: discrete before integrated,
  ///     virtual and software.
  ///   - allowsSoftware: whether the processor will do where `wanted` is nil.
  /// - Throws: `SafelightError` where there is none, or it cannot be used; it says what there is.
  public static func choose(
    _ wanted: String? = nil, from devices: [VulkanDevice], allowsSoftware: Bool = true
  ) throws -> VulkanDevice {
    guard !devices.isEmpty else { throw VulkanFailure(VC_NO_DEVICE, "its loader lists no device").error }
    if let wanted { return try named(wanted, in: devices) }
    let usable = devices.filter { $0.isUsable && (allowsSoftware || $0.kind != .software) }
    // The first of equals: loaders list what is preferred first.
    if let best = usable.min(by: { $0.rank < $1.rank }) { return best }
    if let refused = devices.first(where: { !$0.isUsable }) { throw refused.refusal }
    throw SafelightError(
      .device, "There is no GPU but \(devices[0].name), which is software and slower than the CPU renderer",
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
