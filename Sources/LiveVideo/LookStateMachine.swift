import FilterGraph

/// Decides which look is compiled for which frames, and which plan each frame goes through: a state machine
/// without clock, lock or thread.
///
/// Its methods are the events, called in the order in which they happen; they return what to do. The frame loop
/// asks with each frame. One compiler runs in parallel: it asks for its next job when it has finished one.
///
/// - `Shape`: the properties of a frame that a plan must fit.
/// - `Plan`: a compiled look.
struct LookStateMachine<Look, Shape: Hashable, Plan> {
  /// A look to compile for frames of one shape.
  struct Job {
    let look: Look
    let version: UInt64
    let shape: Shape
    /// The plan used so far for frames of this shape.
    let former: Plan?
    /// Whether to make tables: false if a live frame would wait for them.
    let isOptimized: Bool
    /// The version that failed for this shape and that this one replaces; 0 if none did.
    fileprivate var failedVersion: UInt64 = 0
  }

  /// What to do with a frame.
  enum Answer {
    case use(Plan)
    /// The frame waits for this job.
    case compile(Job)
  }

  /// What the compiler should do next.
  enum Next {
    case compile(Job)
    /// Nothing, until something changes.
    case wait
    case end
  }

  /// What to do with a frame that waited for a look that failed to compile.
  enum Recovery {
    case use(Plan)
    case compile(Job)
    /// There is no plan to fall back on.
    case fail
  }

  /// A plan for frames of one shape.
  private struct Entry {
    let shape: Shape
    var plan: Plan
    /// The look that the plan was made from.
    var look: Look
    var version: UInt64
    /// Whether the compiler should make a faster plan of the same look.
    var isProvisional: Bool
    /// The last version that failed to compile for this shape; it would fail again.
    var failedVersion: UInt64
  }

  /// The number of shapes whose plans are kept, since some sources alternate.
  static var mostShapes: Int { 4 }

  /// Whether frames must not wait: neither the first ones for tables, nor later ones for a changed look.
  let isLive: Bool
  private(set) var look: Look
  /// The version of the look: 1 plus the number of changes.
  private(set) var version: UInt64 = 1
  /// The error of the newest look that failed; nil once a newer one is compiled.
  var problem: (any Error)? { failure?.error }
  /// Whether the tables of the first plan are in the cache, or cannot be made.
  private(set) var hasTables = false

  /// The shape of the current frames.
  private var shape: Shape?
  /// In order of use: the plan used most recently is last.
  private var entries: [Entry] = []
  private var failure: (error: any Error, version: UInt64)?
  /// The newest look that compiled, for any shape.
  private var compiledLook: (look: Look, version: UInt64)?
  private var isReleased = false
  private var isClosed = false

  init(_ look: Look, isLive: Bool) {
    (self.look, self.isLive) = (look, isLive)
    entries.reserveCapacity(Self.mostShapes)
  }

  // MARK: The user's events

  /// The look changes.
  mutating func change(_ edit: (inout Look) -> Void) {
    edit(&look)
    version += 1
  }

  // MARK: The frame loop's events

  /// The tables of the first plan were baked, as far as possible.
  mutating func bakedTables() { hasTables = true }

  /// The compiler may start work.
  mutating func release() { isReleased = true }

  /// No more frames come.
  mutating func close() { isClosed = true }

  /// Returns the plan for a frame of the same shape as the previous one; nil if `frame(_:)` must be called.
  func plan(for shape: Shape) -> Plan? {
    guard shape == self.shape, let entry = entries.last, isReady(entry) else { return nil }
    return entry.plan
  }

  /// A frame arrived.
  mutating func frame(_ shape: Shape) -> Answer {
    self.shape = shape
    guard let index = entries.firstIndex(where: { $0.shape == shape }) else {
      // Tables are baked in advance for the first plan only.
      return .compile(job(shape, optimized: !isLive || hasTables && entries.isEmpty))
    }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return isReady(entry) ? .use(entry.plan) : .compile(job(shape, after: entry, optimized: !isLive))
  }

  /// Whether frames can use this plan without waiting for another one.
  private func isReady(_ entry: Entry) -> Bool {
    isLive || entry.version == version || entry.failedVersion == version
  }

  private func job(_ shape: Shape, after entry: Entry? = nil, optimized: Bool) -> Job {
    Job(look: look, version: version, shape: shape, former: entry?.plan, isOptimized: optimized)
  }

  // MARK: The compiler's events

  /// The compiler has finished its job, if it had one, and asks for another.
  func next() -> Next {
    if isClosed { return .end }
    guard isReleased, let shape, let entry = entries.last(where: { $0.shape == shape }) else { return .wait }
    if entry.failedVersion != version {
      let isDone = entry.version == version && !entry.isProvisional
      return isDone ? .wait : .compile(job(shape, after: entry, optimized: true))
    }
    guard entry.isProvisional else { return .wait }
    // The look that stays in use because the newest one failed must become fast too.
    return .compile(
      Job(look: entry.look, version: entry.version, shape: shape, former: entry.plan, isOptimized: true))
  }

  // MARK: What both tell

  /// A look was compiled, by the compiler or for a waiting frame.
  ///
  /// - Parameter isFast: whether tables would not make the plan any faster.
  mutating func compiled(_ job: Job, _ plan: Plan, isFast: Bool) {
    if let failed = failure?.version, failed < job.version { failure = nil }
    if job.version >= compiledLook?.version ?? 0 { compiledLook = (job.look, job.version) }
    let isProvisional = !job.isOptimized && !isFast
    guard let index = entries.firstIndex(where: { $0.shape == job.shape }) else {
      // The shape was evicted when others arrived; its frames will ask again.
      guard job.shape == shape else { return }
      if entries.count >= Self.mostShapes { entries.removeFirst() }
      entries.append(
        Entry(
          shape: job.shape, plan: plan, look: job.look, version: job.version, isProvisional: isProvisional,
          failedVersion: job.failedVersion))
      return
    }
    // The frame loop may have compiled a newer look first.
    let former = entries[index]
    guard job.version > former.version || job.version == former.version && former.isProvisional else {
      return
    }
    entries[index].plan = plan
    (entries[index].look, entries[index].version) = (job.look, job.version)
    entries[index].isProvisional = isProvisional
  }

  /// A look could not be compiled.
  ///
  /// - Returns: what to do with the frame that waited for it, if any.
  mutating func failed(_ job: Job, _ error: any Error) -> Recovery {
    if job.version >= failure?.version ?? 0 { failure = (error, job.version) }
    if let index = entries.firstIndex(where: { $0.shape == job.shape }) {
      entries[index].failedVersion = max(entries[index].failedVersion, job.version)
      // A plan that cannot be made faster stays as it is.
      if job.version == entries[index].version { entries[index].isProvisional = false }
      return .use(entries[index].plan)
    }
    // The previous look may compile for frames of another shape too.
    guard let (look, version) = compiledLook, version < job.version else { return .fail }
    return .compile(
      Job(
        look: look, version: version, shape: job.shape, former: nil, isOptimized: job.isOptimized,
        failedVersion: max(job.failedVersion, job.version)))
  }
}
