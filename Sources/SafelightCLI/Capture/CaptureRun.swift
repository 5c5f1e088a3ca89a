import ArgumentParser
import Libc
import Safelight

/// One run of `capture`: opens the source, takes a photo for each press, and waits until all are written.
final class CaptureRun {
  let command: CaptureCommand
  private let presses: ShutterPresses
  private let session = CaptureSession()
  let output: PhotoOutput<DeliveredPhoto>
  let messages = SessionMessages()
  let input: any CaptureInput
  /// Photos that are not told yet, in the order of their presses.
  var captures: [PhotoCapture<DeliveredPhoto>] = []
  private var bursts: [PhotoBurst<DeliveredPhoto>] = []
  var failures = 0
  /// Finishes deferred photos; nil if there are none, or if that is left for later.
  private let finisher: DeferredFinisher?
  private let deferred: DeferredPhotos
  /// The number of proxies that are left for later.
  private var unfinished = 0
  /// Whether bursts and brackets were asked to end.
  var isStopped = false

  /// The time for the first frame, in seconds: cameras set up exposure first.
  private static let patience = 10.0
  /// The most photos that wait to be written; further presses wait for them.
  private static let mostWaiting = 8
  /// The most bursts at a time.
  private static let mostBursts = 2

  init(_ command: CaptureCommand, _ presses: ShutterPresses) throws {
    self.command = command
    self.presses = presses
    let source = try LiveSource(command.source)
    input = try source.makeInput(size: command.size, framesPerSecond: command.fps)
    try Self.checkBracket(command, of: input)
    var delivery = try command.makeDelivery(camera: input.name)
    if let device = (input as? DeviceInput)?.device {
      delivery.cameraValues = { try? device.cameraValues() }
    }
    let spool = command.shutter.burst == nil ? nil : try PhotoSpool(in: delivery.names.folder)
    output = PhotoOutput(
      spool: spool, prioritizesFastCapture: command.shutter.trigger != nil, threads: 2,
      yieldsToLivePictures: false
    ) { [delivery] captured, _ in
      // What is finished later is not worth a thread that could take the next photo.
      captured.settings.isDeferred ? try delivery.deliverProxy(captured) : try delivery.deliver(captured)
    }
    deferred = delivery.deferredPhotos
    finisher =
      command.shutter.deferred && !command.shutter.leavesUnfinished ? try DeferredFinisher(deferred) : nil
    let (session, output, input) = (session, output, input)
    let connection = Connection(mirroring: .off)
    // A photo of the black frames that cameras start with is worth nothing.
    let settling: Settling = input is DeviceInput ? .automatic : .off
    let request = StreamRequest(
      size: command.size, framesPerSecond: command.fps, encoding: command.sourceFormat?.captureEncoding)
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(output, connection: connection)
        $0.request = request
        $0.settling = settling
      }
    }.wait()
  }

  func run(_ signals: Signals) throws {
    defer {
      presses.end()
      stop()
    }
    try start(signals)
    try presses.begin()
    if let ready = presses.announcement { Output.note(ready) }
    let outcome = Result { try takePhotos(signals) }
    // Also those that were taken before something went wrong.
    try tell(all: true, signals)
    signals.release()
    try finish()
    if output.framesNotKept > 0, command.shutter.burst != nil {
      Output.warning(
        "\(output.framesNotKept) frames are missing between photos, since all memory for frames was in use; use a "
          + "smaller --size")
    }
    try outcome.get()
    if failures > 0 { throw ExitCode.failure }
  }

  private func start(_ signals: Signals) throws {
    let (session, messages) = (session, messages)
    _ = try Blocking { _ in
      for await state in session.states {
        messages.note(state)
        if state.isFinal { return }
      }
    }
    try Blocking { begun in
      _ = await session.configuration
      begun()
      try await session.start()
    }.wait()
    let deadline = Timestamp.now.advanced(bySeconds: Self.patience)
    while output.readiness != .ready {
      try checkSource()
      guard Timestamp.now < deadline else {
        throw SafelightError(
          .device, "No frame came from \(input.name) within \(PlainNumber.fixed(Self.patience, 0)) s",
          remedy: "check that the source sends pictures")
      }
      if let signal = signals.wait(seconds: 0.005) { throw ExitCode(128 + signal) }
    }
  }

  private func takePhotos(_ signals: Signals) throws {
    let began = Timestamp.now
    var number = 0
    while command.shutter.presses.map({ number < $0 }) ?? true {
      guard let press = try nextPress(number, since: began, signals) else { return }
      number += 1
      try wait(for: command.shutter.timer, signals)
      try take(pressedAt: command.shutter.timer == nil ? press : .now, signals)
      if isStopped { return }
      // What waits is bounded; a press in the meantime keeps its time.
      while captures.count >= Self.mostWaiting || bursts.count >= Self.mostBursts {
        if try follow(signals, seconds: 0.002) != nil { return }
      }
    }
  }

  /// Waits for the next press; nil if the run is to end.
  private func nextPress(_ number: Int, since began: Timestamp, _ signals: Signals) throws -> Timestamp? {
    if try follow(signals, seconds: 0) != nil { return nil }
    if command.shutter.trigger == nil {
      guard let interval = command.shutter.interval else { return .now }
      let due = began.advanced(bySeconds: Double(number) * interval)
      while Timestamp.now < due {
        if try follow(signals, seconds: min(0.02, max(0, due.seconds(since: .now)))) != nil { return nil }
      }
      return due
    }
    while true {
      if let press = try presses.next(until: Timestamp.now.advanced(bySeconds: 0.01)) { return press }
      if try presses.isEnd || follow(signals, seconds: 0) != nil { return nil }
    }
  }

  /// Tells what has happened, and waits.
  ///
  /// - Returns: the signal that asks for the end, if one does.
  private func follow(_ signals: Signals, seconds: Double) throws -> Int32? {
    if let signal = signals.wait(seconds: seconds) { return signal }
    try tell(all: false, signals)
    finisher?.pause(!captures.isEmpty || !bursts.isEmpty)
    try tellFinished()
    for message in messages.take() { Output.note(message) }
    try checkSource()
    return nil
  }

  private func wait(for timer: Double?, _ signals: Signals) throws {
    guard let timer else { return }
    let end = Timestamp.now.advanced(bySeconds: timer)
    let showsTime = isatty(2) == 1 && !command.json
    while Timestamp.now < end {
      if showsTime { Output.statusLine("\(PlainNumber.fixed(end.seconds(since: .now).rounded(.up), 0)) …") }
      if let signal = try follow(signals, seconds: 0.05) { throw ExitCode(128 + signal) }
    }
    if showsTime { Output.statusLine("") }
  }

  private func take(pressedAt press: Timestamp, _ signals: Signals) throws {
    if let bracket = command.shutter.bracket {
      try take(bracket, pressedAt: press, signals)
    } else if let count = command.shutter.burst {
      bursts.append(try output.captureBurst(of: count, pressedAt: press))
    } else {
      captures.append(try output.capture(command.shutter.settings, pressedAt: press))
    }
  }

  /// Tells of the photos that are written, in the order of their presses.
  ///
  /// - Parameter all: whether to wait for all of them.
  private func tell(all: Bool, _ signals: Signals) throws {
    while let burst = bursts.first, burst.hasEnded || all {
      while !burst.hasEnded {
        if signals.wait(seconds: 0.005) != nil {
          isStopped = true
          for burst in bursts { burst.stop() }
        }
      }
      let photos = burst.captures
      captures += photos
      bursts.removeFirst()
      // A photo that failed says so itself.
      if let asked = command.shutter.burst, photos.count < asked, !isStopped, case .stopped = session.state {
        failures += 1
        Output.note("Error: The burst has \(photos.count) of \(asked) photos, since the source has ended.")
      }
    }
    while let capture = captures.first, capture.hasEnded || all {
      var photo: DeliveredPhoto?
      do {
        while photo == nil { photo = try capture.wait(until: Timestamp.now.advanced(bySeconds: 1)) }
      } catch {
        failures += 1
        Output.note("Error: \((error as? SafelightError)?.forCommandLine.description ?? "\(error)")")
      }
      captures.removeFirst()
      if let photo { try tell(photo) }
    }
  }

  private func tell(_ photo: DeliveredPhoto) throws {
    if photo.isProxy, let id = photo.deferredID {
      unfinished += 1
      finisher?.add(id)
    }
    if command.json { return try Output.jsonLine(photo) }
    photo.auto?.printNotes(in: photo.path)
    for warning in photo.warnings { Output.warning(warning) }
    Output.done(photo.line)
    // What was told of a deferred photo is true also if this process is killed.
    if photo.deferredID != nil { try Output.finish() }
  }

  /// Finishes the deferred photos that are left.
  private func finish() throws {
    guard unfinished > 0 else { return }
    presses.end()
    stop()
    let folder = deferred.folder.isEmpty ? "." : deferred.folder
    guard let finisher else {
      let photos = unfinished == 1 ? "One photo is" : "\(unfinished) photos are"
      return Output.note("\(photos) unfinished; safelight finish \(folder) finishes what is left.")
    }
    if finisher.remaining > 1, !command.json {
      Output.note("Finishing \(finisher.remaining) photos; Ctrl-C leaves them to safelight finish \(folder).")
    }
    // Nothing else is to be done now, so it is done here, without the low priority of the other thread.
    let rest = DeferredPhotos(deferred.folder)
    for id in finisher.takeWaiting() { try tell(Result { try rest.finish(id) }) }
    while unfinished > 0 { try tellFinished(until: Timestamp.now.advanced(bySeconds: 1)) }
    try rest.removeLeftovers()
  }

  /// Tells of deferred photos that are finished.
  private func tellFinished(until deadline: Timestamp = .now) throws {
    for outcome in finisher?.takeOutcomes(until: deadline) ?? [] { try tell(outcome) }
  }

  private func tell(_ finished: Result<DeliveredPhoto?, any Error>) throws {
    unfinished -= 1
    switch finished {
    // Of one that another program has finished, that program tells.
    case .success(let photo): if let photo { try tell(photo) }
    case .failure(let error):
      failures += 1
      Output.note("Error: \((error as? SafelightError)?.forCommandLine.description ?? "\(error)")")
    }
  }

  /// - Throws: the source's failure, if it has given up for good, or ended.
  private func checkSource() throws {
    if let failure = messages.failure { throw failure }
    if case .failed(let failure) = session.state { throw failure }
    if case .stopped = session.state {
      throw SafelightError(
        .device, "The source has ended, so no photo can be taken",
        remedy: "use a camera, a longer video or --source synthetic")
    }
  }

  private func stop() {
    let session = session
    _ = try? Blocking { begun in
      _ = await session.configuration
      begun()
      await session.stop()
    }.wait()
  }
}
