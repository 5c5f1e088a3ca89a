import ColorScience
import FilterGraph
import FrameCore

/// Runs plans. All renderers give a plan the same meaning; they differ in speed.
public protocol Renderer: Sendable {
  /// The name on command lines and in reports.
  var name: String { get }

  /// The evaluator that this renderer bakes tables with.
  var evaluator: any ColorEvaluator { get }

  /// As `evaluator`, but on the caller's thread only, for plans made while frames are rendered.
  var serialEvaluator: any ColorEvaluator { get }

  /// Writes `rows` of the plan's output into `output`, whose first row is `rows.lowerBound`.
  ///
  /// - Parameter source: a picture of the plan's input size and format.
  func render(
    _ source: PreparedSource, through plan: PreparedPlan, rows: Range<Int>, into output: PixelBuffer) throws

  /// Derives what the renderer needs from a plan once, for all frames and rows.
  func prepare(_ plan: Plan) throws -> PreparedPlan

  /// Derives what the renderer needs from one picture before its rows, such as a downsampled copy.
  func prepare(_ source: PixelBuffer, for plan: PreparedPlan) throws -> PreparedSource

  /// Whether pictures may be passed row by row: through a `RowWindow`, or to a `RowDownsampling`.
  var takesRows: Bool { get }

  /// Prepares a picture that is passed through a window, before its rows. Each band of the output is rendered as
  /// soon as the rows that it shows are available.
  ///
  /// - Throws: `SafelightError` if the window was made for another plan, or if the renderer needs whole pictures.
  func prepare(_ window: RowWindow, for plan: PreparedPlan) throws -> PreparedSource

  /// Begins to downsample a picture whose rows arrive one after another, in place of `prepare(_:for:)`, so that the
  /// whole picture need not be in memory.
  ///
  /// - Returns: nil if the plan does not downsample, or if the renderer needs the whole picture.
  func beginDownsampling(for plan: PreparedPlan) throws -> RowDownsampling?

  /// Renders a whole picture into memory provided by the caller. A frame loop calls it for each frame.
  ///
  /// - Parameters:
  ///   - source: a picture of the plan's input size, format and alpha.
  ///   - output: a buffer of the plan's output size and format. The caller sets its tags.
  /// - Throws: `SafelightError` if they do not fit.
  func renderFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws

  /// As `renderFrame`, but may return while a device is still working, so that the next frame can be prepared
  /// meanwhile: for frame loops that use their pictures a few frames later.
  ///
  /// - Returns: a frame to wait for before using the output or releasing the renderer.
  func submitFrame(_ source: PixelBuffer, through plan: PreparedPlan, into output: PixelBuffer) throws
    -> PendingFrame

  /// The number of frames worth having in flight at once.
  var framesInFlight: Int { get }

  /// The backend that rendered last, as shown in reports.
  var backendReport: BackendReport { get }

  /// The renderer that renders a plan from file to file: this one, or the one it selects.
  func chosenRenderer(for plan: Plan) -> any Renderer

  /// Returns notes to the user about a backend that was not used, each of them once.
  func takeBackendNotes() -> [String]

  /// Ends measurements that run alongside rendering; must be called before the program ends.
  func endTrials()
}

/// A plan with one renderer's tables and kernels.
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
  /// The source of the samples.
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

  public func beginDownsampling(for plan: PreparedPlan) throws -> RowDownsampling? { nil }

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

  /// The backend that would render a plan for a stored photo.
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
  /// The output's alpha: straight if the plan opens transparent corners, else that of the input.
  public var outputAlpha: AlphaMode {
    exactStages.contains(where: \.opensCorners) ? .straight : input.alpha
  }

  /// Throws if this plan was not made for pictures like `source`.
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

  /// Throws if the rows or the buffer do not fit, or if the picture was prepared for another plan.
  package func check(_ source: PreparedSource, rows: Range<Int>, output buffer: PixelBuffer) throws {
    guard source.plan == self else {
      throw SafelightError(
        .invalidValue, "The picture was prepared for another plan", remedy: "prepare it for this one")
    }
    try check(rows: rows, output: buffer)
  }

  /// Throws if the rows or the buffer do not fit.
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
