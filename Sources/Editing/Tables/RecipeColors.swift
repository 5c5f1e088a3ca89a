import ColorScience
import FilterGraph
import Filters
import FrameCore

/// The colours of a recipe as one exact function of a pixel's samples, for tables.
struct RecipeColors {
  let input: SampleEncoding
  let output: SampleEncoding
  /// The ids of filters that no table has: they only move pixels, or only act on what a sensor recorded.
  let apart: [String]
  /// The ids of filters that depend on places or neighbours and were left out.
  let local: [String]
  private let stages: [Stage]

  /// - Parameters:
  ///   - leavesOutLocal: whether filters that depend on places or neighbours are left out instead of refused.
  /// - Throws: `SafelightError`: `unsupported` if a filter is refused, `invalidValue` if no colour is changed.
  init(
    _ recipe: Recipe, from input: SampleEncoding, to output: SampleEncoding, leavesOutLocal: Bool
  ) throws {
    (self.input, self.output) = (input, output)
    var (apart, local): ([String], [String]) = ([], [])
    var kept = Recipe(order: recipe.order, filters: [])
    for filter in recipe.filters {
      let type = Swift.type(of: filter)
      if type.phase.isGeometry || filter is ToneMap || filter is RawDetail {
        apart.append(type.id.name)
      } else if filter is InputEncoding {
        // The encoding of the input is the table's.
      } else if try Self.isLocal(filter) {
        local.append(type.id.name)
      } else {
        kept.filters.append(filter)
      }
    }
    guard local.isEmpty || leavesOutLocal else {
      throw SafelightError(
        .unsupported,
        "A table cannot have \(local.joined(separator: ", ")): what they do to a pixel depends on its place or on those around it",
        remedy: "take them out, or leave them out with --leave-out-local")
    }
    guard !kept.filters.isEmpty || input != output else {
      throw SafelightError(
        .invalidValue, "The recipe changes no colours that a table can have",
        remedy: "give one with a look, a tone or a colour")
    }
    if case .log(let log) = input { kept.filters.insert(InputEncoding(.log(log)), at: 0) }
    (self.apart, self.local) = (apart, local)
    stages = try Self.stages(kept, from: input, to: output)
  }

  private static func stages(
    _ recipe: Recipe, from input: SampleEncoding, to output: SampleEncoding
  ) throws -> [Stage] {
    func space(_ encoding: SampleEncoding) -> ColorSpace {
      switch encoding {
      case .space(let space): space
      case .log: encoding.linearSpace
      }
    }
    let source: ColorSpace = if case .space(let space) = input { space } else { .sRGB }
    let plan = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 64, height: 64), format: .rgba16, space: source),
      output: PlanOutput(format: .rgba16, space: space(output)), optimized: false)
    return plan.loweredStages.filter(\.isColor)
  }

  private static func isLocal(_ filter: any Filter) throws -> Bool {
    let plan = try Plan(
      Recipe(filters: [filter]), input: PlanInput(size: PixelSize(width: 64, height: 64), format: .rgba16),
      output: PlanOutput(format: .rgba16), optimized: false)
    return plan.loweredStages.contains { stage in
      if case .geometry = stage { false } else { !stage.isPointwise }
    }
  }

  /// Returns what becomes of samples of 0…1, not clipped, in double precision.
  func evaluate(_ samples: SIMD3<Double>) -> SIMD3<Double> {
    let result = stages.reduce(samples) { $1.evaluate($0) }
    guard case .log = output else { return result }
    return output.encode(result)
  }
}
