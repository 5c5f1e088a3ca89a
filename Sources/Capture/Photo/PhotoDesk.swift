import FrameCore
import Synchronization

/// What a photo output's threads share: the state machine, the photos under way, and the work to do.
///
/// One thread announces captured photos and keeps deadlines, so that events come soon however long processing
/// takes; the others process.
final class PhotoDesk<Photo: Sendable>: Sendable {
  typealias Machine = PhotoOutputStateMachine<PhotoFrame>
  typealias OnEvent = @Sendable (PhotoEvent<Photo>) -> Void

  let state: Monitor<State>
  private let changes = Broadcast<PhotoReadiness>(keepingNewest: 64)
  /// The readiness announced last. Held while one is announced, so that the last one is the present one.
  private let published = Mutex<PhotoReadiness?>(nil)
  /// The longest sleep of the announcing thread, in nanoseconds.
  private static var longestSleep: Int64 { 3_600_000_000_000 }

  private let yieldsToLivePictures: Bool
  private let values: CameraValueReader?

  init(_ machine: sending Machine, yieldsToLivePictures: Bool, values: CameraValueReader?) {
    state = Monitor(State(machine: machine))
    self.values = values
    self.yieldsToLivePictures = yieldsToLivePictures
  }

  // MARK: The photographer's side

  var readiness: PhotoReadiness { state.read { $0.machine.readiness } }

  var readinesses: AsyncStream<PhotoReadiness> {
    published.withLock { _ in changes.stream(after: readiness) }
  }

  var framesNotKept: Int { state.read { $0.framesNotKept } }

  func track(_ id: UInt64) { change { $0.machine.track(id) } }

  func untrack(_ id: UInt64) { change { $0.machine.untrack(id) } }

  func capture(
    _ settings: PhotoSettings, pressedAt: Timestamp, burst: PhotoBurst<Photo>?, onEvent: OnEvent?
  ) throws -> PhotoCapture<Photo> {
    let resolved = try change { state in
      guard state.orders[settings.id] == nil, !state.reserved.contains(settings.id) else {
        throw SafelightError(
          .invalidValue, "These photo settings are in use by a photo under way",
          remedy: "make new ones for each photo")
      }
      let resolved = try state.machine.resolve(
        settings, pressedAt: pressedAt, burst: burst.map { BurstPosition(id: $0.id, index: 0) }, now: .now)
      state.reserved.insert(settings.id)
      if let burst { state.bursts = state.bursts.filter(\.goesOn) + [burst] }
      return resolved
    }
    let values = values?.begin()
    let capture = PhotoCapture<Photo>(resolved, onEvent: onEvent)
    begin(
      Order(capture: capture, settings: settings, burst: burst, onEvent: onEvent, values: values), after: nil)
    return capture
  }

  func cancel(_ id: UInt64) { change { $0.actions += $0.machine.cancel(id) } }

  /// - Parameter predecessor: the time of the frame before this photo's in a burst.
  func begin(_ order: Order, after predecessor: Timestamp?) {
    let (capture, resolved) = (order.capture, order.capture.settings)
    capture.emit(.willBegin(resolved))
    capture.emit(.willCapture(resolved))
    change { state in
      // At once: a burst whose last photo does not wait yet would let its frame go.
      order.burst?.append(capture)
      state.reserved.remove(resolved.id)
      state.orders[resolved.id] = order
      state.actions += state.machine.begin(resolved, after: predecessor, now: .now)
    }
  }

  /// Changes the state and announces readiness if it is another one.
  func change<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    defer { announceReadiness() }
    return try state.update { try body(&$0) }
  }

  private func announceReadiness() {
    published.withLock { published in
      let readiness = readiness
      guard readiness != published else { return }
      published = readiness
      changes.send(readiness)
    }
  }

  // MARK: The session's side

  func attach(to session: ObjectIdentifier) throws {
    try state.update { try $0.session.claim(by: session) }
  }

  func detach(from session: ObjectIdentifier) {
    state.update { $0.session.release(by: session) }
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

  /// Whether a photo waits for its frames, or a burst goes on.
  var awaitsFrames: Bool {
    state.read { state in state.machine.awaitsFrames || state.bursts.contains(where: \.goesOn) }
  }

  func countFrameNotKept() { state.update { $0.framesNotKept += 1 } }

  // MARK: The threads

  /// Starts the threads, unless they run already.
  ///
  /// - Throws: `SafelightError` if the system does not grant two; then none is left.
  func start(threads: Int, _ process: @escaping PhotoOutput<Photo>.Process) throws {
    let isNeeded = state.update { state in
      defer { (state.hasThreads, state.isStopping, state.isDone) = (true, false, false) }
      return !state.hasThreads
    }
    guard isNeeded else { return }
    do {
      try startWorker(1, process)
      try WorkerThread(name: "photo-events") { self.announce() }.detach()
    } catch {
      state.update { ($0.hasThreads, $0.isDone) = (false, true) }
      throw error
    }
    // One is enough; others make several photos at a time faster.
    for number in 1..<threads { try? startWorker(number + 1, process) }
  }

  private func startWorker(_ number: Int, _ process: @escaping PhotoOutput<Photo>.Process) throws {
    try WorkerThread(name: "photo-\(number)") {
      if self.yieldsToLivePictures { WorkerThread.lowerCurrentPriority() }
      self.work(process)
    }.detach()
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
      case .end:
        // Not while waiting, which wakes nobody.
        state.update { $0.isDone = true }
        return
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
      guard let order = state.update({ $0.orders.removeValue(forKey: id) }) else { return }
      // Without this frame its successor is unknown.
      order.burst?.stop()
      order.capture.end(.failure(error))
    case .process(let settings, let entries, let reference, let moment):
      guard let order = state.read({ $0.orders[settings.id] }) else {
        return change { $0.machine.processed() }
      }
      let time = entries[reference].time
      let captured = CapturedPhoto(
        settings: settings, frames: entries.map(\.picture), reference: reference,
        offset: time.seconds(since: moment), exposures: order.exposures)
      if let collect = order.collect {
        state.update { $0.orders[settings.id] = nil }
        change { $0.machine.processed() }
        return collect(captured)
      }
      order.capture.emit(.didCapture(PhotoMoment(captured)))
      state.update { $0.work.append(captured) }
      followUp(order, after: time)
    }
  }

  /// Begins the next photo of a burst.
  private func followUp(_ order: Order, after time: Timestamp) {
    guard let burst = order.burst, let index = burst.beginNext() else { return }
    let settings = order.settings.again()
    let first = order.capture.settings
    let resolved = change { state in
      try? state.machine.resolve(
        settings, pressedAt: first.pressedAt, burst: BurstPosition(id: burst.id, index: index),
        zeroShutterLag: first.zeroShutterLag, now: .now)
    }
    // The session has stopped; what the burst has is what there is.
    guard let resolved else { return burst.giveUp() }
    let capture = PhotoCapture<Photo>(resolved, onEvent: order.onEvent)
    begin(
      Order(
        capture: capture, settings: settings, burst: burst, onEvent: order.onEvent, values: order.values),
      after: time)
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
    while var captured = nextWork() {
      guard let order = state.read({ $0.orders[captured.settings.id] }) else {
        change { $0.machine.processed() }
        continue
      }
      captured.cameraValues = order.values?.wait()
      return (order, Result { try process(captured.loaded(), PhotoUpdates { order.capture.emit($0) }) })
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
