import FrameCore
import TestSupport
import Testing

@testable import Capture

/// Sessions that ask twice what the machine can do, on simulated time: another program comes at 20 s and goes
/// at 90 s.
@Suite("A session under twice the load that fits")
struct PressureOverloadTests {
  typealias Model = SimulatedSession.Model

  static let x264 = [0.85, 0.8, 0.75, 0.75, 0.6, 0.55]
  static let models = [
    Model(name: "encoder-bound recording", rendering: 1, encoding: 5, analyses: 0.7, presets: x264),
    Model(name: "preview without encoder or analyses", rendering: 1, sizes: [0.75, 0.5]),
    Model(name: "analyses that cost most", rendering: 1.5, encoding: 1.2, analyses: 4, presets: x264),
    Model(
      name: "presets of which some gain nothing", rendering: 1.5, encoding: 5,
      presets: [0.97, 0.6, 1, 0.9, 0.5, 0.95]),
    Model(
      name: "render-bound stream, encoder without gain", rendering: 4.5, encoding: 2, analyses: 0.2,
      presets: [1, 1, 1, 1], sizes: [0.75, 0.5]),
    Model(name: "60 frames a second", cameraRate: 60, rendering: 2, encoding: 4, presets: x264),
    Model(name: "short queue", rendering: 1, encoding: 4, presets: x264, queueCapacity: 2),
    Model(name: "frame times that scatter", rendering: 1, encoding: 4, presets: x264, spread: 0.4),
    Model(name: "encoder that hides its time", rendering: 1, encoding: 4, presets: x264, visible: 0.2),
    Model(name: "times told four times too long", rendering: 1, encoding: 4, presets: x264, visible: 4),
  ].map { $0.scaled(toLoad: 2) }

  private static func load(_ seconds: Double) -> Double { 20 <= seconds && seconds < 200 ? 1 : 0.15 }

  @Test(
    "drops at most 1 % after ten seconds, changes at most once in ten more, and is whole again in the end",
    arguments: models, [1, 2] as [UInt64])
  func recovers(model: Model, seed: UInt64) async throws {
    let scratch = try Scratch()
    let session = SimulatedSession(model: model, slowness: Self.load, root: scratch.path)
    let record = try await session.run(seconds: 320, seed: seed)
    // Nothing happens before it, and enough is lost at its beginning for the test to mean something.
    #expect(record.steps.allSatisfy { $0.time >= 20 })
    #expect(record.dropShare(from: 20, to: 24) > 0.02)
    for begin in 30..<190 {
      let share = record.dropShare(from: Double(begin), to: Double(begin) + 10)
      #expect(share <= 0.01, "\(share) from \(begin) s on")
    }
    #expect(record.dropShare(from: 30, to: 320) <= 0.01)
    let settled = record.changes.filter { $0 >= 30 }
    for (first, second) in zip(settled, settled.dropFirst()) {
      #expect(second - first >= 10, "changes at \(first) s and \(second) s")
    }
    #expect(record.standing.isEmpty, "\(record.standing)")
    // The machine's own files say nothing here: what presses are the deadlines.
    let reasons = Set(record.pressures.flatMap(\.pressure.causes).map(\.reason))
    #expect(reasons == [.deadlines])
    #expect(record.pressures.contains { $0.time < 24 && $0.pressure.level >= .serious })
    // Times that scatter, or are not what they seem, look like pressure even where all is well.
    guard model.visible == 1, model.spread < 0.2 else { return }
    #expect(record.pressures.contains { $0.time < 24 && $0.pressure.level == .critical })
    let quiet = record.pressures.filter { $0.time < 20 || $0.time > 250 }
    #expect(quiet.allSatisfy { $0.pressure.level == .nominal })
  }

  @Test(
    "is whole again soon after the disk stood still for two seconds, if its times are true",
    arguments: models.filter { $0.visible <= 1 }, [1, 2] as [UInt64])
  func standstill(model: Model, seed: UInt64) async throws {
    let scratch = try Scratch()
    let session = SimulatedSession(
      model: model.scaled(toLoad: 0.5), root: scratch.path, standstill: 20..<22)
    let record = try await session.run(seconds: 240, seed: seed)
    #expect(record.dropShare(from: 20, to: 22) > 0.5)
    #expect(record.steps.count { $0.time > 25 && !$0.step.isUndo } == 0)
    #expect(record.standing.isEmpty, "\(record.steps.map(\.step.sentence))")
  }

  @Test("without a policy goes on losing half of its frames, so the policy is what helps")
  func withoutPolicy() async throws {
    let scratch = try Scratch()
    var model = Self.models[0]
    // Nothing that could be done about it.
    (model.analyses, model.presets, model.rendering) = (
      0, [], model.rendering + model.encoding + model.analyses
    )
    model.encoding = 0
    let session = SimulatedSession(
      model: model, slowness: Self.load, root: scratch.path, canLowerRate: false)
    let record = try await session.run(seconds: 60, seed: 1)
    #expect(record.steps.isEmpty)
    #expect(abs(record.dropShare(from: 30, to: 60) - 0.5) < 0.05)
  }

  @Test(
    "keeps what it can: at 1.1 times what fits it never comes near its last step",
    arguments: [1, 2] as [UInt64])
  func proportion(seed: UInt64) async throws {
    let scratch = try Scratch()
    for model in [Self.models[0], Self.models[3], Self.models[7]] {
      let session = SimulatedSession(
        model: model.scaled(toLoad: 1.1), slowness: { _ in 1 }, root: scratch.path)
      let record = try await session.run(seconds: 120, seed: seed)
      #expect((1...4).contains(record.standing.count), "\(model.name): \(record.standing)")
      #expect(record.dropShare(from: 10, to: 120) <= 0.01)
    }
  }
}
