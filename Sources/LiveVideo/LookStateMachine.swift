import FilterGraph

/// Decides which look is compiled for which frames, and which plan each frame goes through: a state machine without
/// clock, lock or thread.
///
/// Events are its methods, in the order in which they happen; what to do about them is what they return. The frame loop
/// asks with each frame. One compiler works beside it: it asks for its next job when it is done with the one before.
///
/// - `Shape`: what a frame must be like for a plan to fit.
/// - `Plan`: a compiled look.
struct LookStateMachine<Look, Shape: Hashable, Plan> {
  /// A look to compile for frames of a shape.
  struct Job {
    let look: Look
    let version: UInt64
    let shape: Shape
    /// The plan that frames of this shape went through so far.
    let former: Plan?
    /// Whether tables are to be made: false where a live frame would wait for them.
    let isOptimized: Bool
    /// The version that failed for this shape, in whose place this one is tried; 0 where none did.
    fileprivate var failedVersion: UInt64 = 0
  }

  /// What to do with a frame.
  enum Answer {
    case use(Plan)
    /// The frame waits for this one.
    case compile(Job)
  }

  /// What the compiler does next.
  enum Next {
    case compile(Job)
    /// Nothing, until something changes.
    case wait
    case end
  }

  /// What to do with a frame that waited for a look that cannot be compiled.
  enum Recovery {
    case use(Plan)
    case compile(Job)
    /// There is no plan to go on with.
    case fail
  }

  /// A plan for frames of one shape.
  private struct Entry {
    let shape: Shape
    var plan: Plan
    /// The look that it was made of.
    var look: Look
    var version: UInt64
    /// Whether the compiler is to make a faster one of the same look.
    var isProvisional: Bool
    /// The last version that could not be compiled for this shape; it would fail again.
    var failedVersion: UInt64
  }

  /// Shapes whose plans are kept, since some sources alternate.
  static var mostShapes: Int { 4 }

  /// Whether frames are not to wait: neither the first ones for tables, nor later ones for a changed look.
  let isLive: Bool
  private(set) var look: Look
  /// Counts changes of the look.
  private(set) var version: UInt64 = 1
  /// What the newest look that failed failed with; nil once a newer one is compiled.
  var problem: (any Error)? { failure?.error }
  /// Whether the tables of the first plan are in the cache, or cannot be made.
  private(set) var hasTables = false

  /// What frames are like at present.
  private var shape: Shape?
  /// The plan used last is the last.
  private var entries: [Entry] = []
  private var failure: (error: any Error, version: UInt64)?
  /// The newest look that was compiled for any shape.
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

  /// The tables of the first plan were baked, as far as they can be.
  mutating func bakedTables() { hasTables = true }

  /// There is time for the compiler.
  mutating func release() { isReleased = true }

  /// No more frames come.
  mutating func close() { isClosed = true }

  /// The plan for a frame of the same shape as the one before; nil where `frame(_:)` must be asked.
  func plan(for shape: Shape) -> Plan? {
    guard shape == self.shape, let entry = entries.last, isReady(entry) else { return nil }
    return entry.plan
  }

  /// A frame came.
  mutating func frame(_ shape: Shape) -> Answer {
    self.shape = shape
    guard let index = entries.firstIndex(where: { $0.shape == shape }) else {
      // Tables are baked ahead for the first plan only.
      return .compile(job(shape, optimized: !isLive || hasTables && entries.isEmpty))
    }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return isReady(entry) ? .use(entry.plan) : .compile(job(shape, after: entry, optimized: !isLive))
  }

  /// Whether frames do not wait for another plan than this one.
  private func isReady(_ entry: Entry) -> Bool {
    isLive || entry.version == version || entry.failedVersion == version
  }

  private func job(_ shape: Shape, after entry: Entry? = nil, optimized: Bool) -> Job {
    Job(look: look, version: version, shape: shape, former: entry?.plan, isOptimized: optimized)
  }

  // MARK: The compiler's events

  /// The compiler is done with what it was given, if anything, and asks for more.
  func next() -> Next {
    if isClosed { return .end }
    guard isReleased, let shape, let entry = entries.last(where: { $0.shape == shape }) else { return .wait }
    if entry.failedVersion != version {
      let isDone = entry.version == version && !entry.isProvisional
      return isDone ? .wait : .compile(job(shape, after: entry, optimized: true))
    }
    guard entry.isProvisional else { return .wait }
    // The look that goes on, since the newest one failed, is to be fast too.
    return .compile(
      Job(look: entry.look, version: entry.version, shape: shape, former: entry.plan, isOptimized: true))
  }

  // MARK: What both tell

  /// A look was compiled, by the compiler or for a frame that waits.
  ///
  /// - Parameter isFast: whether tables would not make the plan faster.
  mutating func compiled(_ job: Job, _ plan: Plan, isFast: Bool) {
    if let failed = failure?.version, failed < job.version { failure = nil }
    if job.version >= compiledLook?.version ?? 0 { compiledLook = (job.look, job.version) }
    let isProvisional = !job.isOptimized && !isFast
    guard let index = entries.firstIndex(where: { $0.shape == job.shape }) else {
      // Frames of a shape that was given up, because others came, ask again.
      guard job.shape == shape else { return }
      if entries.count >= Self.mostShapes { entries.removeFirst() }
      entries.append(
        Entry(
          shape: job.shape, plan: plan, look: job.look, version: job.version, isProvisional: isProvisional,
          failedVersion: job.failedVersion))
      return
    }
    // The frame loop may have been faster with a newer look.
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
  /// - Returns: what to do with the frame that waited for it, if one did.
  mutating func failed(_ job: Job, _ error: any Error) -> Recovery {
    if job.version >= failure?.version ?? 0 { failure = (error, job.version) }
    if let index = entries.firstIndex(where: { $0.shape == job.shape }) {
      entries[index].failedVersion = max(entries[index].failedVersion, job.version)
      // What cannot be made faster stays as it is.
      if job.version == entries[index].version { entries[index].isProvisional = false }
      return .use(entries[index].plan)
    }
    // The look before may do for frames of another shape too.
    guard let (look, version) = compiledLook, version < job.version else { return .fail }
    return .compile(
      Job(
        look: look, version: version, shape: job.shape, former: nil, isOptimized: job.isOptimized,
        failedVersion: max(job.failedVersion, job.version)))
  }
}
