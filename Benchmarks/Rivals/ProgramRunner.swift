import BenchmarkSupport
import Glibc
import Safelight

/// Whole processes, from their start to their end.
final class ProgramRunner: Runner {
  /// Which cost of a run counts.
  enum Value {
    case seconds
    /// The peak resident memory of the process that had the most.
    case peakMemory
  }

  private let steps: [[String]]
  private let environment: [String: String]
  private let output: String?
  private let rawSize: PixelSize?
  private let value: Value
  private let log: String
  /// A program that takes longer than this, in seconds, is killed and has failed.
  static let timeLimit = 120.0

  /// - Parameters:
  ///   - steps: programs with their arguments, run one after another.
  ///   - output: the picture that they make.
  ///   - rawSize: the size, if the output is a file of RGBA8 rows rather than a photo.
  init(
    _ workshop: Workshop, _ steps: [[String]], environment: [String: String] = [:], output: String? = nil,
    rawSize: PixelSize? = nil,
    value: Value = .seconds
  ) {
    self.steps = steps
    self.environment = environment
    self.output = output
    self.rawSize = rawSize
    self.value = value
    log = workshop.folder + "/log.txt"
  }

  func run() throws -> [Double] {
    if let output { unlink(output) }
    unlink(log)
    var (seconds, memory) = (0.0, 0)
    for step in steps {
      let cost = try ProcessGroup.run(
        [step], environment: environment, log: log, watchesResidentMemory: value == .peakMemory,
        timeLimit: Self.timeLimit)
      guard cost.seconds < Self.timeLimit else {
        throw SafelightError(
          .unsupported, "\(step[0]) took longer than \(fixed(Self.timeLimit, 0)) s")
      }
      guard cost.isSuccess else {
        throw SafelightError(.unsupported, "\(step[0]) failed: \(lastWords(ofLog: log))")
      }
      seconds += cost.seconds
      memory = max(memory, cost.residentMemory)
    }
    if let output, fileSize(output) == 0 {
      throw SafelightError(
        .unsupported, "\(steps.last?[0] ?? "") made no picture: \(lastWords(ofLog: log))")
    }
    return [value == .seconds ? seconds : Double(memory)]
  }

  func picture() throws -> Picture? {
    guard let output else { return nil }
    guard let rawSize else { return try Picture(photo: output) }
    return try Picture(file: output, size: rawSize)
  }
}

/// ImageMagick's program: of version 7, or of version 6, whose name another program may shadow on `PATH`.
let imageMagick = ["magick", "/usr/bin/convert"].first { Machine.isInstalled($0) } ?? "convert"
