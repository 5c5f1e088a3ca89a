import FilterGraph
import FrameCore
import Rendering
import Synchronization

/// A renderer with a fallback: a GPU backed by the CPU.
///
/// If the first renderer stops working (`SafelightError.Code.device`), the change is permanent; if only a plan is
/// too much for it, the second renders that plan alone. Each is reported once. Plans and pictures prepared earlier
/// remain usable.
public final class FallbackRenderer: Renderer {
  fileprivate let first, second: any Renderer
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

  public func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try current.optimize(draft, options: options)
  }

  public func prepare(_ plan: Plan) throws -> some PreparedPlan {
    let own = FallbackPlan(plan, on: self)
    if try falling(own, { try own.forFirst() }) == nil { _ = try own.forSecond() }
    return own
  }

  // MARK: Falling back

  /// - Returns: nil if the second renderer must take over.
  fileprivate func falling<Value>(_ plan: FallbackPlan, _ body: () throws -> Value) throws -> Value? {
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
  fileprivate func isForSecond(_ error: SafelightError) -> Bool { error.code != .invalidValue }

  fileprivate func fall(_ error: SafelightError, _ plan: FallbackPlan) {
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
}

/// A plan as prepared by each renderer; by the second only when needed.
private final class FallbackPlan: PreparedPlan, BandedPlan, FrameRescuer {
  let plan: Plan
  let renderer: FallbackRenderer
  private let first = Mutex<(any PreparedPlan)?>(nil)
  private let second = Mutex<(any PreparedPlan)?>(nil)
  /// Why the first renderer does not render the plan.
  private let refused = Mutex<SafelightError?>(nil)

  init(
    _ plan: Plan, on renderer: FallbackRenderer, proxy: LightProxy? = nil, history: LightHistory? = nil
  ) {
    (self.plan, self.renderer, self.proxy, self.history) = (plan, renderer, proxy, history)
  }

  var refusal: SafelightError? { refused.withLock { $0 } }
  func refuse(_ error: SafelightError) { refused.withLock { $0 = error } }

  /// The light of the one picture that is rendered; nil if each picture has its own.
  private let proxy: LightProxy?
  /// Of the live run whose frames are rendered.
  private let history: LightHistory?

  /// Each renderer is prepared when it is first used.
  func following(_ history: LightHistory) -> any PreparedPlan {
    guard plan.hasLocalLight else { return self }
    let own = FallbackPlan(plan, on: renderer, history: history)
    own.first.withLock { $0 = first.withLock { $0 }?.following(history) }
    own.second.withLock { $0 = second.withLock { $0 }?.following(history) }
    return own
  }

  func lit(by proxy: LightProxy) throws -> any PreparedPlan {
    let own = FallbackPlan(plan, on: renderer, proxy: proxy)
    // Each renderer is prepared when it is first used; `bands` asks for one of them.
    if try renderer.falling(own, { try own.forFirst() }) == nil { _ = try own.forSecond() }
    return own
  }

  private func prepared(by renderer: any Renderer) throws -> any PreparedPlan {
    let made = try renderer.prepare(plan)
    if let history { return made.following(history) }
    guard let proxy else { return made }
    return try made.lit(by: proxy)
  }

  func forFirst() throws -> any PreparedPlan {
    if let made = first.withLock({ $0 }) { return made }
    let made = try prepared(by: renderer.first)
    first.withLock { $0 = made }
    return made
  }

  func forSecond() throws -> any PreparedPlan {
    try second.withLock { second in
      if let second { return second }
      let made = try prepared(by: renderer.second)
      second = made
      return made
    }
  }

  // MARK: Frames

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try submit(source, into: output).wait()
  }

  func submit(_ source: PixelBuffer, into output: PixelBuffer) throws -> PendingFrame {
    let pending: PendingFrame? = try renderer.falling(self) { try forFirst().submit(source, into: output) }
    if let pending { return pending.rescued(by: self, source, into: output) }
    return try forSecond().submit(source, into: output)
  }

  func rescue(_ source: PixelBuffer, into output: PixelBuffer, after error: SafelightError) throws {
    guard renderer.isForSecond(error) else { throw error }
    renderer.fall(error, self)
    try forSecond().render(source, into: output)
  }

  // MARK: Bands

  /// Nil if the renderer that the plan was prepared for needs whole pictures.
  var bands: (any BandedPlan)? {
    let prepared = first.withLock { $0 } ?? second.withLock { $0 }
    return prepared?.bands == nil ? nil : self
  }

  func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    let first: (any PreparedPicture)? = try renderer.falling(self) {
      try bands(of: forFirst()).prepare(source)
    }
    let picture = FallbackPicture(source, plan: self, first: first)
    if first == nil { _ = try picture.forSecond() }
    return picture
  }

  /// - Throws: `SafelightError` if the renderer needs whole pictures, since rows may be missing from the source.
  func bands(of prepared: any PreparedPlan) throws -> any BandedPlan {
    guard let bands = prepared.bands else {
      throw SafelightError(
        .unsupported, "The renderer \(renderer.second.name) takes whole pictures only",
        remedy: "decode the whole picture first")
    }
    return bands
  }
}

/// A picture as prepared by each renderer; by the second only when needed.
private final class FallbackPicture: PreparedPicture {
  private let source: PixelBuffer
  private let plan: FallbackPlan
  private let first: (any PreparedPicture)?
  private let second = Mutex<(any PreparedPicture)?>(nil)

  init(_ source: PixelBuffer, plan: FallbackPlan, first: (any PreparedPicture)?) {
    (self.source, self.plan, self.first) = (source, plan, first)
  }

  func forSecond() throws -> any PreparedPicture {
    try second.withLock { second in
      if let second { return second }
      let made = try plan.bands(of: plan.forSecond()).prepare(source)
      second = made
      return made
    }
  }

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    if let first,
      try plan.renderer.falling(plan, { try first.render(rows: rows, into: output) }) != nil
    {
      return
    }
    try forSecond().render(rows: rows, into: output)
  }
}
