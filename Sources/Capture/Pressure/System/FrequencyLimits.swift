import FrameCore

/// Limits of the processor's frequency: `scaling_max_freq` below `cpuinfo_max_freq`.
///
/// A limit that was there from the beginning is somebody's wish to save power, so 5 % and more are `fair`,
/// however deep it is; only what has fallen by 30 % since then is `serious`.
struct FrequencyLimits: PressureSource {
  private struct Policy: Sendable {
    let path: String
    let name: String
    /// In kHz.
    let maximum: Double
    /// The highest limit seen.
    var highest: Double
  }
  private let folder: String
  private var policies: [Policy] = []
  private let limit = PressureGauge(
    id: "scaling_max_freq", reason: .throttling,
    subject: "The processor's frequency is limited below its maximum by",
    unit: .percent, limits: [.init(.fair, rise: 0.05, release: 0.035)])
  private let fall = PressureGauge(
    id: "scaling_max_freq fall", reason: .throttling,
    subject: "The limit of the processor's frequency has fallen since the start by", unit: .percent,
    limits: [.init(.serious, rise: 0.3, release: 0.21)])

  init(root: String) { folder = root + "/sys/devices/system/cpu/cpufreq" }

  mutating func discover() {
    let known = Dictionary(policies.map { ($0.name, $0.highest) }, uniquingKeysWith: max)
    policies = Directory.names(folder).filter { $0.hasPrefix("policy") }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard let maximum = SystemText.integer(at: path + "/cpuinfo_max_freq"), maximum > 0,
        let present = SystemText.integer(at: path + "/scaling_max_freq"), present > 0
      else { return nil }
      return Policy(
        path: path + "/scaling_max_freq", name: name, maximum: Double(maximum),
        highest: max(Double(present), known[name] ?? 0))
    }
  }

  mutating func read(into samples: inout [PressureSample], at time: Timestamp) {
    var (limited, fallen): (Double?, Double?) = (nil, nil)
    for index in policies.indices {
      guard let present = SystemText.integer(at: policies[index].path), present > 0 else { continue }
      let frequency = Double(present)
      policies[index].highest = max(policies[index].highest, frequency)
      limited = max(limited ?? 0, 1 - frequency / policies[index].maximum)
      fallen = max(fallen ?? 0, 1 - frequency / policies[index].highest)
    }
    guard !policies.isEmpty else { return }
    samples.append(PressureSample(limit, limited))
    samples.append(PressureSample(fall, fallen))
  }

  var unavailable: [SystemPressure.UnavailableSource] {
    policies.isEmpty
      ? [.init(path: folder, sentence: "The kernel does not show the processor's frequency limits")] : []
  }
}
