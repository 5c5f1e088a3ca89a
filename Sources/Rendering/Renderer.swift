import ColorScience
import FilterGraph
import FrameCore

/// Runs plans. All renderers give a plan the same meaning; they differ in speed.
public protocol Renderer: Sendable {
  /// The name on command lines and in reports.
  var name: String { get }

  /// What this renderer bakes tables with.
  var evaluator: any ColorEvaluator { get }

  /// As `evaluator`, on the caller's thread alone: for plans made while frames are rendered.
  var serialEvaluator: any ColorEvaluator { get }

  /// Writes rows `rows` of the plan's output into `output`, whose first row is `rows.lowerBound`.
  ///
  /// - Parameter source: a picture of the plan's input size and format.
  func render(
    _ source: PreparedSource, through plan: PreparedPlan, rows: Range<Int>, into output: PixelBuffer) throws

  /// What the renderer derives from a plan once, for all frames and rows.
  func prepare(_ plan: Plan) throws -> PreparedPlan

  /// What the renderer derives from one picture ahead of its rows, such as a reduced copy.
  func prepare(_ source: PixelBuffer, for plan: PreparedPlan) throws -> PreparedSource

  /// Whether pictures may be brought row by row: through a `RowWindow`, or to a `RowReduction`.
  var takesRows: Bool { get }

  /// What the renderer derives from a picture that is brought through a window ahead of its rows. Each band of the
  /// output is then rendered when the rows that it shows are there.
  ///
  /// - Throws: `SafelightError` where the window was made for another plan, or the renderer wants whole pictures.
  func prepare(_ window: RowWindow, for plan: PreparedPlan) throws -> PreparedSource

  /// Begins to reduce a picture whose rows come one after the other, in place of `prepare(_:for:)`: the picture need
  /// not be in memory as a whole then.
  ///
  /// - Returns: nil where the plan does not reduce, or the renderer wants the whole picture.
  func beginReduction(for plan: PreparedPlan) throws -> RowReduction?

  /// Renders a whole picture into memory that the caller brings: what a frame loop calls for each frame.
  ///
  /// - Parameters:
  ///   - source: a picture of the plan's input size, format and alpha.
  ///   - output: of the plan's output size and format. Its tags are the caller's to set.
  /// - Throws: `SafelightError` where they do not fit.
  func renderFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws

  /// As `renderFrame`, and may return while a device is still at it, so that the next frame can be brought meanwhile:
  /// for frame loops that take their pictures a few frames later.
  ///
  /// - Returns: what the caller waits for before it uses the output, or lets go of the renderer.
  func submitFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws
    -> PendingFrame

  /// Frames that are worth having under way at once.
  var framesInFlight: Int { get }

  /// What rendered last, as reports tell it.
  var backendReport: BackendReport { get }

  /// What renders a plan from file to file: this renderer, or the one of several that it chooses.
  func chosenRenderer(for plan: Plan) -> any Renderer

  /// What people should know of a backend that was not used, each thing once.
  func takeBackendNotes() -> [String]

  /// Ends what is measured beside rendering; to be called before the program ends.
  func endTrials()
}

/// A plan with the tables and kernels of one renderer.
public struct PreparedPlan: Sendable {
  public let plan: Plan
  package let state: any Sendable

  package init(plan: Plan, state: any Sendable) {
    self.plan = plan
    self.state = state
  }
}

/// A picture ready to be rendered from, for one plan.
public struct PreparedSource: Sendable {
  /// Where the samples are.
  package enum Samples {
    case picture(PixelBuffer)
    case window(RowWindow)
  }
  package let samples: Samples
  package let plan: Plan
  package let state: any Sendable
}

extension PreparedSource {
  package init(buffer: PixelBuffer, plan: Plan, state: any Sendable) {
    self.init(samples: .picture(buffer), plan: plan, state: state)
  }
}

extension Renderer {
  public var serialEvaluator: any ColorEvaluator { evaluator }

  public var takesRows: Bool { false }

  public func prepare(_ window: RowWindow, for plan: PreparedPlan) throws -> PreparedSource {
    throw SafelightError(
      .unsupported, "The renderer \(name) takes whole pictures only", remedy: "decode the whole picture first"
    )
  }

  public func beginReduction(for plan: PreparedPlan) throws -> RowReduction? { nil }

  public func renderFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws
  {
    try render(
      prepare(source, for: plan), through: plan, rows: 0..<plan.plan.outputSize.height, into: output)
  }

  public func submitFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws
    -> PendingFrame
  {
    try renderFrame(source, through: plan, into: output)
    return .done
  }

  public var framesInFlight: Int { 1 }

  public var backendReport: BackendReport { BackendReport(backend: name) }

  public func chosenRenderer(for plan: Plan) -> any Renderer { self }

  public func takeBackendNotes() -> [String] { [] }

  public func endTrials() {}

  /// What a plan of a stored photo would be rendered by.
  public func backendReport(for plan: Plan) -> BackendReport {
    var report = chosenRenderer(for: plan).backendReport
    report.fallback = backendReport.fallback
    return report
  }

  /// Lowers a recipe for this renderer.
  public func plan(_ recipe: Recipe, input: PlanInput, output: PlanOutput, bakes: BakeCache? = nil) throws
    -> Plan
  {
    try Plan(recipe, input: input, output: output, evaluator: evaluator, bakes: bakes)
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
    exactStages.contains(where: \.opensCorners) ? .straight : input.alpha
  }

  /// Refuses a picture that this plan was not made for.
  package func check(_ source: PixelBuffer) throws {
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

  /// Refuses rows and buffers that do not fit, and a picture that was prepared for another plan.
  package func check(_ source: PreparedSource, rows: Range<Int>, output buffer: PixelBuffer) throws {
    guard source.plan == self else {
      throw SafelightError(
        .invalidValue, "The picture was prepared for another plan", remedy: "prepare it for this one")
    }
    try check(rows: rows, output: buffer)
  }

  /// Refuses rows and buffers that do not fit.
  package func check(rows: Range<Int>, output buffer: PixelBuffer) throws {
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
