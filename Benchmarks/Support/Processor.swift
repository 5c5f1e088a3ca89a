import Safelight

/// A kind of processor, as Linux names it. The name alone is not enough: three generations of AMD's are called
/// “AMD EPYC”.
public struct Processor: Sendable, Hashable {
  /// The vendor, such as “AuthenticAMD” or “GenuineIntel”; on Arm, the implementer's number.
  public var vendor: String
  /// The family; on Arm, the architecture and the part number.
  public var family, model: String
  public var name: String

  public init(vendor: String, family: String, model: String, name: String) {
    (self.vendor, self.family, self.model, self.name) = (vendor, family, model, name)
  }

  /// Reads the contents of /proc/cpuinfo.
  public init(cpuinfo: String) {
    var values: [String: String] = [:]
    for line in cpuinfo.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let value = line[line.index(after: colon)...].split(separator: " ").joined(separator: " ")
      // The first of several processors.
      if values[key] == nil { values[key] = value }
    }
    vendor = values["vendor_id"] ?? values["CPU implementer"] ?? "unknown"
    family = values["cpu family"] ?? values["CPU architecture"] ?? "unknown"
    model = values["model"] ?? values["CPU part"] ?? "unknown"
    name = values["model name"] ?? "a processor"
  }

  /// This machine's processor.
  public static var current: Processor { Processor(cpuinfo: textFile("/proc/cpuinfo") ?? "") }

  /// For example “amd-family-26”.
  public var familyIdentifier: String {
    let makers = ["AuthenticAMD": "amd", "GenuineIntel": "intel", "0x41": "arm", "0x61": "apple"]
    let maker = makers[vendor] ?? vendor.lowercased().filter { $0.isLetter || $0.isNumber }
    return "\(maker)-family-\(family)"
  }

  /// For example “amd-family-25-model-17”: the key of results pages and of bars' floors.
  public var identifier: String { "\(familyIdentifier)-model-\(model)" }

  /// Returns the one of `identifiers` for this processor: that of its model, or else that of its family if no
  /// model is named; nil if there is neither.
  public func identifier(among identifiers: some Collection<String>) -> String? {
    [identifier, familyIdentifier].first { identifiers.contains($0) }
  }
}

extension Processor: CustomStringConvertible {
  /// For example “AMD EPYC (AuthenticAMD family 25 model 17)”.
  public var description: String { "\(name) (\(vendor) family \(family) model \(model))" }
}
