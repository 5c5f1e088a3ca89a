import Foundation
import Safelight

/// How many live frames a second are rendered while photos are taken, beside how many without.
enum LiveCost {
  /// How photos and frames go together in one measurement.
  private enum Load: CaseIterable {
    /// Only the camera runs.
    case camera
    /// Frames are kept for photos.
    case kept
    /// Two photos a second are taken.
    case photos
  }

  private static let rounds = 5
  private static let seconds = 2.0

  static func measure() async throws {
    var rates: [Load: [Double]] = [:]
    for _ in 0..<rounds {
      for load in Load.allCases { rates[load, default: []].append(try await rate(under: load)) }
    }
    func ratio(_ load: Load) -> Double {
      let ratios = zip(rates[load] ?? [], rates[.camera] ?? []).map { $0 / $1 }.sorted()
      return 100 * ratios[rounds / 2]
    }
    Evaluation.row(
      "live frames rendered at 1080p with frames kept, of those without", ratio(.kept), "%", atLeast: 95)
    Evaluation.row("live frames rendered at 1080p with 2 photos a second", ratio(.photos), "%", atLeast: 95)
  }

  /// Frames a second through a look, on all processors, beside a camera of 30 frames a second.
  private static func rate(under load: Load) async throws -> Double {
    var rate = 0.0
    try await Evaluation.withFolder { folder in
      let delivery = PhotoDelivery(names: try PhotoNames(folder), edit: Edit(preset: "warm-film"))
      let photos = PhotoOutput<DeliveredPhoto> { captured, _ in try delivery.deliver(captured) }
      let frames = VideoDataOutput()
      let input = try PacedInput(size: PixelSize(width: 1920, height: 1080), rate: 30)
      let outputs: [any CaptureOutput] = load == .camera ? [frames] : [frames, photos]
      let session = try await Evaluation.running(outputs, input)
      guard let frame = await nextFrame(of: frames) else { return }
      let renderer = CPURenderer()
      let recipe = try PresetLibrary.preset("teal-orange").recipe
      let plan = try renderer.prepare(
        renderer.plan(recipe, input: PlanInput(frame.buffer), output: PlanOutput()))
      let shown = try PixelBuffer(size: plan.plan.outputSize, format: .rgba8)
      var count = 0
      var captures: [PhotoCapture<DeliveredPhoto>] = []
      let begin = Timestamp.now
      while Timestamp.now.seconds(since: begin) < seconds {
        if load == .photos, Timestamp.now.seconds(since: begin) >= Double(captures.count) / 2 {
          captures.append(try photos.capture(PhotoSettings(qualityPrioritization: .speed)))
        }
        try plan.render(frame.buffer, into: shown)
        count += 1
      }
      rate = Double(count) / Timestamp.now.seconds(since: begin)
      for capture in captures { _ = try await capture.photo() }
      await session.stop()
    }
    return rate
  }

  private static func nextFrame(of output: VideoDataOutput) async -> Frame? {
    for await frame in output.frames { return frame }
    return nil
  }
}
