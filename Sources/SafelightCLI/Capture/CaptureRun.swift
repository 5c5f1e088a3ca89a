import ArgumentParser
import Libc
import Safelight

/// One run of `capture`: opens the source, takes a photo for each press, and waits until all are written.
final class CaptureRun {
  private let command: CaptureCommand
  private let presses: ShutterPresses
  private let session = CaptureSession()
  private let output: PhotoOutput<DeliveredPhoto>
  private let messages = SessionMessages()
  private let input: any CaptureInput
  /// Photos that are not told yet, in the order of their presses.
  private var captures: [PhotoCapture<DeliveredPhoto>] = []
  private var bursts: [PhotoBurst<DeliveredPhoto>] = []
  private var failures = 0
  /// Whether bursts were asked to end.
  private var isStopped = false

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
    try command.checkSource(input)
    let delivery = try command.makeDelivery(camera: input.name)
    output = PhotoOutput(
      prioritizesFastCapture: command.shutter.trigger != nil, threads: 2, yieldsToLivePictures: false,
      cameraValues: input.valueReader
    ) { [delivery] captured, _ in try delivery.deliver(captured) }
    let (session, output, input) = (session, output, input)
    let connection = Connection(mirroring: .off)
    // A photo of the black frames that cameras start with is worth nothing.
    let settling: Settling = input is DeviceInput ? .automatic : .off
    let request = StreamRequest(
      size: command.size, framesPerSecond: command.fps, encoding: command.captureEncoding)
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
      try take(pressedAt: command.shutter.timer == nil ? press : .now)
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

  private func take(pressedAt press: Timestamp) throws {
    if let count = command.shutter.burst {
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
    if command.json { return try Output.jsonLine(photo) }
    photo.auto?.printNotes(in: photo.path)
    for warning in photo.warnings { Output.warning(warning) }
    Output.done(photo.line)
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

extension CaptureInput {
  /// Reads the camera's values for photos; nil if the source is no camera.
  var valueReader: (@Sendable () -> CameraValues?)? {
    guard let device = (self as? DeviceInput)?.device else { return nil }
    return { try? device.cameraValues() }
  }
}

extension DeliveredPhoto {
  /// `photos/a.jpg  1920×1080  312 kB  4 ms before the press  …`
  fileprivate var line: String {
    let distance = "\(PlainNumber.fixed(abs(offsetMilliseconds), 0)) ms"
    let moment = zeroShutterLag ? "" : " (\(reason))"
    let made = frames > 1 ? "\(qualityPrioritization) of \(frames) frames, " : ""
    return "\(path)  \(width)×\(height)  \(ByteText.text(bytes))  "
      + "\(made)\(distance) \(offsetMilliseconds > 0 ? "after" : "before") the press\(moment)  "
      + "in \(PlainNumber.fixed(milliseconds, 0)) ms"
  }

  private var reason: String {
    switch zeroShutterLagReason.flatMap(ZeroShutterLag.Reason.init) {
    case .notAllowed: "not the moment of the press, as asked for"
    case .tooLittleMemory: "not the moment of the press: too little memory to keep frames"
    case .noEarlierFrame, nil: "no earlier frame was there"
    }
  }
}
