import FrameCore
import TestSupport
import Testing

@testable import Capture

/// Files as machines have them, read through every source and judged by the state machine.
@Suite("Sources of pressure")
struct SystemPressureSourcesTests {
  /// Reads `count` times, two seconds apart, changing files before each reading.
  private func pressures(
    _ system: SimulatedSystem, _ count: Int, change: (Int) throws -> Void = { _ in }
  ) throws -> [SystemPressure] {
    var sources = SystemPressureSources(root: system.root)
    var meter = PressureMeter()
    return try (0..<count).map { index in
      try change(index)
      let time = Timestamp(nanoseconds: Int64(index) * 2_000_000_000)
      let samples = sources.read(at: time)
      _ = meter.read(samples, unavailable: sources.unavailable, at: time)
      return meter.pressure
    }
  }

  private func drawn(_ pressures: [SystemPressure], _ reason: SystemPressure.Reason? = nil) -> String {
    String(pressures.map { pressure in (reason.map { pressure[$0] } ?? pressure.level).letter })
  }

  @Test("A trace of a warming and cooling laptop gives exactly these levels")
  func trace() throws {
    let system = try SimulatedSystem()
    try system.setZone(
      0, type: "acpitz", at: 50, trips: [("active", 60), ("passive", 95), ("hot", 105), ("critical", 115)])
    let trace: [(temperature: Double, level: Character)] = [
      (71, "-"), (78, "-"), (84.5, "-"), (89.9, "-"), (90, "-"), (92.5, "f"), (95.2, "f"), (94.8, "f"),
      (95.5, "f"), (96.1, "f"), (97.4, "s"), (99, "s"), (104, "s"), (107.5, "s"), (108, "c"), (106, "c"),
      (101.9, "c"), (99, "c"), (96, "c"), (95, "c"), (93, "c"), (91.5, "s"), (91, "s"), (88, "s"), (86, "s"),
      (85, "s"), (84, "f"), (83, "f"), (83, "f"), (82, "f"), (81, "f"), (80, "-"), (79, "-"),
    ]
    let pressures = try pressures(system, trace.count) { try system.setTemperature(0, trace[$0].temperature) }
    #expect(drawn(pressures) == String(trace.map(\.level)))
    #expect(
      pressures[15].causes.map(\.sentence)
        == ["The thermal zone acpitz is at 106.0 °C; 105.0 °C and more are critical"])
  }

  @Test("The hottest zone against its own trip points decides, not the hottest zone")
  func zones() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, type: "gpu-thermal", at: 93, trips: [("passive", 105), ("critical", 120)])
    try system.setZone(1, type: "skin", at: 46, trips: [("passive", 45), ("passive", 48), ("critical", 70)])
    let last = try #require(try pressures(system, 2).last)
    #expect(last.level == .serious && last.causes.count == 1)
    #expect(last.worst?.sentence == "The thermal zone skin is at 46.0 °C; 45.0 °C and more are serious")
  }

  @Test("Zones without meaning are named with the reason and never read")
  func meaninglessZones() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, type: "x86_pkg_temp", at: 80, trips: [("passive", 55)])
    try system.setZone(1, type: "iwlwifi", at: 40, trips: [])
    try system.setZone(2, type: "acpitz", at: 27.8, trips: [("critical", 20.8)])
    try system.setZone(3, type: "off", at: -273.2, trips: [("critical", 100)])
    try system.setZone(4, type: "sleeping", at: 40, trips: [("passive", -274), ("active", 50)])
    try system.set("sys/class/thermal/thermal_zone5/temp", "not a number")
    let last = try #require(try pressures(system, 3).last)
    #expect(last.level == .nominal)
    let zones = last.unavailable.filter { $0.path.contains("thermal_zone") }.map(\.sentence)
    #expect(
      zones == [
        "The trip points of the zone x86_pkg_temp are notifications, not limits",
        "The zone iwlwifi has no passive, hot or critical trip point",
        "The critical trip point of the zone acpitz, 20.8 °C, cannot be true at 27.8 °C",
        "The zone off shows no possible temperature",
        "The zone sleeping has no passive, hot or critical trip point",
        "The zone thermal_zone5 shows no possible temperature",
      ])
  }

  @Test("A zone that cannot be read any more keeps its level for ten seconds")
  func lostZone() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, at: 97, trips: [("passive", 95)])
    let pressures = try pressures(system, 9) { index in
      if index == 2 { try system.set("sys/class/thermal/thermal_zone0/temp", "") }
    }
    #expect(drawn(pressures) == "-sssss---")
  }

  @Test("An empty root is no pressure, and every source is named once")
  func emptyRoot() throws {
    let system = try SimulatedSystem()
    let last = try #require(try pressures(system, 2).last)
    #expect(last.level == .nominal && last.causes.isEmpty)
    let paths = last.unavailable.map { String($0.path.dropFirst(system.root.count)) }
    #expect(
      paths == [
        "/sys/class/thermal", "/sys/devices/system/cpu", "/sys/class/thermal",
        "/sys/devices/system/cpu/cpufreq", "/proc/pressure/memory", "/proc/meminfo", "/proc/pressure/cpu",
      ])
  }

  @Test("The processor's own throttling is its counts' growth; cores and packages count once")
  func throttleCounts() throws {
    let system = try SimulatedSystem()
    // Growth of the counts before each reading; the second thread of the core shows the same count.
    let growth = [0, 0, 0, 3, 4, 40, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    var count = 123_456
    let pressures = try pressures(system, growth.count) { index in
      count += growth[index]
      for cpu in 0..<2 {
        try system.setThrottleCount(cpu: cpu, core: 0, package: 0, ofCore: count, ofPackage: 7)
      }
      try system.set("sys/devices/system/cpu/cpufreq/none", "")
      try system.set("sys/devices/system/cpu/cpuidle/none", "")
    }
    // 1.5, 2, 20 and 30 a second.
    #expect(drawn(pressures) == "----ffssssssfffff")
    #expect(
      pressures[6].worst?.sentence
        == "The processor slowed itself down because of heat 30.0 a second; 5.0 a second and more are serious"
    )
  }

  @Test("A count that begins anew is no throttling")
  func throttleCountsReset() throws {
    let system = try SimulatedSystem()
    let pressures = try pressures(system, 5) { index in
      try system.setThrottleCount(
        cpu: 0, core: 0, package: 0, ofCore: [900, 900, 0, 0, 0][index], ofPackage: 0)
    }
    #expect(drawn(pressures) == "-----")
  }

  @Test("Cooling that slows processors down counts; fans and screens do not")
  func coolingDevices() throws {
    let system = try SimulatedSystem()
    try system.setCooling(0, type: "Fan", state: 1, of: 1)
    try system.setCooling(1, type: "LCD", state: 9, of: 10)
    try system.setCooling(2, type: "intel_powerclamp", state: -1, of: 50)
    try system.setCooling(3, type: "Processor", state: 0, of: 10)
    let states = [0, 1, 1, 5, 5, 5]
    let pressures = try pressures(system, states.count) {
      try system.setCooling(3, type: "Processor", state: states[$0], of: 10)
    }
    #expect(drawn(pressures, .throttling) == "--ffss")
    #expect(
      pressures[5].worst?.sentence
        == "The cooling device Processor brakes at 50.0 %; 50.0 % and more are serious")
  }

  @Test("A frequency limited from the beginning is fair at most, a fall of 30 % serious")
  func frequencyLimits() throws {
    let system = try SimulatedSystem()
    // Performance and efficiency cores; the user caps the latter to save power.
    try system.setFrequency(policy: 0, limit: 4_000_000, maximum: 4_000_000)
    try system.setFrequency(policy: 4, limit: 1_000_000, maximum: 3_000_000)
    let limits = [4_000_000, 4_000_000, 4_000_000, 2_700_000, 2_700_000]
    let pressures = try pressures(system, limits.count) {
      try system.setFrequency(policy: 0, limit: limits[$0], maximum: 4_000_000)
    }
    #expect(drawn(pressures, .throttling) == "-fffs")
    #expect(
      pressures[4].worst?.sentence
        == "The limit of the processor's frequency has fallen since the start by 32.5 %; "
        + "30.0 % and more are serious")
  }

  @Test("More than 10 % of some waiting for memory is serious, of all critical; 10 % is not more")
  func memoryStalls() throws {
    let system = try SimulatedSystem()
    let shares: [(some: Double, full: Double)] = [
      (4.9, 0), (5.2, 0), (5.2, 0), (10, 10), (10, 10), (10.01, 0), (10.01, 0), (40, 10.01), (40, 10.01),
    ]
    let pressures = try pressures(system, shares.count) {
      try system.setStalls("proc/pressure/memory", some: shares[$0].some, full: shares[$0].full)
    }
    #expect(drawn(pressures, .memory) == "--ffffssc")
    #expect(
      pressures[8].worst?.sentence
        == "All programs of this machine waited for memory in the last 10 s for 10.0 %; "
        + "10.0 % and more are critical")
  }

  @Test("The control group's own stalls count before the machine's", arguments: ["", "/unified"])
  func controlGroup(mount: String) throws {
    let system = try SimulatedSystem()
    try system.set("proc/self/cgroup", "4:memory:/x\n1:name=systemd:/y\n0::/user.slice/app.scope")
    try system.setStalls("proc/pressure/memory", some: 80, full: 80)
    try system.setStalls(
      "sys/fs/cgroup\(mount)/user.slice/app.scope/memory.pressure", some: 12, full: 0)
    let last = try #require(try pressures(system, 2).last)
    #expect(last.level == .serious)
    #expect(
      last.worst?.sentence
        == "Some programs of this control group waited for memory in the last 10 s for 12.0 %; "
        + "10.0 % and more are serious")
  }

  @Test("Waiting for processors is fair at most, since our own work causes it")
  func processorStalls() throws {
    let system = try SimulatedSystem()
    try system.setStalls("proc/pressure/cpu", some: 100, full: 0)
    let pressures = try pressures(system, 20)
    #expect(pressures.allSatisfy { $0.level <= .fair } && pressures.last?.level == .fair)
  }

  @Test("Little memory left: a tenth, a twentieth, a fortieth; of large machines a gigabyte is the tenth")
  func freeMemory() throws {
    for (total, mark) in [(4_000_000, 400_000), (64_000_000, 1_048_576)] {
      let system = try SimulatedSystem()
      let left = [2, 1, 1, 0.5, 0.5, 0.24, 0.24]
      let pressures = try pressures(system, left.count) {
        try system.setMemory(total: total, available: Int(Double(mark) * left[$0]))
      }
      #expect(drawn(pressures, .memory) == "--ffssc")
    }
    let system = try SimulatedSystem()
    try system.setMemory(total: 4_000_000, available: 150_000)
    #expect(
      try pressures(system, 2).last?.worst?.sentence
        == "The memory left is 146 MiB; 195 MiB and less are serious")
  }

  @Test("Of several pressures each is told, and the worst is the level")
  func severalReasons() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, at: 91, trips: [("passive", 95)])
    try system.setStalls("proc/pressure/memory", some: 30, full: 20)
    try system.setStalls("proc/pressure/cpu", some: 30, full: 0)
    let last = try #require(try pressures(system, 2).last)
    #expect(last.causes.map(\.reason) == [.thermal, .memory, .cpu])
    #expect(last.causes.map(\.level) == [.fair, .critical, .fair])
    #expect(last.level == .critical && last.worst?.reason == .memory)
  }

  @Test("This machine is read without pressure out of nowhere: each cause has a sentence with two numbers")
  func thisMachine() {
    var sources = SystemPressureSources()
    var meter = PressureMeter()
    for index in 0..<3 {
      let time = Timestamp(nanoseconds: Int64(index) * 2_000_000_000)
      let samples = sources.read(at: time)
      #expect(!samples.isEmpty)
      _ = meter.read(samples, unavailable: sources.unavailable, at: time)
    }
    for cause in meter.pressure.causes { #expect(cause.sentence.contains("; "), "\(cause.sentence)") }
  }
}
