import FrameCore

/// Cooling that slows processors down: `cooling_device*/cur_state`. From the first of its steps on it is
/// `fair`, from the half of them on `serious`. Fans, panels and radios cool without making frames late.
struct CoolingDevices: PressureSource {
  private struct Device: Sendable {
    let path: String
    let steps: Double
    let gauge: PressureGauge
  }
  private let folder: String
  private var devices: [Device] = []

  init(root: String) { folder = root + "/sys/class/thermal" }

  mutating func discover() {
    devices = Directory.names(folder).filter { $0.hasPrefix("cooling_device") }.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard let type = SystemFile.line(path + "/type"), Self.slowsDown(type),
        let steps = SystemText.integer(at: path + "/max_state"), steps > 0
      else { return nil }
      let first = 1 / Double(steps)
      return Device(
        path: path + "/cur_state", steps: Double(steps),
        gauge: PressureGauge(
          id: "\(name) \(type)", reason: .throttling, subject: "The cooling device \(type) brakes at",
          unit: .percent,
          limits: [.init(.fair, rise: first, release: first)].filter { $0.rise < 0.5 } + [
            .init(.serious, rise: 0.5, release: 0.35)
          ]))
    }
  }

  func read(into samples: inout [PressureSample], at time: Timestamp) {
    for device in devices {
      // intel_powerclamp shows -1 while it is idle. A state above the last step is one step of a changed
      // driver.
      let share = SystemText.integer(at: device.path).map { min(1, max(0, Double($0) / device.steps)) }
      samples.append(PressureSample(device.gauge, share))
    }
  }

  var unavailable: [SystemPressure.UnavailableSource] {
    devices.isEmpty
      ? [.init(path: folder, sentence: "The kernel has no cooling device that slows a processor down")] : []
  }

  /// Whether a device of this type slows processors down: the kernel's `Processor` (ACPI), `cpufreq-cpu0` or
  /// `thermal-cpufreq-0`, `thermal-idle-0`, `thermal-devfreq-0` (a GPU) and `intel_powerclamp`.
  static func slowsDown(_ type: String) -> Bool {
    type == "Processor"
      || ["cpufreq", "devfreq", "thermal-idle", "powerclamp"].contains { type.contains($0) }
  }
}
