import FrameCore

/// What a photo output's threads share: the state machine, the photos under way, and the work to do.
///
/// One thread announces captured photos and keeps deadlines, so that events come soon however long processing
/// takes; the others process.
final class PhotoDesk<Photo: Sendable>: Sendable {
  typealias Machine = PhotoOutputStateMachine<PhotoFrame>
  typealias OnEvent = @Sendable (PhotoEvent<Photo>) -> Void

  /// A photo under way.
  private struct Order {
    let capture: PhotoCapture<Photo>
    let settings: PhotoSettings
    let burst: PhotoBurst<Photo>?
    let onEvent: OnEvent?
  }

  private struct State {
    var machine: Machine
    var orders: [UInt64: Order] = [:]
    /// What the machine decided and the announcing thread has yet to do.
    var actions: [Machine.Action] = []
    var work: [CapturedPhoto] = []
    var session: ObjectIdentifier?
    var framesNotKept = 0
    var hasThreads = false
    var isStopping = false
    /// No further work will come.
    var isDone = false
    var published: PhotoReadiness?
  }

  private let state: Monitor<State>
  private let changes = Broadcast<PhotoReadiness>(keepingNewest: 64)
  /// The longest sleep of the announcing thread, in nanoseconds.
  private static var longestSleep: Int64 { 3_600_000_000_000 }

  init(_ machine: sending Machine) { state = Monitor(State(machine: machine)) }

  // MARK: The photographer's side

  var readiness: PhotoReadiness { state.read { $0.machine.readiness } }

  var readinesses: AsyncStream<PhotoReadiness> { changes.stream(after: readiness) }

  var framesNotKept: Int { state.read { $0.framesNotKept } }

  func track(_ id: UInt64) { change { $0.machine.track(id) } }

  func untrack(_ id: UInt64) { change { $0.machine.untrack(id) } }

  func capture(
    _ settings: PhotoSettings, pressedAt: Timestamp, burst: PhotoBurst<Photo>?, onEvent: OnEvent?
  ) throws -> PhotoCapture<Photo> {
    let resolved = try state.update { state in
      guard state.orders[settings.id] == nil else {
        throw SafelightError(
          .invalidValue, "These photo settings are in use by a photo under way",
          remedy: "make new ones for each photo")
      }
      return try state.machine.resolve(
        settings, pressedAt: pressedAt, burstIndex: burst.map { _ in 0 }, now: .now)
    }
    let capture = PhotoCapture<Photo>(resolved, onEvent: onEvent)
    begin(Order(capture: capture, settings: settings, burst: burst, onEvent: onEvent), after: nil)
    return capture
  }

  func cancel(_ id: UInt64) { change { $0.actions += $0.machine.cancel(id) } }

  /// - Parameter predecessor: the time of the frame before this photo's in a burst.
  private func begin(_ order: Order, after predecessor: Timestamp?) {
    let (capture, resolved) = (order.capture, order.capture.settings)
    order.burst?.append(capture)
    capture.emit(.willBegin(resolved))
    capture.emit(.willCapture(resolved))
    change { state in
      state.orders[resolved.id] = order
      state.actions += state.machine.begin(resolved, after: predecessor, now: .now)
    }
  }

  /// Changes the state and announces readiness if it is another one.
  private func change(_ body: (inout State) -> Void) {
    let readiness = state.update { state -> PhotoReadiness? in
      body(&state)
      let readiness = state.machine.readiness
      guard readiness != state.published else { return nil }
      state.published = readiness
      return readiness
    }
    if let readiness { changes.send(readiness) }
  }

  // MARK: The session's side

  func attach(to session: ObjectIdentifier) throws {
    let isFree = state.update { state in
      guard state.session == nil || state.session == session else { return false }
      state.session = session
      return true
    }
    guard isFree else {
      throw SafelightError(
        .invalidValue, "The output belongs to another session",
        remedy: "remove it there first, or make an output for each session")
    }
  }

  func detach(from session: ObjectIdentifier) {
    state.update { state in
      if state.session == session { state.session = nil }
    }
  }

  func open() { change { $0.machine.opened() } }

  func close() { change { $0.actions += $0.machine.closed() } }

  func captured(_ frame: PhotoFrame, isOnly: Bool) {
    change { state in
      let actions = state.machine.captured(frame, at: frame.time, isOnly: isOnly, now: .now)
      if !actions.isEmpty { state.actions += actions }
    }
  }

  /// Drops the oldest frame; returns false if there is none.
  func makeRoom() -> Bool {
    var hasRoom = false
    change { state in
      let (isDropped, actions) = state.machine.makeRoom(now: .now)
      if !actions.isEmpty { state.actions += actions }
      hasRoom = isDropped
    }
    return hasRoom
  }

  func countFrameNotKept() { state.update { $0.framesNotKept += 1 } }

  // MARK: The threads

  /// Starts the threads, unless they run already.
  ///
  /// - Throws: `SafelightError` if the system grants none.
  func start(threads: Int, _ process: @escaping PhotoOutput<Photo>.Process) throws {
    guard !state.read({ $0.hasThreads }) else { return }
    try WorkerThread(name: "photo-events") { self.announce() }.detach()
    state.update { $0.hasThreads = true }
    for number in 1...threads {
      do {
        try WorkerThread(name: "photo-\(number)") {
          // Live pictures come first.
          WorkerThread.lowerCurrentPriority()
          self.work(process)
        }.detach()
      } catch  where number > 1 {
        return
      }
    }
  }

  /// Ends the threads, once the photos that are captured are processed.
  func stop() { state.update { $0.isStopping = true } }

  private enum Announcement {
    case action(Machine.Action)
    case time
    case end
  }

  private func announce() {
    while true {
      switch nextAnnouncement() {
      case .action(let action): perform(action)
      case .time: change { $0.actions += $0.machine.timePassed(now: .now) }
      case .end: return
      }
    }
  }

  private func nextAnnouncement() -> Announcement {
    let deadline = state.read { $0.machine.deadline } ?? Timestamp.now.advanced(by: Self.longestSleep)
    let known = deadline
    return state.wait(until: deadline) { state -> Announcement? in
      if !state.actions.isEmpty { return .action(state.actions.removeFirst()) }
      if state.isStopping {
        state.actions += state.machine.closed()
        if !state.actions.isEmpty { return .action(state.actions.removeFirst()) }
        state.isDone = true
        return .end
      }
      // A photo begun meanwhile may have an earlier deadline.
      if let deadline = state.machine.deadline, deadline < known { return .time }
      return nil
    } ?? .time
  }

  private func perform(_ action: Machine.Action) {
    switch action {
    case .fail(let id, let error):
      state.update { $0.orders.removeValue(forKey: id) }?.capture.end(.failure(error))
    case .process(let settings, let entries, let reference):
      let (order, moment) = state.read { state in
        (state.orders[settings.id], state.machine.sourceTime(of: settings.pressedAt))
      }
      guard let order else { return }
      let time = entries[reference].time
      let captured = CapturedPhoto(
        settings: settings, frames: entries.map(\.picture), reference: reference,
        offset: time.seconds(since: moment))
      order.capture.emit(.didCapture(PhotoMoment(captured)))
      state.update { $0.work.append(captured) }
      followUp(order, after: time)
    }
  }

  /// Begins the next photo of a burst.
  private func followUp(_ order: Order, after time: Timestamp) {
    guard let burst = order.burst, let index = burst.nextIndex else { return }
    let settings = order.settings.again()
    let resolved = state.update { state in
      try? state.machine.resolve(
        settings, pressedAt: order.capture.settings.pressedAt, burstIndex: index, now: .now)
    }
    // The session has stopped; what the burst has is what there is.
    guard let resolved else { return burst.stop() }
    let capture = PhotoCapture<Photo>(resolved, onEvent: order.onEvent)
    begin(Order(capture: capture, settings: settings, burst: burst, onEvent: order.onEvent), after: time)
  }

  private func work(_ process: PhotoOutput<Photo>.Process) {
    while let (order, outcome) = processNext(process) {
      change { state in
        state.orders[order.settings.id] = nil
        state.machine.processed()
      }
      order.capture.end(outcome)
    }
  }

  /// Processes a captured photo, whose frames' memory is free when this returns; nil if no more will come.
  private func processNext(_ process: PhotoOutput<Photo>.Process) -> (Order, Result<Photo, any Error>)? {
    while let captured = nextWork() {
      guard let order = state.read({ $0.orders[captured.settings.id] }) else { continue }
      return (order, Result { try process(captured) { order.capture.emit(.proxy($0)) } })
    }
    return nil
  }

  private func nextWork() -> CapturedPhoto? {
    state.wait { state -> CapturedPhoto?? in
      if !state.work.isEmpty { return .some(state.work.removeFirst()) }
      return state.isDone ? .some(nil) : nil
    }
  }
}
