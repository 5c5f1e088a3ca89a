import FrameCore

/// Programs that wait for memory: above 10 % of the time `serious` if some wait, `critical` if all do. Half
/// of the former is `fair`.
struct MemoryStalls: PressureSource {
  private let root: String
  private let group: ControlGroup
  private var file: StallFile?
  private var gauges: [(kind: String, gauge: PressureGauge)] = []

  init(root: String, group: ControlGroup) { (self.root, self.group) = (root, group) }

  mutating func discover() {
    file = StallFile.find("memory", root: root, group: group)
    guard let file else { return }
    // Above 10 %, not at it; a file has two decimals.
    let limit = 10.0.nextUp
    gauges = [
      (
        "some",
        PressureGauge(
          id: "memory.some", reason: .memory,
          subject: "Some \(file.whose) waited for memory in the last 10 s for", unit: .hundredths,
          limits: [
            .init(.fair, rise: limit / 2, release: 3.5), .init(.serious, rise: limit, release: 7),
          ])
      ),
      (
        "full",
        PressureGauge(
          id: "memory.full", reason: .memory,
          subject: "All \(file.whose) waited for memory in the last 10 s for", unit: .hundredths,
          limits: [.init(.critical, rise: limit, release: 7)])
      ),
    ]
  }

  func read(into samples: inout [PressureSample], at time: Timestamp) {
    guard let file else { return }
    for (kind, gauge) in gauges { samples.append(PressureSample(gauge, file.share(kind))) }
  }

  var unavailable: [SystemPressure.UnavailableSource] { StallFile.unavailable("memory", root, file) }
}

/// Programs that wait for a processor. Our own threads are among them, so it is `fair` at most.
struct ProcessorStalls: PressureSource {
  /// In percent of the time.
  static let fair = 25.0

  private let root: String
  private let group: ControlGroup
  private var file: StallFile?

  init(root: String, group: ControlGroup) { (self.root, self.group) = (root, group) }

  mutating func discover() { file = StallFile.find("cpu", root: root, group: group) }

  func read(into samples: inout [PressureSample], at time: Timestamp) {
    guard let file else { return }
    let gauge = PressureGauge(
      id: "cpu.some", reason: .cpu, subject: "Some \(file.whose) waited for a processor in the last 10 s for",
      unit: .hundredths, limits: [.init(.fair, rise: Self.fair, release: 0.7 * Self.fair)])
    samples.append(PressureSample(gauge, file.share("some")))
  }

  var unavailable: [SystemPressure.UnavailableSource] { StallFile.unavailable("cpu", root, file) }
}

extension StallFile {
  fileprivate static func unavailable(
    _ resource: String, _ root: String, _ file: StallFile?
  ) -> [SystemPressure.UnavailableSource] {
    guard file == nil else { return [] }
    return [
      .init(
        path: "\(root)/proc/pressure/\(resource)",
        sentence: "The kernel does not tell how long programs wait; it was built or started without PSI")
    ]
  }
}

/// Memory that programs can still get without swapping: `MemAvailable` in /proc/meminfo.
///
/// Less than a tenth of all is `fair`, half of that `serious`, a quarter of it `critical`; of large machines
/// a gigabyte counts as the tenth.
struct FreeMemory: PressureSource {
  static let largestMark = 1_073_741_824.0

  private let path: String
  private var gauge: PressureGauge?
  private var mark = 0.0

  init(root: String) { path = root + "/proc/meminfo" }

  mutating func discover() {
    let total = SystemText.read(path) { Self.bytes("MemTotal:", $0) } ?? 0
    // Kernels before 3.14 do not tell what is available.
    guard total > 0, available != nil else {
      gauge = nil
      return
    }
    mark = min(total / 10, Self.largestMark)
    gauge = PressureGauge(
      id: "MemAvailable", reason: .memory, subject: "The memory left is", unit: .bytesFree(mark: mark),
      limits: [
        .init(.fair, rise: 1, release: 0.7), .init(.serious, rise: 2, release: 1.4),
        .init(.critical, rise: 4, release: 2.8),
      ])
  }

  func read(into samples: inout [PressureSample], at time: Timestamp) {
    guard let gauge else { return }
    samples.append(PressureSample(gauge, available.map { mark / max($0, 1) }))
  }

  private var available: Double? { SystemText.read(path) { Self.bytes("MemAvailable:", $0) } }

  /// Returns the bytes that a line of /proc/meminfo tells in kB of 1024 bytes.
  static func bytes(_ key: String, _ text: UnsafeRawBufferPointer) -> Double? {
    SystemText.number(of: "", inLine: key, text).map { $0 * 1024 }
  }

  var unavailable: [SystemPressure.UnavailableSource] {
    gauge == nil ? [.init(path: path, sentence: "The kernel does not tell how much memory is left")] : []
  }
}
