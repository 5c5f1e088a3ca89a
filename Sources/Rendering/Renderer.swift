import FilterGraph
import FrameCore

/// Runs plans. All renderers give a plan the same meaning; they differ in speed.
///
/// A renderer has a name and prepares plans; a prepared plan renders pictures. Everything else has a default:
///
///     struct MyRenderer: Renderer {
///       let name = "mine"
///       func prepare(_ plan: Plan) throws -> MyPlan { try MyPlan(plan) }
///     }
///
/// `Plan.exactStages` defines the meaning of a plan; `ReferenceRenderer` follows it to the letter.
public protocol Renderer: Sendable {
  /// A plan with this renderer's tables and kernels.
  associatedtype Prepared: PreparedPlan

  /// The name on command lines and in reports.
  var name: String { get }

  /// Derives what the renderer needs from a plan, once for all pictures.
  ///
  /// - Throws: `SafelightError` if the renderer cannot run the plan.
  func prepare(_ plan: Plan) throws -> Prepared

  // MARK: Optional

  /// Returns a plan with its colours baked into tables for this renderer. The default bakes with the processor's
  /// kernels on the caller's thread.
  ///
  /// - Parameter draft: a plan with its exact stages.
  func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan

  /// The number of frames worth having in flight at once. The default is 1.
  var framesInFlight: Int { get }

  /// Whether the `rows` of all prepared plans are there, so that a photo is decoded while it is rendered and need
  /// not be in memory as a whole. The default is false.
  var takesRows: Bool { get }

  /// The backend that rendered last, as shown in reports. The default has the renderer's name.
  var backendReport: BackendReport { get }

  /// The choice between backends; nil, the default, if there is only one.
  var choice: (any BackendChoice)? { get }
}

/// How a renderer makes a plan.
public struct PlanOptions: Sendable {
  /// Tables baked earlier, and the place to store new ones; nil bakes all of them.
  public var bakes: BakeCache?
  /// False keeps the exact stages and bakes no tables.
  public var isOptimized: Bool
  /// Whether tables are baked on the caller's thread alone, for plans made while frames are rendered: a table may be
  /// ready a little later. False uses all of the renderer's threads.
  public var usesOneThread: Bool

  public init(bakes: BakeCache? = nil, isOptimized: Bool = true, usesOneThread: Bool = false) {
    (self.bakes, self.isOptimized, self.usesOneThread) = (bakes, isOptimized, usesOneThread)
  }
}

/// The part of a renderer that selects another one for each plan, such as the processor or a GPU.
public protocol BackendChoice: Sendable {
  /// The renderer that renders a plan from file to file.
  func chosenRenderer(for plan: Plan) -> any Renderer

  /// Returns notes to the user about a backend that was not used, each of them once.
  func takeBackendNotes() -> [String]

  /// Ends measurements that run alongside rendering; must be called before the program ends.
  func endTrials()
}

extension Renderer {
  public func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try draft.optimized(evaluator: KernelEvaluator(), bakes: options.bakes)
  }

  public var framesInFlight: Int { 1 }

  public var takesRows: Bool { false }

  public var backendReport: BackendReport { BackendReport(backend: name) }

  public var choice: (any BackendChoice)? { nil }
}

extension Renderer {
  /// Lowers a recipe for this renderer.
  ///
  /// - Parameter bakes: tables baked earlier, and the place to store new ones.
  /// - Throws: the errors of `Plan`.
  public func plan(_ recipe: Recipe, input: PlanInput, output: PlanOutput, bakes: BakeCache? = nil) throws
    -> Plan
  {
    try plan(recipe, input: input, output: output, options: PlanOptions(bakes: bakes))
  }

  /// As `plan(_:input:output:bakes:)`, with more options.
  public func plan(_ recipe: Recipe, input: PlanInput, output: PlanOutput, options: PlanOptions) throws
    -> Plan
  {
    let draft = try Plan(recipe, input: input, output: output, optimized: false)
    return options.isOptimized ? try optimize(draft, options: options) : draft
  }

  /// Renders the whole picture.
  ///
  /// - Parameter source: a picture of the plan's input size, format and alpha.
  /// - Throws: `SafelightError` if it does not fit.
  public func render(_ source: PixelBuffer, through plan: Plan) throws -> PixelBuffer {
    let prepared = try prepare(plan)
    let output = try plan.makeOutput()
    if let bands = prepared.bands {
      try bands.prepare(source).render(rows: 0..<plan.outputSize.height, into: output)
    } else {
      try prepared.render(source, into: output)
    }
    return output
  }

  /// The renderer that renders a plan from file to file: this one, or the one it selects.
  package func chosenRenderer(for plan: Plan) -> any Renderer { choice?.chosenRenderer(for: plan) ?? self }

  /// Returns notes to the user about a backend that was not used, each of them once.
  public func takeBackendNotes() -> [String] { choice?.takeBackendNotes() ?? [] }

  /// Ends measurements that run alongside rendering; must be called before the program ends.
  public func endTrials() { choice?.endTrials() }

  /// The backend that would render a plan for a stored photo.
  public func backendReport(for plan: Plan) -> BackendReport {
    var report = chosenRenderer(for: plan).backendReport
    report.fallback = backendReport.fallback
    return report
  }
}

extension Plan {
  /// The output's alpha: straight if the plan opens transparent corners, else that of the input. Luma and colour
  /// differences have none.
  public var outputAlpha: AlphaMode {
    guard output.format.isRGBA else { return .opaque }
    return exactStages.contains(where: \.opensCorners) ? .straight : input.alpha
  }

  /// Makes a buffer for the whole output.
  ///
  /// - Throws: `SafelightError` if memory is short.
  public func makeOutput() throws -> PixelBuffer {
    try PixelBuffer(size: outputSize, format: output.format, tags: outputTags, alpha: outputAlpha)
  }

  /// The tags of the output's samples: the space and, of luma and colour differences, their encoding.
  public var outputTags: ColorTags {
    get throws {
      let tags = try output.space.tags
      return encoding?.tags(tags) ?? tags
    }
  }

  /// Whether some rows of the output can be rendered by themselves: not those of luma and colour differences, which
  /// depend on the rows around them.
  package var rendersRows: Bool { output.format.isRGBA }

  /// - Throws: `SafelightError` unless `rendersRows`.
  package func checkRendersRows() throws {
    guard rendersRows else {
      throw SafelightError(
        .unsupported, "Pictures of \(output.format.rawValue) are not rendered row by row",
        remedy: "render the whole picture with render(_:into:)")
    }
  }

  /// Throws if this plan was not made for pictures like `source`, or if `output` does not hold the whole result.
  public func check(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try check(source)
    try check(rows: 0..<outputSize.height, output: output)
  }

  /// Throws if this plan was not made for pictures like `source`.
  public func check(_ source: PixelBuffer) throws {
    guard source.size == input.size, source.format == input.format, source.alpha == input.alpha else {
      func text(_ size: PixelSize, _ format: PixelFormat, _ alpha: AlphaMode) -> String {
        "\(size) \(format.rawValue), alpha \(alpha.rawValue)"
      }
      throw SafelightError(
        .invalidValue,
        "The plan is for \(text(input.size, input.format, input.alpha)), the picture is "
          + text(source.size, source.format, source.alpha),
        remedy: "make a plan for this picture")
    }
  }

  /// Throws if the region is not in the output, or if the buffer is not as large as it.
  public func check(_ region: Region, output buffer: PixelBuffer) throws {
    try checkRendersRows()
    let (columns, rows) = (0..<outputSize.width, 0..<outputSize.height)
    guard !region.columns.isEmpty, !region.rows.isEmpty, columns.contains(region.columns),
      rows.contains(region.rows)
    else {
      throw SafelightError(
        .invalidValue, "\(region) are not all in the plan's output",
        remedy: "ask for columns in \(columns) and rows in \(rows)")
    }
    let size = PixelSize(width: region.columns.count, height: region.rows.count)
    guard buffer.format == output.format, buffer.size == size else {
      throw SafelightError(
        .invalidValue,
        "A buffer of \(buffer.size) \(buffer.format.rawValue) does not hold \(size) \(output.format.rawValue)",
        remedy: "make one of this size, of the plan's format")
    }
  }

  /// Throws if the rows are not in the output, or if the buffer does not hold them.
  public func check(rows: Range<Int>, output buffer: PixelBuffer) throws {
    guard rows.lowerBound >= 0, rows.upperBound <= outputSize.height else {
      throw SafelightError(
        .invalidValue, "The rows \(rows.lowerBound)..<\(rows.upperBound) are not all in the plan's output",
        remedy: "ask for rows in 0..<\(outputSize.height)")
    }
    guard buffer.format == output.format, buffer.width == outputSize.width, buffer.height >= rows.count else {
      throw SafelightError(
        .invalidValue,
        "A buffer of \(buffer.size) \(buffer.format.rawValue) does not hold \(rows.count) rows of "
          + "\(outputSize) \(output.format.rawValue)", remedy: "make one as wide, of the plan's format")
    }
  }
}
