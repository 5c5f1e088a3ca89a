import FrameCore
import Synchronization
import TestSupport
import Testing

@testable import Capture

@Suite("The monitor of system pressure")
struct SystemPressureMonitorTests {
  private func second(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: Int64(seconds * 1e9)) }

  @Test("Changes are told once each, after the present pressure, with their sentences")
  func changes() async throws {
    let system = try SimulatedSystem()
    try system.setZone(0, at: 50, trips: [("passive", 95)])
    let monitor = SystemPressureMonitor(root: system.root)
    var changes = monitor.changes.makeAsyncIterator()
    #expect(await changes.next() == .nominal)
    monitor.tick(at: second(0))
    // What is unavailable here is the first thing to tell.
    let first = try #require(await changes.next())
    #expect(first.level == .nominal && first.unavailable.count == 6)
    try system.setTemperature(0, 97)
    for reading in 1...4 { monitor.tick(at: second(2 * Double(reading))) }
    let second = try #require(await changes.next())
    #expect(second.level == .serious)
    #expect(
      second.causes.map(\.sentence)
        == ["The thermal zone cpu-thermal is at 97.0 °C; 95.0 °C and more are serious"])
    // The same level is no change, but the value follows.
    try system.setTemperature(0, 98.5)
    monitor.tick(at: self.second(10))
    #expect(monitor.current.worst?.sentence.contains("98.5 °C") ?? false)
    try system.setTemperature(0, 60)
    for reading in 6...17 { monitor.tick(at: self.second(2 * Double(reading))) }
    #expect(try #require(await changes.next()).level == .fair)
    #expect(try #require(await changes.next()).level == .nominal)
    #expect(monitor.current.level == .nominal)
  }

  @Test("The system is read every two seconds, deadlines every half")
  func intervals() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, at: 97, trips: [("passive", 95)])
    let monitor = SystemPressureMonitor(root: system.root)
    let budget = try FrameBudget(frameInterval: 0.033)
    let watch = monitor.watch(budget)
    var levels = ""
    for tick in 0..<8 {
      for _ in 0..<15 { budget.finished(in: 0.04) }
      #expect(monitor.tick(at: second(Double(tick) / 2)))
      levels.append(monitor.current[.deadlines].letter)
      levels.append(monitor.current[.thermal].letter)
    }
    // Two readings of each: deadlines at 0.5 s, the zone at 2 s.
    #expect(levels == "--s-s-s-ssssssss")
    monitor.remove(watch)
    #expect(!monitor.tick(at: second(4)))
    monitor.remove(watch)
  }

  @Test("A policy follows its own session's load and everybody's heat")
  func policies() throws {
    let system = try SimulatedSystem()
    try system.setZone(0, at: 50, trips: [("passive", 95)])
    let monitor = SystemPressureMonitor(root: system.root)
    var abilities = PressureAbilities()
    abilities.encoderSpeeds = 4
    var responder = PressureResponder()
    responder.setEncoderSpeed = { _ in .done }
    let sessions = try (0..<2).map { _ in
      (
        budget: try FrameBudget(frameInterval: 0.033),
        policy: PressurePolicy(abilities, responder: responder)
      )
    }
    for session in sessions { _ = monitor.watch(session.budget, policy: session.policy) }
    for tick in 0..<4 {
      for _ in 0..<15 { sessions[0].budget.finished(in: 0.05) }
      for _ in 0..<15 { sessions[1].budget.finished(in: 0.005) }
      monitor.tick(at: second(Double(tick) / 2))
    }
    #expect(!sessions[0].policy.measures.isEmpty && sessions[1].policy.measures.isEmpty)
    try system.setTemperature(0, 97)
    for tick in 4..<30 { monitor.tick(at: second(Double(tick) / 2)) }
    #expect(!sessions[1].policy.measures.isEmpty)
  }

  @Test("The thread begins, reads, stops, begins again, and ends with the monitor", .timeLimit(.minutes(1)))
  func thread() async throws {
    let system = try SimulatedSystem()
    var monitor: SystemPressureMonitor? = SystemPressureMonitor(root: system.root)
    let isGone = { [weak monitor] in monitor == nil }
    for _ in 0..<2 {
      let budget = try FrameBudget(frameInterval: 0.033)
      let watch = try #require(monitor).watch(budget)
      budget.finished(in: 0.01)
      try monitor?.start()
      try monitor?.start()
      // Each window has frames, however late this test looks.
      while budget.load.frames == 0 {
        try await Task.sleep(for: .milliseconds(1))
        budget.finished(in: 0.01)
      }
      monitor?.stop()
      monitor?.stop()
      let last = budget.load
      budget.finished(in: 0.02)
      #expect(budget.load == last)
      monitor?.remove(watch)
    }
    try monitor?.start()
    monitor = nil
    while !isGone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("Readers' sequences end with the monitor")
  func streams() async {
    var monitor: SystemPressureMonitor? = SystemPressureMonitor(root: "/nonexistent")
    let changes = monitor?.changes
    monitor = nil
    var count = 0
    if let changes { for await _ in changes { count += 1 } }
    #expect(count == 1)
  }
}
