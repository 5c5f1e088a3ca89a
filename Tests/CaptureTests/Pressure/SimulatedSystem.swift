import TestSupport

@testable import Capture

/// A root with files of /sys and /proc as a machine has them.
struct SimulatedSystem {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  var root: String { scratch.path }

  func set(_ path: String, _ text: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try scratch.makeFolder(folder)
    try scratch.write(text + "\n", to: path)
  }

  /// A thermal zone with trip points in degrees Celsius.
  func setZone(
    _ number: Int, type: String = "cpu-thermal", at temperature: Double,
    trips: [(kind: String, temperature: Double)]
  ) throws {
    let zone = "sys/class/thermal/thermal_zone\(number)"
    try set(zone + "/type", type)
    for (index, trip) in trips.enumerated() {
      try set("\(zone)/trip_point_\(index)_type", trip.kind)
      try set("\(zone)/trip_point_\(index)_temp", "\(Int(trip.temperature * 1000))")
    }
    try setTemperature(number, temperature)
  }

  func setTemperature(_ zone: Int, _ temperature: Double) throws {
    try set("sys/class/thermal/thermal_zone\(zone)/temp", "\(Int((temperature * 1000).rounded()))")
  }

  func setMemory(total: Int, available: Int) throws {
    try set(
      "proc/meminfo",
      "MemTotal:       \(total) kB\nMemFree:        104320 kB\nMemAvailable:   \(available) kB\nBuffers: 1 kB"
    )
  }

  func setStalls(_ path: String, some: Double, full: Double) throws {
    try set(
      path,
      "some avg10=\(two(some)) avg60=0.00 avg300=0.00 total=123456\n"
        + "full avg10=\(two(full)) avg60=0.00 avg300=0.00 total=4711")
  }

  private func two(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }

  func setFrequency(policy: Int, limit: Int, maximum: Int) throws {
    let folder = "sys/devices/system/cpu/cpufreq/policy\(policy)"
    try set(folder + "/scaling_max_freq", "\(limit)")
    try set(folder + "/cpuinfo_max_freq", "\(maximum)")
  }

  func setThrottleCount(cpu: Int, core: Int, package: Int, ofCore: Int, ofPackage: Int) throws {
    let folder = "sys/devices/system/cpu/cpu\(cpu)"
    try set(folder + "/topology/physical_package_id", "\(package)")
    try set(folder + "/topology/core_id", "\(core)")
    try set(folder + "/thermal_throttle/core_throttle_count", "\(ofCore)")
    try set(folder + "/thermal_throttle/package_throttle_count", "\(ofPackage)")
  }

  func setCooling(_ number: Int, type: String, state: Int, of maximum: Int) throws {
    let folder = "sys/class/thermal/cooling_device\(number)"
    try set(folder + "/type", type)
    try set(folder + "/cur_state", "\(state)")
    try set(folder + "/max_state", "\(maximum)")
  }
}

extension SystemPressure.Level {
  /// One letter for drawn traces: `-` nominal, f, s, c, and X for shutdown.
  var letter: Character {
    switch self {
    case .nominal: "-"
    case .fair: "f"
    case .serious: "s"
    case .critical: "c"
    case .shutdown: "X"
    }
  }
}
