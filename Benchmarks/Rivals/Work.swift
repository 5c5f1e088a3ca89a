import BenchmarkSupport
import Safelight

/// Something to be done that several can do: one table of the results.
struct Work {
  /// What every run is counted in.
  enum Quantity {
    case seconds
    case bytes
    /// A plain number, such as allocations, or one time over another.
    case number
  }

  enum Kind { case picture, frame, photo }

  /// The name in `thresholds.json` and for `--only`.
  let id: String
  /// Works of one kind share their pictures.
  var kind = Kind.picture
  let title: String
  /// What is the same for all who do it, and what is not.
  var note = ""
  var quantity = Quantity.seconds
  /// Pixels that a run works on; 0 where rates say nothing.
  var pixels = 0
  /// What edits begin with, where they are compared.
  var unedited: ((Workshop) throws -> Picture)?
  var contenders: [Contender]
}

/// One who does a work, in one way.
struct Contender {
  enum Role {
    /// Safelight. The first of them makes the picture that others are compared with.
    case ours
    /// What the machine can do: memcpy, or decoding and encoding alone.
    case yardstick
    case rival
  }

  /// What must be there for it to run.
  enum Requirement: Hashable {
    case nothing
    /// A program on `PATH`.
    case program(String)
    /// A module of the helper's Python, and who knows it by which name.
    case module(String)
    case instructions(InstructionSet)
    /// One that is no software.
    case gpu
  }

  /// The name in `thresholds.json`, unique within the work.
  let id: String
  let title: String
  var role = Role.rival
  var needs = Requirement.nothing
  /// Pixels that its runs work on, where they differ from the work's.
  var pixels: Int?
  /// How far its result may be from ours; nil where it has no result to compare.
  var tolerance: Tolerance?
  /// What its result is compared with, where that is not the result of ours.
  var reference: ((Workshop) throws -> Picture)?
  /// Source samples that its kernel weighs for a pixel, where kernels are compared.
  var samplesPerPixel: Int?
  /// Runs that count at least.
  var leastRuns = 3
  /// Makes everything ready that is not part of the work.
  let prepare: (Workshop) throws -> any Runner

  static func ours(
    _ id: String = "ours", _ title: String = "safelight", needs: Requirement = .nothing,
    tolerance: Tolerance? = nil, prepare: @escaping (Workshop) throws -> any Runner
  ) -> Contender {
    Contender(id: id, title: title, role: .ours, needs: needs, tolerance: tolerance, prepare: prepare)
  }

  static func rival(
    _ id: String, _ title: String, needs: Requirement, pixels: Int? = nil, tolerance: Tolerance?,
    reference: ((Workshop) throws -> Picture)? = nil, prepare: @escaping (Workshop) throws -> any Runner
  ) -> Contender {
    Contender(
      id: id, title: title, needs: needs, pixels: pixels, tolerance: tolerance, reference: reference,
      prepare: prepare)
  }
}

/// What a contender does after it was made ready.
protocol Runner: AnyObject {
  /// Does the work once or more often; one sample of the work's quantity for each.
  func run() throws -> [Double]
  /// The result of the last run; nil where there is no picture.
  func picture() throws -> Picture?
}

/// A run in this process, timed from outside.
final class FunctionRunner: Runner {
  private let body: () throws -> Void
  private let result: () throws -> Picture?
  private let instructions: InstructionSet?

  /// - Parameter instructions: what kernels are limited to while it runs; nil leaves them what the processor has.
  init(
    instructions: InstructionSet? = nil, result: @escaping () throws -> Picture? = { nil },
    _ body: @escaping () throws -> Void
  ) {
    (self.instructions, self.result, self.body) = (instructions, result, body)
  }

  func run() throws -> [Double] {
    guard let instructions else { return [try timed()] }
    let usual = CPURenderer.instructionSet
    try CPURenderer.limitInstructionSet(to: instructions)
    let seconds = Result { try timed() }
    // Not to the name of what there was: a name may leave out a part of what the processor has.
    try CPURenderer.limitInstructionSet(to: nil)
    guard CPURenderer.instructionSet == usual else {
      throw SafelightError(
        .unsupported,
        "After a run with \(instructions.rawValue) kernels use \(CPURenderer.instructionSet), "
          + "not \(usual)")
    }
    return [try seconds.get()]
  }

  private func timed() throws -> Double {
    let start = monotonicSeconds()
    try body()
    return monotonicSeconds() - start
  }

  func picture() throws -> Picture? { try result() }
}

/// What measures itself, and says values.
final class ValueRunner: Runner {
  private let body: () throws -> [Double]
  private let result: () throws -> Picture?
  init(result: @escaping () throws -> Picture? = { nil }, _ body: @escaping () throws -> [Double]) {
    (self.result, self.body) = (result, body)
  }
  func run() throws -> [Double] { try body() }
  func picture() throws -> Picture? { try result() }
}
