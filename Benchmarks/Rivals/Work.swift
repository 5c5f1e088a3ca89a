import BenchmarkSupport
import Safelight

/// A task that several contenders can do: one table of the results.
struct Work {
  /// The unit in which every run is measured.
  enum Quantity {
    case seconds
    case bytes
    /// A plain number, such as a count of allocations or a ratio of times.
    case number
  }

  enum Kind { case picture, frame, photo }

  /// The name in `thresholds.json` and for `--only`.
  let id: String
  /// Works of one kind share their pictures.
  var kind = Kind.picture
  let title: String
  /// What is the same for all contenders, and what is not.
  var note = ""
  var quantity = Quantity.seconds
  /// The number of pixels processed by a run; 0 if rates are meaningless.
  var pixels = 0
  /// The unedited picture, if edits are compared.
  var unedited: ((Workshop) throws -> Picture)?
  var contenders: [Contender]
}

/// One way of doing a work.
struct Contender {
  enum Role {
    /// Safelight. The first of these makes the picture that others are compared with.
    case ours
    /// A limit of the machine: memcpy, or decoding and encoding alone.
    case yardstick
    case rival
  }

  /// What it needs to run.
  enum Requirement: Hashable {
    case nothing
    /// A program on `PATH`.
    case program(String)
    /// A module of the helper's Python, by the helper's name for it.
    case module(String)
    case instructions(InstructionSet)
    /// A GPU that is not emulated in software.
    case gpu
  }

  /// The name in `thresholds.json`, unique within the work.
  let id: String
  let title: String
  var role = Role.rival
  var needs = Requirement.nothing
  /// The number of pixels processed by its runs, if that differs from the work's.
  var pixels: Int?
  /// How far its result may differ from ours; nil if it has no result to compare.
  var tolerance: Tolerance?
  /// The picture that its result is compared with, if that is not ours.
  var reference: ((Workshop) throws -> Picture)?
  /// The number of source samples that its kernel weighs per pixel, if kernels are compared.
  var samplesPerPixel: Int?
  /// The minimum number of runs that count.
  var leastRuns = 3
  /// Prepares everything that is not part of the work.
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

/// A prepared contender.
protocol Runner: AnyObject {
  /// Does the work once or more often, and returns a sample of the work's quantity for each.
  func run() throws -> [Double]
  /// The result of the last run; nil if there is no picture.
  func picture() throws -> Picture?
}

/// A run in this process, timed from outside.
final class FunctionRunner: Runner {
  private let body: () throws -> Void
  private let result: () throws -> Picture?
  private let instructions: InstructionSet?

  /// - Parameter instructions: the instruction set that kernels are limited to while it runs; nil uses the
  ///   processor's.
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
    // Not to the previous name: a name may leave out some of the processor's instructions.
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

/// A runner that measures itself and returns values.
final class ValueRunner: Runner {
  private let body: () throws -> [Double]
  private let result: () throws -> Picture?
  init(result: @escaping () throws -> Picture? = { nil }, _ body: @escaping () throws -> [Double]) {
    (self.result, self.body) = (result, body)
  }
  func run() throws -> [Double] { try body() }
  func picture() throws -> Picture? { try result() }
}
