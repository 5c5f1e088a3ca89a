import FrameCore

/// The kernel's thermal zones, measured against their own trip points.
///
/// Within 5 °C of the lowest passive trip is `fair`, that trip `serious`, the lowest hot trip `critical`, and
/// 3 °C below the critical trip `shutdown`, since there the kernel switches the machine off. Source:
/// Documentation/driver-api/thermal/sysfs-api.rst.
struct ThermalZones: PressureSource {
  /// In degrees Celsius.
  static let fairMargin = 5.0
  static let shutdownMargin = 3.0
  static let releaseMargin = 3.0
  static let noise = 2.0
  /// What a sensor of a running machine can show; others are faults, such as -274 for one that is off.
  static let possible = -40.0...200.0

  private struct Zone: Sendable {
    let path: String
    let gauge: PressureGauge
  }
  private let folder: String
  private var zones: [Zone] = []
  private(set) var unavailable: [SystemPressure.UnavailableSource] = []

  init(root: String) { folder = root + "/sys/class/thermal" }

  mutating func discover() {
    let known = zones
    (zones, unavailable) = ([], [])
    let names = Directory.names(folder).filter { $0.hasPrefix("thermal_zone") }.sorted()
    if names.isEmpty {
      unavailable.append(
        .init(path: folder, sentence: "This machine shows no thermal zones, as is usual in virtual ones"))
    }
    for name in names {
      let path = folder + "/" + name
      do throws(Refusal) {
        zones.append(Zone(path: path + "/temp", gauge: try gauge(name, path)))
      } catch {
        // A zone once accepted may be asleep, or hotter than all its trips.
        if let zone = known.first(where: { $0.path == path + "/temp" }) {
          zones.append(zone)
          continue
        }
        unavailable.append(.init(path: path, sentence: error.sentence))
      }
    }
  }

  func read(into samples: inout [PressureSample], at time: Timestamp) {
    for zone in zones { samples.append(PressureSample(zone.gauge, Self.temperature(zone.path))) }
  }

  private struct Refusal: Error { let sentence: String }

  private func gauge(_ name: String, _ path: String) throws(Refusal) -> PressureGauge {
    let type = SystemFile.line(path + "/type") ?? name
    // Its trips are notifications that programs set, and thermald sets them far below where anything is hot.
    // Source: Documentation/driver-api/thermal/x86_pkg_temperature_thermal.rst.
    guard type != "x86_pkg_temp" else {
      throw Refusal(sentence: "The trip points of the zone \(type) are notifications, not limits")
    }
    guard let now = Self.temperature(path + "/temp") else {
      throw Refusal(sentence: "The zone \(type) shows no possible temperature")
    }
    let trips = Self.trips(path)
    let critical = trips.filter { $0.kind == "critical" }.map(\.temperature).min()
    // The kernel would have switched the machine off, so firmware wrote nonsense; some ACPI tables do.
    if let critical, critical <= now {
      throw Refusal(
        sentence: "The critical trip point of the zone \(type), \(PlainNumber.fixed(critical, 1)) °C, "
          + "cannot be true at \(PlainNumber.fixed(now, 1)) °C")
    }
    let ceiling = critical ?? .infinity
    func lowest(_ kind: String) -> Double? {
      trips.filter { $0.kind == kind && $0.temperature < ceiling }.map(\.temperature).min()
    }
    let limits = Self.limits(passive: lowest("passive"), hot: lowest("hot"), critical: critical)
    guard !limits.isEmpty else {
      throw Refusal(sentence: "The zone \(type) has no passive, hot or critical trip point")
    }
    return PressureGauge(
      id: "\(name) \(type)", reason: .thermal, subject: "The thermal zone \(type) is at", unit: .celsius,
      limits: limits, noise: Self.noise)
  }

  /// Returns the limits that trip points mean, in degrees Celsius, by level. Of two that coincide the worse
  /// counts.
  static func limits(passive: Double?, hot: Double?, critical: Double?) -> [PressureGauge.Limit] {
    let wanted: [(SystemPressure.Level, Double?)] = [
      (.fair, passive.map { $0 - fairMargin }), (.serious, passive), (.critical, hot),
      (.shutdown, critical.map { $0 - shutdownMargin }),
    ]
    var limits: [PressureGauge.Limit] = []
    for (level, rise) in wanted {
      guard let rise else { continue }
      limits.removeAll { $0.rise >= rise }
      limits.append(.init(level, rise: rise, release: rise - releaseMargin))
    }
    return limits
  }

  private static func trips(_ path: String) -> [(kind: String, temperature: Double)] {
    var trips: [(kind: String, temperature: Double)] = []
    // Trips are numbered without gaps. The kernel allows 12 on most zones.
    for index in 0..<64 {
      guard let kind = SystemFile.line("\(path)/trip_point_\(index)_type") else { break }
      // A trip that is switched off is 0 or negative.
      guard let temperature = temperature("\(path)/trip_point_\(index)_temp"), temperature > 0 else {
        continue
      }
      trips.append((kind, temperature))
    }
    return trips
  }

  /// Returns the degrees Celsius that a file holds in thousandths; nil if it holds none that can be.
  private static func temperature(_ path: String) -> Double? {
    guard let thousandths = SystemText.integer(at: path) else { return nil }
    let degrees = Double(thousandths) / 1000
    return possible.contains(degrees) ? degrees : nil
  }
}
