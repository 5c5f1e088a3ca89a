import FrameCore

/// How often the processor slowed itself down because it was hot: `thermal_throttle/*_count`, of Intel's
/// processors.
///
/// The counts only grow, so the gauge is their growth in a second. Any growth is `fair`, from 5 a second on
/// `serious`: one event lasts a few milliseconds, and a processor that is kept at its limit has hundreds.
struct ThrottleCounts: PressureSource {
  static let seriousRate = 5.0

  private let folder: String
  private var counters: [(path: String, last: Int?)] = []
  private var time: Timestamp?
  private let gauge = PressureGauge(
    id: "thermal_throttle", reason: .throttling, subject: "The processor slowed itself down because of heat",
    unit: .perSecond,
    limits: [
      .init(.fair, rise: 0.1, release: 0.1),
      .init(.serious, rise: seriousRate, release: 0.7 * seriousRate),
    ])

  init(root: String) { folder = root + "/sys/devices/system/cpu" }

  mutating func discover() {
    var found: [String] = []
    var known: Set<String> = []
    for name in Directory.names(folder).sorted() where Self.isProcessor(name) {
      let path = "\(folder)/\(name)"
      let package = SystemFile.line(path + "/topology/physical_package_id") ?? "0"
      let core = SystemFile.line(path + "/topology/core_id") ?? name
      // Threads of a core, and cores of a package, share a count.
      for (file, owner) in [("package", package), ("core", package + "." + core)] {
        let counter = "\(path)/thermal_throttle/\(file)_throttle_count"
        guard !known.contains(file + owner), SystemText.integer(at: counter) != nil else { continue }
        known.insert(file + owner)
        found.append(counter)
      }
    }
    let last = Dictionary(counters.map { ($0.path, $0.last) }, uniquingKeysWith: { first, _ in first })
    counters = found.map { ($0, last[$0] ?? nil) }
  }

  mutating func read(into samples: inout [PressureSample], at time: Timestamp) {
    guard !counters.isEmpty else { return }
    var most: Int?
    for index in counters.indices {
      let count = SystemText.integer(at: counters[index].path)
      if let count, let last = counters[index].last {
        // A processor that was switched off and on counts from 0 again.
        most = max(most ?? 0, count - last)
      }
      counters[index].last = count
    }
    let seconds = self.time.map { time.seconds(since: $0) } ?? 0
    self.time = time
    guard let most, seconds > 0 else { return }
    samples.append(PressureSample(gauge, Double(most) / seconds))
  }

  var unavailable: [SystemPressure.UnavailableSource] {
    counters.isEmpty
      ? [.init(path: folder, sentence: "The processor does not count how often heat slowed it down")] : []
  }

  /// Whether a name is `cpu` and a number.
  static func isProcessor(_ name: String) -> Bool {
    name.hasPrefix("cpu") && name.count > 3
      && name.dropFirst(3).utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
