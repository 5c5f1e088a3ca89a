import Foundation
import Safelight

/// From the press to what can be looked at.
enum Files {
  private static let count = 15

  /// The seconds from a press, whose frame is there, to what `moment` takes of the photo.
  private static func times<Photo>(
    _ output: PhotoOutput<Photo>, _ input: PacedInput,
    until moment: @escaping (PhotoCapture<Photo>) async throws -> Void
  ) async throws -> [Double] {
    let session = try await Evaluation.running(output, input)
    var seconds: [Double] = []
    for _ in 0..<count {
      try await Task.sleep(for: .milliseconds(300))
      let press = Timestamp.now
      let settings = PhotoSettings(qualityPrioritization: .speed)
      try await moment(output.capture(settings, pressedAt: press.advanced(bySeconds: -0.1)))
      seconds.append(Timestamp.now.seconds(since: press))
    }
    await session.stop()
    return seconds.sorted()
  }

  static func measureThumbnails() async throws {
    try await Evaluation.withFolder { folder in
      let delivery = PhotoDelivery(names: try PhotoNames(folder), edit: Edit(preset: "warm-film"))
      let output = PhotoOutput<DeliveredPhoto> { captured, updates in
        updates.thumbnail(try delivery.thumbnail(of: captured))
        return try delivery.deliver(captured)
      }
      let input = try PacedInput(size: PixelSize(width: 1920, height: 1080), rate: 30)
      let seconds = try await times(output, input) { capture in
        for await event in capture.events { if case .thumbnail = event { return } }
      }
      Evaluation.row(
        "press to thumbnail, 1080p with a look, median", seconds[count / 2] * 1000, "ms", atMost: 50)
    }
  }

  static func measure() async throws {
    for preset in ["warm-film", nil] {
      try await Evaluation.withFolder { folder in
        let delivery = PhotoDelivery(
          names: try PhotoNames(folder), edit: preset.map { Edit(preset: $0) } ?? Edit(),
          renderer: CPURenderer())
        let output = PhotoOutput<DeliveredPhoto> { captured, _ in try delivery.deliver(captured) }
        let input = try PacedInput(size: PixelSize(width: 4000, height: 3000), rate: 15)
        let seconds = try await times(output, input) { _ = try await $0.photo() }
        Evaluation.row(
          "press to finished file, 12 MP \(preset == nil ? "without" : "with") a look, median",
          seconds[count / 2] * 1000, "ms", atMost: 200)
      }
    }
  }

  /// Photos a second, one after the other for ten seconds.
  static func measureShots() async throws {
    try await Evaluation.withFolder { folder in
      let delivery = PhotoDelivery(names: try PhotoNames(folder), edit: Edit(preset: "warm-film"))
      let output = PhotoOutput<DeliveredPhoto>(threads: 2) { captured, _ in try delivery.deliver(captured) }
      let session = try await Evaluation.running(
        output, PacedInput(size: PixelSize(width: 1920, height: 1080), rate: 30))
      let begin = Timestamp.now
      var captures: [PhotoCapture<DeliveredPhoto>] = []
      while Timestamp.now.seconds(since: begin) < 10 {
        for await readiness in output.readinesses where readiness == .ready { break }
        captures.append(try output.capture(PhotoSettings(qualityPrioritization: .speed)))
        try await Task.sleep(for: .milliseconds(5))
      }
      for capture in captures { _ = try await capture.photo() }
      let seconds = Timestamp.now.seconds(since: begin)
      await session.stop()
      Evaluation.row(
        "photos a second at 1080p with a look", Double(captures.count) / seconds, "/s", atLeast: 10)
    }
  }
}
