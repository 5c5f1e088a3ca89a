import Libc
import Safelight
import Serving
import Synchronization

/// One press of the shutter.
struct ShutterPress: Sendable {
  /// On CLOCK_MONOTONIC.
  var time: Timestamp
  /// Until when the key is held; nil if that does not matter.
  var hold: ShutterHold?
  /// The number of a press on a page, which waits for its photo.
  var pageNumber: Int?
}

/// A key that is held, as long as it has not ended.
final class ShutterHold: Sendable {
  private let ended = Atomic(false)
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}

/// The presses of a shutter, with their times; received by threads and taken by the main thread.
final class ShutterPresses {
  private struct State {
    var presses: [ShutterPress] = []
    var isEnd = false
    var problem: SafelightError?
    var held = HeldKey()
    var hold: ShutterHold?

    /// The most presses that wait; further ones are from a stuck key.
    private static let mostWaiting = 1000

    mutating func press(at time: Timestamp, hold: ShutterHold? = nil, pageNumber: Int? = nil) {
      guard presses.count < Self.mostWaiting else { return }
      presses.append(ShutterPress(time: time, hold: hold, pageNumber: pageNumber))
    }

    mutating func take(_ change: HeldKey.Change?) {
      switch change {
      case .began(let time):
        let hold = ShutterHold()
        self.hold = hold
        press(at: time, hold: hold)
      case .ended: endHold()
      case nil: break
      }
    }

    mutating func endHold() {
      hold?.end()
      hold = nil
    }
  }

  private let state = Monitor(State())
  let trigger: ShutterTrigger?
  /// The key that is held for a burst; nil if a press is one photo, or as many as were asked for.
  private let heldKey: ShutterKey?
  private var terminal: (device: Terminal, keys: TerminalKeys)?
  private var page: (shutter: RemoteShutter, server: ShutterServer)?

  /// - Throws: `SafelightError` if there is no such device, or no such port to listen on.
  init(_ trigger: ShutterTrigger?, burstWhile heldKey: ShutterKey? = nil) throws {
    (self.trigger, self.heldKey) = (trigger, heldKey)
    switch trigger {
    case nil: break
    case .signal(let number): try listen(forSignal: number)
    case .input(let path): try listen(toDevice: path)
    case .http(let address):
      let shutter = RemoteShutter()
      page = (shutter, try ShutterServer(host: address.host, port: address.port, shutter: shutter))
    // The terminal is changed as late as possible: `begin`.
    case .key: break
    }
  }

  /// Begins to read keys or to serve the page, if these fire the shutter.
  ///
  /// - Parameter readiness: whether a photo would be taken at once.
  func begin(readiness: @escaping @Sendable () -> PhotoReadiness) throws {
    if let page {
      page.shutter.begin(readiness: readiness) { [state] press in
        state.update { $0.press(at: press.moment, pageNumber: press.number) }
      }
      try page.server.open()
    }
    guard trigger == .key else { return }
    let terminal = try Terminal(device: "/dev/tty", for: .keys(releases: heldKey != nil))
    let keys = try TerminalKeys(eventsOf: terminal) {
      [state, heldKey, tellsReleases = terminal.tellsReleases] event in
      state.update { Self.take(event, heldKey, tellsReleases, &$0) }
    }
    self.terminal = (terminal, keys)
  }

  private static func take(
    _ event: KeyEvent, _ heldKey: ShutterKey?, _ tellsReleases: Bool, _ state: inout State
  ) {
    let live = LiveKey(event)
    if live == .quit {
      state.isEnd = true
      return
    }
    guard let heldKey else {
      if live == .press || live == .saveStill { state.press(at: .now) }
      return
    }
    guard heldKey.matches(event) else { return }
    if event.kind == .release {
      state.take(state.held.released(event.character, at: .now))
    } else {
      // Releases of Return would come only with all keys as escape sequences, Ctrl-C among them.
      state.take(
        state.held.pressed(
          event.character, tellsRelease: tellsReleases && event.character != KeyEvent.enter, at: .now))
    }
  }

  /// Says what fires the shutter, once it does; nil if nothing is waited for.
  var announcement: String? {
    let photos = heldKey == nil ? "takes a photo" : "takes photos as long as it is held"
    switch trigger {
    case nil: return nil
    case .key:
      guard let heldKey else { return "Ready: the space bar \(photos), q ends." }
      let key = heldKey == .any ? "any key" : heldKey == .enter ? "Return" : "the key"
      guard terminal?.device.tellsReleases != true || heldKey == .enter else {
        return "Ready: \(key) \(photos), q ends."
      }
      return
        "Ready: \(key) \(photos), q ends. This terminal does not tell when it is released: the burst ends "
        + "\(HeldKey.nextWait) s after its last repetition, or \(HeldKey.firstWait) s after a press without any."
    case .signal(let number):
      return "Ready: kill -USR\(number == SIGUSR1 ? 1 : 2) \(getpid()) takes a photo, Ctrl-C ends."
    case .input(let path): return "Ready: a key of \(path) \(photos), Ctrl-C ends."
    case .http: return page.map { "Ready: a shutter button at \($0.server.address). Ctrl-C ends." }
    }
  }

  /// Tells a page what its press has become.
  ///
  /// - Parameters:
  ///   - photos: those that were written.
  ///   - problem: why one of them was not.
  func answer(_ pageNumber: Int, _ photos: [DeliveredPhoto], _ problem: String?) {
    guard let page else { return }
    if photos.isEmpty {
      page.shutter.fail(pageNumber, problem ?? "No photo was taken.")
    } else {
      // Only the first one's thumbnail is shown.
      page.shutter.finish(
        pageNumber, photos.enumerated().map { RemoteShutter.Photo($1, hasThumbnail: $0 == 0) })
    }
  }

  /// Tells the page of the final photo of a proxy.
  func replaceAnswer(_ pageNumber: Int, _ photo: DeliveredPhoto) {
    page?.shutter.replace(pageNumber, [RemoteShutter.Photo(photo)])
  }

  /// Gives the terminal back, and ends the page.
  func end() {
    terminal?.keys.stop()
    terminal?.device.close()
    terminal = nil
    page?.shutter.end()
    page?.server.close()
    page = nil
  }

  /// Returns the next press; nil at `deadline`.
  ///
  /// - Throws: `SafelightError` if the device is gone.
  func next(until deadline: Timestamp) throws -> ShutterPress? {
    timePassed()
    return try state.wait(until: deadline) { state -> ShutterPress? in
      if !state.presses.isEmpty { return state.presses.removeFirst() }
      if let problem = state.problem { throw problem }
      return nil
    }
  }

  /// Ends the hold of a key that is not repeated any more.
  func timePassed() { state.update { $0.take($0.held.timePassed(now: .now)) } }

  /// Whether the photographer asked for the end.
  var isEnd: Bool { state.read { $0.isEnd } }

  /// Blocks the signal that fires the shutter. Call before any thread is started: threads inherit the mask, and one
  /// that did not would be ended by the signal.
  static func block(_ trigger: ShutterTrigger?) {
    guard case .signal(let number)? = trigger else { return }
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private func listen(forSignal number: Int32) throws {
    try WorkerThread(name: "shutter") { [state] in
      var waited = sigset_t()
      sigemptyset(&waited)
      sigaddset(&waited, number)
      var received: Int32 = 0
      while true {
        if sigwait(&waited, &received) == 0 { state.update { $0.press(at: .now) } }
      }
    }.detach()
  }

  private func listen(toDevice path: String) throws {
    // A pipe opens when its writer comes, which nobody here may wait for.
    let isPipe = InputEventDevice.isPipe(path)
    let opened = isPipe ? nil : try InputEventDevice(path)
    try WorkerThread(name: "shutter") { [state, heldKey] in
      do {
        let device = try opened ?? InputEventDevice(path)
        while let change = try device.nextChange() {
          state.update { Self.take(change, heldKey, &$0) }
        }
      } catch {
        state.update { state in
          state.problem = error as? SafelightError
          state.endHold()
        }
        return
      }
      state.update { state in
        state.isEnd = true
        state.endHold()
      }
    }.detach()
  }

  private static func take(_ change: InputKeyChange, _ heldKey: ShutterKey?, _ state: inout State) {
    guard let heldKey else {
      if change.isDown { state.press(at: change.time) }
      return
    }
    guard heldKey.matches(inputCode: change.code) else { return }
    let key = UInt32(change.code)
    state.take(
      change.isDown
        ? state.held.pressed(key, tellsRelease: true, at: change.time)
        : state.held.released(key, at: change.time))
  }
}

extension RemoteShutter.Photo {
  /// A photo for a page; without a thumbnail if none can be made of its file.
  init(_ photo: DeliveredPhoto, hasThumbnail: Bool = true) {
    self.init(
      path: photo.path, report: (try? photo.jsonLine()) ?? "{}",
      thumbnail: hasThumbnail ? try? PhotoThumbnail.jpeg(ofPhoto: photo.path) : nil)
  }
}
