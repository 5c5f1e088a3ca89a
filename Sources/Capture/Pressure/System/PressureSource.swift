import FrameCore

/// A place of the system that tells of pressure.
protocol PressureSource: Sendable {
  /// Looks again for what can be read; devices come and go.
  mutating func discover()
  /// Appends one sample for each gauge found.
  mutating func read(into samples: inout [PressureSample], at time: Timestamp)
  /// What `discover` looked for and did not find.
  var unavailable: [SystemPressure.UnavailableSource] { get }
}

/// All sources of the system, below one root.
struct SystemPressureSources: Sendable {
  /// Devices are looked for again after this many seconds.
  static let rediscovery = 60.0

  private var sources: [any PressureSource]
  private var discovered: Timestamp?
  private(set) var unavailable: [SystemPressure.UnavailableSource] = []
  private var samples: [PressureSample] = []

  /// - Parameter root: what stands before `/sys` and `/proc`; empty for the machine itself.
  init(root: String = "") {
    let group = ControlGroup(root: root)
    sources = [
      ThermalZones(root: root), ThrottleCounts(root: root), CoolingDevices(root: root),
      FrequencyLimits(root: root), MemoryStalls(root: root, group: group), FreeMemory(root: root),
      ProcessorStalls(root: root, group: group),
    ]
  }

  /// Reads every source.
  mutating func read(at time: Timestamp) -> [PressureSample] {
    if discovered.map({ time.seconds(since: $0) >= Self.rediscovery }) ?? true {
      discovered = time
      for index in sources.indices { sources[index].discover() }
      unavailable = sources.flatMap(\.unavailable)
    }
    samples.removeAll(keepingCapacity: true)
    for index in sources.indices { sources[index].read(into: &samples, at: time) }
    return samples
  }
}
