import BenchmarkSupport
import Foundation
import Safelight

/// Measures taking photos: the press, the thumbnail, the file, bursts, and what photos cost live pictures.
///
/// `swift run -c release --package-path Benchmarks PhotoEvaluation [press|thumbnail|file|shots|burst|live …]`
@main
struct Evaluation {
  /// One thing that is measured, in a process of its own where memory counts.
  enum Part: String, CaseIterable {
    case press, thumbnail, file, shots, burst, live
  }

  static func main() async throws {
    let names = CommandLine.arguments.dropFirst()
    let parts = try names.map { name in
      guard let part = Part(rawValue: name) else { throw Unknown(name: name) }
      return part
    }
    print("Photos on \(Processor.current)\n")
    for part in parts.isEmpty ? Part.allCases : parts {
      switch part {
      case .press: try await Presses.measure()
      case .thumbnail: try await Files.measureThumbnails()
      case .file: try await Files.measure()
      case .shots: try await Files.measureShots()
      case .burst: try parts == [.burst] ? await Burst.measure() : Burst.measureApart()
      case .live: try await LiveCost.measure()
      }
    }
  }

  private struct Unknown: Error, CustomStringConvertible {
    let name: String
    var description: String {
      "\(name) is not measured; give \(Part.allCases.map(\.rawValue).joined(separator: ", "))"
    }
  }

  // MARK: What parts share

  /// Prints a measured value beside its bar.
  static func row(_ what: String, _ value: Double, _ unit: String, atMost bar: Double) {
    print("\(what): \(text(value)) \(unit), at most \(text(bar)): \(value <= bar ? "met" : "MISSED")")
  }

  static func row(_ what: String, _ value: Double, _ unit: String, atLeast bar: Double) {
    print("\(what): \(text(value)) \(unit), at least \(text(bar)): \(value >= bar ? "met" : "MISSED")")
  }

  static func text(_ value: Double) -> String { String(format: abs(value) < 10 ? "%.2f" : "%.1f", value) }

  static func running(_ outputs: [any CaptureOutput], _ input: PacedInput) async throws -> CaptureSession {
    let session = CaptureSession()
    try await session.configure { configuration in
      try configuration.add(input)
      for output in outputs { try configuration.add(output) }
    }
    try await session.start()
    return session
  }

  static func running<Photo>(_ output: PhotoOutput<Photo>, _ input: PacedInput) async throws -> CaptureSession
  {
    let session = try await running([output], input)
    for await readiness in output.readinesses where readiness == .ready { break }
    // A ring of frames from before the presses.
    try await Task.sleep(for: .milliseconds(500))
    return session
  }

  /// Calls `body` with a folder that is removed afterwards.
  static func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/safelight-photos-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder + "/")
  }
}
