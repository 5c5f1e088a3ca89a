import ArgumentParser
import Libc
import Safelight

/// What fires the shutter, as on the command line.
enum ShutterTrigger: Hashable {
  case key
  case signal(Int32)
  /// A device of keys: a pedal, a remote, a volume key.
  case input(String)

  init(_ text: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count > 1 ? parts[1] : nil) {
    case ("key", nil): self = .key
    case ("signal", "USR1"?), ("signal", "SIGUSR1"?): self = .signal(SIGUSR1)
    case ("signal", "USR2"?), ("signal", "SIGUSR2"?): self = .signal(SIGUSR2)
    case ("signal", let name):
      throw ValidationError(
        "“\(name ?? "")” is not a signal for shutters; give signal:USR1 or signal:USR2.")
    case ("input", let path?) where !path.isEmpty: self = .input(path)
    default:
      throw ValidationError("“\(text)” fires no shutter; give key, signal:USR1 or input:/dev/input/eventN.")
    }
  }
}

/// The presses of a shutter, with their times; received by threads and taken by the main thread.
final class ShutterPresses {
  private struct State {
    var times: [Timestamp] = []
    var isEnd = false
    var problem: SafelightError?
  }
  private let state = Monitor(State())
  let trigger: ShutterTrigger?
  private var terminal: (device: Terminal, keys: TerminalKeys)?

  /// The most presses that wait; further ones are from a stuck key.
  private static let mostWaiting = 1000

  /// - Throws: `SafelightError` if there is no terminal or no such device.
  init(_ trigger: ShutterTrigger?) throws {
    self.trigger = trigger
    switch trigger {
    case nil: break
    case .signal(let number): try listen(forSignal: number)
    case .input(let path): try listen(toDevice: path)
    // The terminal is changed as late as possible: `begin`.
    case .key: break
    }
  }

  /// Begins to read keys, if they fire the shutter.
  func begin() throws {
    guard trigger == .key else { return }
    let terminal = try Terminal(device: "/dev/tty", environment: [:])
    let keys = try TerminalKeys(terminal) { [state] key in
      switch key {
      case .quit: state.update { $0.isEnd = true }
      case .press, .saveStill: Self.press(state, at: .now)
      case .toggleOriginal, .weaker, .stronger: break
      }
    }
    self.terminal = (terminal, keys)
  }

  /// Says what fires the shutter, once it does; nil if nothing is waited for.
  var announcement: String? {
    switch trigger {
    case nil: nil
    case .key: "Ready: the space bar takes a photo, q ends."
    case .signal(let number):
      "Ready: kill -USR\(number == SIGUSR1 ? 1 : 2) \(getpid()) takes a photo, Ctrl-C ends."
    case .input(let path): "Ready: a key of \(path) takes a photo, Ctrl-C ends."
    }
  }

  /// Gives the terminal back.
  func end() {
    terminal?.keys.stop()
    terminal?.device.close()
    terminal = nil
  }

  /// Returns the next press; nil at `deadline`.
  ///
  /// - Throws: `SafelightError` if the device is gone.
  func next(until deadline: Timestamp) throws -> Timestamp? {
    try state.wait(until: deadline) { state -> Timestamp? in
      if !state.times.isEmpty { return state.times.removeFirst() }
      if let problem = state.problem { throw problem }
      return nil
    }
  }

  /// Whether the photographer asked for the end.
  var isEnd: Bool { state.read { $0.isEnd } }

  private static func press(_ state: Monitor<State>, at time: Timestamp) {
    state.update { if $0.times.count < mostWaiting { $0.times.append(time) } }
  }

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
        if sigwait(&waited, &received) == 0 { Self.press(state, at: .now) }
      }
    }.detach()
  }

  private func listen(toDevice path: String) throws {
    // A pipe opens when its writer comes, which nobody here may wait for.
    let isPipe = InputEventDevice.isPipe(path)
    let opened = isPipe ? nil : try InputEventDevice(path)
    try WorkerThread(name: "shutter") { [state] in
      do {
        let device = try opened ?? InputEventDevice(path)
        while let press = try device.nextPress() { Self.press(state, at: press) }
      } catch {
        state.update { $0.problem = error as? SafelightError }
        return
      }
      state.update { $0.isEnd = true }
    }.detach()
  }
}
