import BenchmarkSupport
import Foundation
import Safelight

/// Measures taking photos: the press, the file, bursts, and what they cost live pictures.
///
/// `swift run -c release --package-path Benchmarks PhotoEvaluation`
@main
struct Evaluation {
  static func main() async throws {
    print("Photos on \(Processor.current)\n")
    try await presses()
    try await files()
    try await shots()
    try await burst()
  }

  /// Prints a measured value beside its bar.
  static func row(_ what: String, _ value: Double, _ unit: String, atMost bar: Double) {
    print("\(what): \(text(value)) \(unit), at most \(text(bar)): \(value <= bar ? "met" : "MISSED")")
  }

  static func row(_ what: String, _ value: Double, _ unit: String, atLeast bar: Double) {
    print("\(what): \(text(value)) \(unit), at least \(text(bar)): \(value >= bar ? "met" : "MISSED")")
  }

  private static func text(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

  static func running<Photo>(_ output: PhotoOutput<Photo>, _ input: PacedInput) async throws -> CaptureSession
  {
    let session = CaptureSession()
    try await session.configure {
      try $0.add(input)
      try $0.add(output)
    }
    try await session.start()
    for await readiness in output.readinesses where readiness == .ready { break }
    return session
  }

  /// A thousand presses at random moments: when the capture event comes, and which frame is taken.
  static func presses() async throws {
    let rate = 30.0
    let output = PhotoOutput<Double> { captured, _ in captured.offset }
    let session = try await running(
      output, PacedInput(size: PixelSize(width: 1920, height: 1080), rate: rate))
    var latencies: [Double] = []
    var captures: [PhotoCapture<Double>] = []
    for _ in 0..<1000 {
      try await Task.sleep(for: .microseconds(Int.random(in: 5000...45_000)))
      let press = Timestamp.now
      let box = Box()
      captures.append(
        try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press) { event in
          if case .willCapture = event { box.seconds = Timestamp.now.seconds(since: press) }
        })
      latencies.append(box.seconds)
    }
    var within = 0
    for capture in captures where abs(try await capture.photo()) <= 0.5 / rate { within += 1 }
    await session.stop()
    latencies.sort()
    row("press to capture event, 99th percentile", latencies[989] * 1000, "ms", atMost: 5)
    row("frame within half an interval of the press", Double(within), "of 1000", atLeast: 1000)
  }

  /// From the press to the finished file, at 12 megapixels.
  static func files() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/safelight-photos-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let delivery = PhotoDelivery(
      names: try PhotoNames(folder + "/"), edit: Edit(preset: "warm-film"), renderer: CPURenderer())
    let output = PhotoOutput<DeliveredPhoto> { captured, _ in try delivery.deliver(captured) }
    let session = try await running(
      output, PacedInput(size: PixelSize(width: 4000, height: 3000), rate: 15))
    var seconds: [Double] = []
    for _ in 0..<15 {
      try await Task.sleep(for: .milliseconds(300))
      let press = Timestamp.now
      // The frame is there: what is measured is from the press on.
      _ = try await output.capture(
        PhotoSettings(qualityPrioritization: .speed), pressedAt: press.advanced(bySeconds: -0.04)
      ).photo()
      seconds.append(Timestamp.now.seconds(since: press))
    }
    await session.stop()
    seconds.sort()
    row("press to finished file, 12 MP with a look, median", seconds[7] * 1000, "ms", atMost: 200)
  }

  /// Photos a second, sustained.
  static func shots() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/safelight-photos-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let delivery = PhotoDelivery(names: try PhotoNames(folder + "/"), edit: Edit(preset: "warm-film"))
    let output = PhotoOutput<DeliveredPhoto>(threads: 2) { captured, _ in try delivery.deliver(captured) }
    let session = try await running(
      output, PacedInput(size: PixelSize(width: 1920, height: 1080), rate: 30))
    let begin = Timestamp.now
    var captures: [PhotoCapture<DeliveredPhoto>] = []
    while Timestamp.now.seconds(since: begin) < 10 {
      for await readiness in output.readinesses where readiness == .ready { break }
      captures.append(try output.capture(PhotoSettings(qualityPrioritization: .speed)))
      try await Task.sleep(for: .milliseconds(10))
    }
    for capture in captures { _ = try await capture.photo() }
    let seconds = Timestamp.now.seconds(since: begin)
    await session.stop()
    row("photos a second at 1080p with a look", Double(captures.count) / seconds, "/s", atLeast: 10)
  }

  /// Sixty frames of 4K in two seconds.
  static func burst() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/safelight-photos-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let delivery = PhotoDelivery(names: try PhotoNames(folder + "/"))
    let output = PhotoOutput<DeliveredPhoto>(threads: 2) { captured, _ in try delivery.deliver(captured) }
    let session = try await running(
      output, PacedInput(size: PixelSize(width: 3840, height: 2160), rate: 30))
    try await Task.sleep(for: .milliseconds(500))
    let burst = try output.captureBurst(of: 60)
    while !burst.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
    var sequences: [UInt64] = []
    for capture in burst.captures { sequences.append(try await capture.photo().sequence) }
    await session.stop()
    let spread = (sequences.last ?? 0) - (sequences.first ?? 0) + 1
    row("frames lost in a burst of 60 at 4K", Double(spread) - 60, "", atMost: 0)
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    row("peak memory of all of this", Double(usage.ru_maxrss) / 1024, "MB", atMost: 200)
  }

  private final class Box: @unchecked Sendable { var seconds = 0.0 }
}
