import Safelight

extension CaptureRun {
  /// Tells of the photos that are written, in the order of their presses.
  ///
  /// - Parameter all: whether to wait for all of them.
  func tell(all: Bool) throws {
    while let order = orders.next(all: all) {
      if let burst = order.burst { wait(for: burst) }
      var (photos, problem): ([DeliveredPhoto], String?) = ([], nil)
      for capture in order.captures {
        switch Result(catching: { try Self.wait(for: capture) }) {
        case .success(let photo):
          photos.append(photo)
          try tell(photo)
        case .failure(let error):
          failures += 1
          problem = problem ?? Self.sentence(error)
          Output.note("Error: \(Self.sentence(error))")
        }
      }
      // A photo that failed says so itself.
      if let asked = order.asked, order.captures.count < asked, !orders.isStopped,
        case .stopped = session.state
      {
        failures += 1
        Output.note(
          "Error: The burst has \(order.captures.count) of \(asked) photos, since the source has ended.")
      }
      if let page = order.press.pageNumber { presses.answer(page, photos, problem) }
    }
  }

  /// Waits for the end of a burst, which a signal brings sooner.
  private func wait(for burst: PhotoBurst<DeliveredPhoto>) {
    while !burst.hasEnded {
      guard signals.wait(seconds: 0.005) != nil else { continue }
      burst.stop()
      orders.stopBursts()
    }
  }

  private static func wait(for capture: PhotoCapture<DeliveredPhoto>) throws -> DeliveredPhoto {
    while true {
      if let photo = try capture.wait(until: Timestamp.now.advanced(bySeconds: 1)) { return photo }
    }
  }

  static func sentence(_ error: any Error) -> String {
    (error as? SafelightError)?.forCommandLine.description ?? "\(error)"
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
  func finish() throws {
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
  func tellFinished(until deadline: Timestamp = .now) throws {
    for outcome in finisher?.takeOutcomes(until: deadline) ?? [] { try tell(outcome) }
  }

  private func tell(_ finished: Result<DeliveredPhoto?, any Error>) throws {
    unfinished -= 1
    switch finished {
    // Of one that another program has finished, that program tells.
    case .success(let photo): if let photo { try tell(photo) }
    case .failure(let error):
      failures += 1
      Output.note("Error: \(Self.sentence(error))")
    }
  }
}
