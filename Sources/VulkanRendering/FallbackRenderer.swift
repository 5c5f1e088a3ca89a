import ColorScience
import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A renderer with a fallback: a GPU backed by the CPU.
///
/// If the first renderer stops working (`SafelightError.Code.device`), the change is permanent; if only a plan is
/// too much for it, the second renders that plan alone. Each is reported once. Plans and pictures prepared earlier
/// remain usable.
public final class FallbackRenderer: Renderer, FrameRescuer {
  private let first, second: any Renderer
  private let report: @Sendable (SafelightError) -> Void
  private let state = Mutex(State())

  private struct State {
    /// The error that ended the use of the first renderer.
    var failure: SafelightError?
    /// The first renderer's error in the plan rendered last.
    var refusal: SafelightError?
    var hasToldRefusal = false
  }

  /// - Parameters:
  ///   - report: called with the first renderer's error, on the thread on which a frame failed: once if the error
  ///     is permanent, and the first time that a plan is refused.
  public init(
    _ first: any Renderer, else second: any Renderer, report: @escaping @Sendable (SafelightError) -> Void
  ) {
    (self.first, self.second, self.report) = (first, second, report)
  }

  /// Whether a renderer that failed in this way is of no further use for any plan.
  public static func isForGood(_ error: SafelightError) -> Bool { error.code == .device }

  /// The first renderer's permanent error, or its error in the plan rendered last; nil while it is in use.
  public var fallback: SafelightError? { state.withLock { $0.failure ?? $0.refusal } }

  /// The renderer currently in use.
  public var current: any Renderer { fallback == nil ? first : second }

  public var name: String { current.name }
  public var evaluator: any ColorEvaluator { current.evaluator }
  public var serialEvaluator: any ColorEvaluator { current.serialEvaluator }
  public var framesInFlight: Int { current.framesInFlight }

  public var backendReport: BackendReport {
    var report = current.backendReport
    report.fallback = fallback.map(Self.note)
    return report
  }

  /// The message for users about a GPU that failed.
  package static func note(_ error: any Error) -> String {
    let problem = (error as? SafelightError)?.problem ?? "\(error)"
    return "The GPU is not used: " + problem.prefix(1).lowercased() + problem.dropFirst()
  }

  /// A plan as prepared by each renderer; by the second only when needed.
  private final class Prepared: Sendable {
    let plan: Plan
    private let first = Mutex<PreparedPlan?>(nil)
    private let second = Mutex<PreparedPlan?>(nil)
    /// Why the first renderer does not render the plan.
    private let refused = Mutex<SafelightError?>(nil)

    init(_ plan: Plan) { self.plan = plan }

    var refusal: SafelightError? { refused.withLock { $0 } }
    func refuse(_ error: SafelightError) { refused.withLock { $0 = error } }

    func forFirst(_ renderer: any Renderer) throws -> PreparedPlan {
      if let made = first.withLock({ $0 }) { return made }
      let made = try renderer.prepare(plan)
      first.withLock { $0 = made }
      return made
    }

    func forSecond(_ renderer: any Renderer) throws -> PreparedPlan {
      try second.withLock { second in
        if let second { return second }
        let made = try renderer.prepare(plan)
        second = made
        return made
      }
    }
  }

  /// As `Prepared`, for a picture.
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
    let own = Prepared(plan)
    _ = try falling(own) { try own.forFirst(first) }
    return PreparedPlan(plan: plan, state: own)
  }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    let plan = try own(prepared)
    let first: PreparedSource? = try falling(plan) {
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
    let isDone: Void? = try falling(plan) {
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
    let pending: PendingFrame? = try falling(plan) {
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
    let plan = try own(prepared)
    fall(error, plan)
    try second.renderFrame(source, through: plan.forSecond(second), into: output)
  }

  // MARK: Falling back

  /// - Returns: nil if the second renderer must take over.
  private func falling<Value>(_ plan: Prepared, _ body: () throws -> Value) throws -> Value? {
    let refusal = plan.refusal
    let goesOn = state.withLock { state in
      state.refusal = refusal
      return state.failure == nil && refusal == nil
    }
    guard goesOn else { return nil }
    do {
      return try body()
    } catch let error as SafelightError where isForSecond(error) {
      fall(error, plan)
      return nil
    }
  }

  /// Whether the other renderer may succeed: a caller's mistake fails everywhere.
  private func isForSecond(_ error: SafelightError) -> Bool { error.code != .invalidValue }

  private func fall(_ error: SafelightError, _ plan: Prepared) {
    let isForGood = Self.isForGood(error)
    if !isForGood { plan.refuse(error) }
    let isNews = state.withLock { state in
      if isForGood {
        defer { state.failure = state.failure ?? error }
        return state.failure == nil
      }
      state.refusal = error
      defer { state.hasToldRefusal = true }
      return !state.hasToldRefusal && state.failure == nil
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
