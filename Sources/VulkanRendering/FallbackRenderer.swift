import ColorScience
import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A renderer that another one takes the place of when it fails: a GPU with the CPU behind it.
///
/// The change is for good and is told once. Plans and pictures that were prepared before it go on to work.
public final class FallbackRenderer: Renderer, FrameRescuer {
  private let first, second: any Renderer
  private let report: @Sendable (SafelightError) -> Void
  private let failure = Mutex<SafelightError?>(nil)

  /// - Parameters:
  ///   - report: called once, on whatever thread a frame failed, with what the first renderer failed with.
  public init(
    _ first: any Renderer, else second: any Renderer, report: @escaping @Sendable (SafelightError) -> Void
  ) {
    (self.first, self.second, self.report) = (first, second, report)
  }

  /// What the first renderer failed with; nil while it serves.
  public var fallback: SafelightError? { failure.withLock { $0 } }
  private var hasFallen: Bool { failure.withLock { $0 != nil } }

  /// The renderer that serves at present.
  public var current: any Renderer { hasFallen ? second : first }

  public var name: String { current.name }
  public var evaluator: any ColorEvaluator { current.evaluator }
  public var serialEvaluator: any ColorEvaluator { current.serialEvaluator }
  public var framesInFlight: Int { current.framesInFlight }

  /// A plan with what each renderer made of it, the second one when it is needed.
  private final class Prepared: Sendable {
    let plan: Plan
    private let first: PreparedPlan?
    private let second = Mutex<PreparedPlan?>(nil)

    init(_ plan: Plan, first: PreparedPlan?) {
      self.plan = plan
      self.first = first
    }

    func forFirst(_ renderer: any Renderer) throws -> PreparedPlan { try first ?? renderer.prepare(plan) }

    func forSecond(_ renderer: any Renderer) throws -> PreparedPlan {
      try second.withLock { second in
        if let second { return second }
        let made = try renderer.prepare(plan)
        second = made
        return made
      }
    }
  }

  /// As `Prepared`, a picture.
  private final class Picture: Sendable {
    private let first: PreparedSource?
    private let second = Mutex<PreparedSource?>(nil)

    init(first: PreparedSource?) { self.first = first }

    func source(
      isFirst: Bool, _ picture: PixelBuffer, _ renderer: any Renderer, _ plan: PreparedPlan
    ) throws -> PreparedSource {
      if isFirst, let first { return first }
      return try second.withLock { second in
        if let second { return second }
        let made = try renderer.prepare(picture, for: plan)
        second = made
        return made
      }
    }
  }

  // MARK: Rendering

  public func prepare(_ plan: Plan) throws -> PreparedPlan {
    let first: PreparedPlan? = try falling { try self.first.prepare(plan) }
    return PreparedPlan(plan: plan, state: Prepared(plan, first: first))
  }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    let plan = try own(prepared)
    let first: PreparedSource? = try falling {
      try self.first.prepare(source, for: plan.forFirst(self.first))
    }
    let picture = Picture(first: first)
    if first == nil {
      _ = try picture.source(isFirst: false, source, second, plan.forSecond(second))
    }
    return PreparedSource(buffer: source, plan: prepared.plan, state: picture)
  }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    let plan = try own(prepared)
    guard let picture = source.state as? Picture, case .picture(let samples) = source.samples else {
      throw SafelightError(
        .invalidValue, "The picture was prepared by another renderer", remedy: "prepare it with this one")
    }
    let isDone: Void? = try falling {
      let plan = try plan.forFirst(first)
      try first.render(
        picture.source(isFirst: true, samples, first, plan), through: plan, rows: rows, into: output)
    }
    guard isDone == nil else { return }
    let prepared = try plan.forSecond(second)
    try second.render(
      picture.source(isFirst: false, samples, second, prepared), through: prepared, rows: rows, into: output)
  }

  public func renderFrame(_ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer)
    throws
  {
    try submitFrame(source, through: prepared, into: output).wait()
  }

  public func submitFrame(_ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer)
    throws -> PendingFrame
  {
    let plan = try own(prepared)
    let pending: PendingFrame? = try falling {
      try first.submitFrame(source, through: plan.forFirst(first), into: output)
    }
    if let pending { return pending.rescued(by: self, source, through: prepared, into: output) }
    return try second.submitFrame(source, through: plan.forSecond(second), into: output)
  }

  package func rescue(
    _ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer,
    after error: SafelightError
  ) throws {
    guard isForSecond(error) else { throw error }
    fall(error)
    try second.renderFrame(source, through: own(prepared).forSecond(second), into: output)
  }

  // MARK: Falling back

  /// - Returns: nil where the second renderer is to do it.
  private func falling<Value>(_ body: () throws -> Value) throws -> Value? {
    guard !hasFallen else { return nil }
    do {
      return try body()
    } catch let error as SafelightError where isForSecond(error) {
      fall(error)
      return nil
    }
  }

  /// Whether another renderer may do better: what callers do wrong is wrong everywhere.
  private func isForSecond(_ error: SafelightError) -> Bool { error.code != .invalidValue }

  private func fall(_ error: SafelightError) {
    let isNews = failure.withLock { failure in
      defer { failure = failure ?? error }
      return failure == nil
    }
    if isNews { report(error) }
  }

  private func own(_ prepared: PreparedPlan) throws -> Prepared {
    guard let own = prepared.state as? Prepared else {
      throw SafelightError(
        .invalidValue, "The plan was prepared by another renderer", remedy: "prepare it with this one")
    }
    return own
  }
}
