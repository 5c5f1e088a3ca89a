import ArgumentParser
import Libc
import Safelight

/// One run of `capture`: opens the source, takes a photo for each press, and waits until all are written.
final class CaptureRun {
  let command: CaptureCommand
  let presses: ShutterPresses
  let signals: Signals
  let session = CaptureSession()
  let output: PhotoOutput<DeliveredPhoto>
  private let names: PhotoNames
  let messages = SessionMessages()
  let input: any CaptureInput
  /// The input whose end waits for the first photo; nil for cameras, and if something fires the shutter.
  private let heldInput: HeldEndInput?
  var orders = CaptureOrders()
  var failures = 0
  /// Whether a signal came while a key was held or a bracket taken.
  var isOver = false
  /// Finishes deferred photos; nil if there are none, or if that is left for later.
  let finisher: DeferredFinisher?
  let deferred: DeferredPhotos
  /// The presses of a page whose photos are deferred, by the photos' ids.
  var pages: [String: Int] = [:]
  /// The movies of the photos; nil if none are asked for.
  let live: LivePhotoMovies?
  /// The number of proxies that are left for later.
  var unfinished = 0

  /// The time for the first frame, in seconds: cameras set up exposure first.
  private static let patience = 10.0
  /// The bytes that frames are kept in.
  private static let memory = 128 << 20
  /// Less for bursts, whose frames have the disk too: half a second at 1080p, four frames of 4K. A burst of 4K then
  /// takes less than 200 MB in all.
  private static let burstMemory = 56 << 20
  /// The most photos that wait to be written; further presses wait for them.
  private static let mostWaiting = 8
  /// The most bursts at a time.
  private static let mostBursts = 2

  init(_ command: CaptureCommand, _ presses: ShutterPresses, _ signals: Signals) throws {
    (self.command, self.presses, self.signals) = (command, presses, signals)
    let source = try LiveSource(command.input.source)
    let opened = try source.makeInput(size: command.input.size, framesPerSecond: command.input.fps)
    heldInput = source.isFile && command.shutter.trigger == nil ? HeldEndInput(opened) : nil
    let input: any CaptureInput = heldInput ?? opened
    self.input = input
    try Self.checkBracket(command, of: input)
    try command.checkSource(input)
    let delivery = try command.makeDelivery(camera: input.name)
    names = delivery.names
    if let form = command.live.form {
      live = try LivePhotoMovies(form, command, source, session)
    } else {
      live = nil
    }
    let isBurst = command.shutter.isBurst
    output = PhotoOutput(
      memory: isBurst ? Self.burstMemory : Self.memory, spool: isBurst ? PhotoSpool(in: names.folder) : nil,
      prioritizesFastCapture: command.shutter.trigger != nil, threads: 2, yieldsToLivePictures: live != nil,
      cameraValues: input.valueReader
    ) { [delivery, recorder = live?.recorder] captured, _ in
      // What is finished later is not worth a thread that could take the next photo.
      if captured.settings.isDeferred { return try delivery.deliverProxy(captured) }
      let photo = try delivery.deliver(captured)
      let frame = captured.frames.first { $0.sequence == photo.sequence } ?? captured.referenceFrame
      recorder?.add(photo.path, capturedAt: frame.time)
      return photo
    }
    deferred = delivery.deferredPhotos
    finisher =
      command.shutter.deferred && !command.shutter.leavesUnfinished ? try DeferredFinisher(deferred) : nil
    let (session, output) = (session, output)
    let connection = Connection(mirroring: .off)
    // A photo of the black frames that cameras start with is worth nothing.
    let settling: Settling = input is DeviceInput ? .automatic : .off
    let request = command.input.request(otherwise: command.isDNG ? .bayer(nil) : nil)
    let addMovies = live?.makeConfiguration(connection)
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try addMovies?(&$0)
        try $0.add(output, connection: connection)
        $0.request = request
        $0.settling = settling
      }
    }.wait()
  }

  func run() throws {
    defer {
      presses.end()
      live?.close()
      stop()
    }
    try start()
    try waitForMovie()
    try names.makeFolder()
    try presses.begin { [output] in output.readiness }
    if let ready = presses.announcement { Output.note(ready) }
    let outcome = Result { try takePhotos() }
    // Also those that were taken before something went wrong.
    try tell(all: true)
    try finishMovies()
    signals.release()
    try finish()
    if output.framesNotKept > 0, command.shutter.isBurst {
      Output.warning(
        "\(output.framesNotKept) frames are missing between photos, since all memory for frames was in use; use a "
          + "smaller --size")
    }
    try outcome.get()
    if failures > 0 { throw ExitCode.failure }
  }

  private func start() throws {
    let session = session
    try messages.follow(session.states)
    try live?.start(session)
    let opening = try Blocking { begun in
      await session.reach(begun)
      try await session.start()
    }
    // Opening a device may take long, and a thread for it may never come.
    while try !opening.isDone() { try check(signals.wait(seconds: 0.002)) }
    let deadline = Timestamp.now.advanced(bySeconds: Self.patience)
    while output.readiness != .ready {
      try checkSource()
      guard Timestamp.now < deadline else {
        throw SafelightError(
          .device, "No frame came from \(input.name) within \(PlainNumber.fixed(Self.patience, 0)) s",
          remedy: "check that the source sends pictures")
      }
      try check(signals.wait(seconds: 0.005))
    }
  }

  /// - Throws: the exit code of the signal, if there is one.
  func check(_ signal: Int32?) throws {
    if let signal { throw ExitCode(128 + signal) }
  }

  private func takePhotos() throws {
    let began = Timestamp.now
    var number = 0
    while command.shutter.presses.map({ number < $0 }) ?? true {
      guard var press = try nextPress(number, since: began) else { return }
      number += 1
      if let timer = command.shutter.timer {
        guard try wait(for: timer) else { return }
        press.time = .now
      }
      try take(press)
      if isOver { return }
      heldInput?.letEnd()
      // What waits is bounded; a press in the meantime keeps its time.
      while orders.photoCount >= Self.mostWaiting || orders.burstCount >= Self.mostBursts {
        if try follow(seconds: 0.002) != nil { return }
      }
    }
  }

  /// Waits for the next press; nil if the run is to end.
  private func nextPress(_ number: Int, since began: Timestamp) throws -> ShutterPress? {
    if try follow(seconds: 0) != nil { return nil }
    if command.shutter.trigger == nil {
      guard let interval = command.shutter.interval else { return ShutterPress(time: .now) }
      let due = began.advanced(bySeconds: Double(number) * interval)
      while Timestamp.now < due {
        if try follow(seconds: min(0.02, max(0, due.seconds(since: .now)))) != nil { return nil }
      }
      return ShutterPress(time: due)
    }
    while true {
      if let press = try presses.next(until: Timestamp.now.advanced(bySeconds: 0.01)) { return press }
      if try presses.isEnd || follow(seconds: 0) != nil { return nil }
    }
  }

  /// Tells what has happened, and waits.
  ///
  /// - Returns: the signal that asks for the end, if one does.
  private func follow(seconds: Double) throws -> Int32? {
    if let signal = signals.wait(seconds: seconds) { return signal }
    try tell(all: false)
    finisher?.pause(!orders.isEmpty)
    try tellFinished()
    try tellMovies()
    for message in messages.take() { Output.note(message.text) }
    try checkSource()
    return nil
  }

  /// - Returns: false if the run is to end before.
  private func wait(for timer: Double) throws -> Bool {
    let end = Timestamp.now.advanced(bySeconds: timer)
    let showsTime = isatty(2) == 1 && !command.json
    while Timestamp.now < end {
      if showsTime { Output.statusLine("\(PlainNumber.fixed(end.seconds(since: .now).rounded(.up), 0)) …") }
      guard let signal = try follow(seconds: 0.05) else { continue }
      if showsTime { Output.statusLine("") }
      // The usual end of a run without one.
      guard command.shutter.presses == nil else { throw ExitCode(128 + signal) }
      Output.note("The photo that the timer counted down to was not taken.")
      return false
    }
    if showsTime { Output.statusLine("") }
    return true
  }

  private func take(_ press: ShutterPress) throws {
    let shutter = command.shutter
    live?.expectPhoto()
    do {
      if let hold = press.hold {
        try takeBurst(while: hold, press)
      } else if let bracket = shutter.bracket {
        try take(bracket, press)
      } else if let count = shutter.burst {
        orders.add(try output.captureBurst(of: count, pressedAt: press.time), of: count, for: press)
      } else {
        orders.add([try output.capture(shutter.settings, pressedAt: press.time)], for: press)
      }
    } catch {
      if let page = press.pageNumber { presses.answer(page, [], Self.sentence(error)) }
      throw error
    }
  }

  /// Takes frames until the key is released; one at least, however short the press.
  private func takeBurst(while hold: ShutterHold, _ press: ShutterPress) throws {
    let burst = try output.captureBurst(of: .max, pressedAt: press.time)
    defer { burst.stop() }
    orders.add(burst, of: nil, for: press)
    while !hold.hasEnded, !presses.isEnd {
      presses.timePassed()
      if try follow(seconds: 0.002) != nil {
        isOver = true
        return
      }
    }
  }

  /// - Throws: the source's failure, if it has given up for good, or ended.
  func checkSource() throws {
    if let failure = messages.failure { throw failure }
    try live?.check()
    if case .failed(let failure) = session.state { throw failure }
    if case .stopped = session.state {
      throw SafelightError(
        .device, "The source has ended, so no photo can be taken",
        remedy: "use a camera, a longer video or --source synthetic")
    }
  }

  func stop() { session.stopAndWait() }
}
