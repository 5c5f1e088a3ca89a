import ColorScience
import FilterGraph
import FrameCore

/// Runs plans. All renderers give a plan the same meaning; they differ in speed.
public protocol Renderer: Sendable {
  /// The name on command lines and in reports.
  var name: String { get }

  /// What this renderer bakes tables with.
  var evaluator: any ColorEvaluator { get }

  /// Writes rows `rows` of the plan's output into `output`, whose first row is `rows.lowerBound`.
  ///
  /// - Parameter source: a picture of the plan's input size and format.
  func render(
    _ source: PreparedSource, through plan: PreparedPlan, rows: Range<Int>, into output: PixelBuffer) throws

  /// What the renderer derives from a plan once, for all frames and rows.
  func prepare(_ plan: Plan) throws -> PreparedPlan

  /// What the renderer derives from one picture ahead of its rows, such as a reduced copy.
  func prepare(_ source: PixelBuffer, for plan: PreparedPlan) throws -> PreparedSource
}

/// A plan with the tables and kernels of one renderer.
public struct PreparedPlan: Sendable {
  public let plan: Plan
  let state: any Sendable
}

/// A picture ready to be rendered from.
public struct PreparedSource: Sendable {
  let buffer: PixelBuffer
}

extension Renderer {
  /// Lowers a recipe for this renderer.
  public func plan(_ recipe: Recipe, input: PlanInput, output: PlanOutput) throws -> Plan {
    try Plan(recipe, input: input, output: output, evaluator: evaluator)
  }

  /// Renders the whole picture.
  public func render(_ source: PixelBuffer, through plan: Plan) throws -> PixelBuffer {
    let prepared = try prepare(plan)
    let output = try PixelBuffer(
      size: plan.outputSize, format: plan.output.format, tags: plan.output.space.tags, alpha: plan.outputAlpha
    )
    try render(
      prepare(source, for: prepared), through: prepared, rows: 0..<plan.outputSize.height, into: output)
    return output
  }
}

extension Plan {
  /// Whether the output has transparent pixels.
  public var outputAlpha: AlphaMode {
    let opensCorners = exactStages.contains {
      if case .geometry(let geometry) = $0 { geometry.outside == .transparent } else { false }
    }
    return opensCorners ? .straight : input.alpha
  }

  /// Refuses a picture that this plan was not made for.
  func check(_ source: PixelBuffer) throws {
    guard source.size == input.size, source.format == input.format else {
      throw SafelightError(
        .invalidValue,
        "The plan is for \(input.size) \(input.format.rawValue), the picture is \(source.size) \(source.format.rawValue)",
        remedy: "make a plan for this picture")
    }
  }
}
