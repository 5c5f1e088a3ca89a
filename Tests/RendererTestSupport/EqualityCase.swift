import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A picture and a plan to which every renderer gives the same meaning.
package struct EqualityCase: Sendable, CustomStringConvertible {
  package let source: PixelBuffer
  package let plan: Plan
  /// Whether the reference runs the tables that the plan has: what they may be off by is a bound of their own.
  package let throughTables: Bool
  /// How far from the reference a renderer may be, in codes of the output, or in units of 1.0 for float.
  package let bound: Double

  package init(
    _ recipe: Recipe, _ source: PixelBuffer, input: PlanInput, output: PlanOutput = PlanOutput(),
    optimized: Bool = true, throughTables: Bool = false, bound: Double
  ) throws {
    self.source = source
    self.throughTables = throughTables
    self.bound = bound
    plan = try Plan(
      recipe, input: input, output: output, evaluator: CPURenderer(threads: 1).evaluator, optimized: optimized
    )
  }

  /// Of RGBA.
  package init(
    _ filters: [any Filter], _ source: PixelBuffer, output: PlanOutput = PlanOutput(),
    orientation: Orientation = .up, optimized: Bool = true, throughTables: Bool = false, bound: Double
  ) throws {
    let input = PlanInput(
      size: source.size, format: source.format, orientation: orientation, alpha: source.alpha)
    try self.init(
      Recipe(filters: filters), source, input: input, output: output, optimized: optimized,
      throughTables: throughTables, bound: bound)
  }

  package var description: String { "at most \(bound) from the reference, \(plan)" }

  /// What the renderer has to make.
  package func expected() throws -> PixelBuffer {
    try ExpectedPictures.shared.picture(for: ExpectedPictures.Key(self)) {
      try ReferenceRenderer(throughTables ? .optimized : .exact).render(source, through: plan)
    }
  }

  /// What a renderer makes of it, and how far that is from `expected`.
  package func difference(of renderer: some Renderer) throws -> Difference {
    let (made, expected) = (try renderer.render(source, through: plan), try expected())
    guard made.size == expected.size, made.alpha == expected.alpha else {
      return Difference(value: .infinity, x: 0, y: 0)
    }
    return RandomPicture.largestDifference(made, expected)
  }

  package typealias Difference = (value: Double, x: Int, y: Int)
}

/// What the reference renderer made, kept for the next renderer that is compared with it: tests spend their time there.
private final class ExpectedPictures: Sendable {
  static let shared = ExpectedPictures()

  struct Key: Hashable {
    private let plan: Plan
    private let throughTables: Bool
    private let samples: [UInt8]

    init(_ example: EqualityCase) {
      plan = example.plan
      throughTables = example.throughTables
      let source = example.source
      samples = source.format.planes.enumerated().flatMap { index, shape in
        (0..<shape.rows(height: source.height)).flatMap { source.row($0, of: index, as: UInt8.self) }
      }
    }
  }

  /// A picture that is there, or is being made: whoever comes second waits for it.
  private final class Entry: Sendable {
    let picture = Mutex<PixelBuffer?>(nil)
  }

  private let entries = Mutex<[Key: Entry]>([:])

  func picture(for key: Key, _ make: () throws -> PixelBuffer) throws -> PixelBuffer {
    let entry = entries.withLock { entries in
      let entry = entries[key] ?? Entry()
      entries[key] = entry
      return entry
    }
    return try entry.picture.withLock { picture in
      let made = try picture ?? make()
      picture = made
      return made
    }
  }
}
