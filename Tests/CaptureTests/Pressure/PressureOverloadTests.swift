import FrameCore
import TestSupport
import Testing

@testable import Capture

/// Sessions that ask twice what the machine can do, on simulated time.
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

  @Test("explore", arguments: models)
  func explore(model: Model) async throws {
    let scratch = try Scratch()
    for seed in 1...3 as ClosedRange<UInt64> {
      let session = SimulatedSession(
        model: model, slowness: { $0 < 20 ? 0.25 : $0 < 140 ? 1 : 0.15 }, root: scratch.path)
      let record = try await session.run(seconds: 400, seed: seed)
      let changes = record.changes.map { "\(Double(Int($0 * 10)) / 10)" }.joined(separator: " ")
      print(
        model.name, seed, "drops 20-30:", record.dropShare(from: 20, to: 30), "30-140:",
        record.dropShare(from: 30, to: 140),
        "worst 10s:",
        (30..<130).map { record.dropShare(from: Double($0), to: Double($0) + 10) }.max() ?? 0, "rest",
        record.dropShare(from: 140, to: 400),
        "changes", changes, "left", record.standing.count)
      if seed == 1 {
        for step in record.steps where step.time < 140 { print("   ", step.time, step.step.sentence) }
      }
    }
  }
}
