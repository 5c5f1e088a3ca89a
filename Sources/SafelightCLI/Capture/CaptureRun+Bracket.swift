import Safelight

extension CaptureRun {
  /// - Throws: `SafelightError` if exposures are to be set on something that is not a camera.
  static func checkBracket(_ command: CaptureCommand, of input: any CaptureInput) throws {
    guard command.shutter.bracket != nil, !(input is DeviceInput) else { return }
    throw SafelightError(
      .unsupported, "Exposures can be set on cameras only, and \(command.input.source) is none",
      remedy: "name a camera, or fuse photos that you have: safelight merge --exposures")
  }

  /// Takes a bracket, and waits until the camera has its former exposure again.
  func take(_ bracket: ExposureBracket, _ press: ShutterPress) throws {
    guard let device = (input as? DeviceInput)?.device else { return }
    let taken: PhotoBracket<DeliveredPhoto>
    do {
      taken = try output.captureBracket(
        bracket, with: device, isFused: command.shutter.fuse, pressedAt: press.time)
    } catch let error as SafelightError where command.shutter.presses != 1 {
      // The light or the camera may be another one at the next press.
      if let page = press.pageNumber { presses.answer(page, [], Self.sentence(error)) }
      return fail(error)
    }
    while !taken.hasEnded {
      if signals.wait(seconds: 0.005) != nil {
        isOver = true
        taken.cancel()
      }
      for message in messages.take() { Output.note(message.text) }
    }
    orders.add(taken.captures, for: press, failure: taken.failure)
    // A fused photo says so itself.
    if let failure = taken.failure, !command.shutter.fuse { fail(failure) }
    if let problem = taken.controlsProblem { fail(problem) }
  }

  private func fail(_ error: SafelightError) {
    failures += 1
    Output.note("Error: \(error.forCommandLine.description)")
  }
}

extension DeliveredPhoto {
  /// `+2 EV, 0.0624 s, ` or `fused of −2, 0 and +2 EV, `; empty for other photos.
  var exposureText: String {
    guard let bracket, let first = bracket.first else { return "" }
    func stops(_ exposure: DeliveredExposure) -> String {
      let value = PlainNumber.rounded(exposure.stops, 1)
      return "\(value < 0 ? "−" : value > 0 ? "+" : "")\(PlainNumber.text(abs(value)))"
    }
    if bracket.count > 1 { return "fused of \(bracket.map(stops).joined(separator: ", ")) EV, " }
    let time = first.exposureSeconds.map { ", \(PlainNumber.text(PlainNumber.rounded($0, 4))) s" }
    return "\(stops(first)) EV\(time ?? ""), "
  }
}
