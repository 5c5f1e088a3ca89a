import Safelight

extension CaptureRun {
  /// Tells of the photos that are written, in the order of their presses.
  ///
  /// - Parameter all: whether to wait for all of them.
  func tell(all: Bool) throws {
    while let order = orders.next(all: all) {
      defer { live?.settleOldest() }
      if let burst = order.burst { wait(for: burst) }
      var (photos, problem): ([DeliveredPhoto], String?) = ([], order.failure.map(Self.sentence))
      let isCutShort = isCutShort(order)
      for (index, capture) in order.captures.enumerated() {
        switch Result(catching: { try Self.wait(for: capture) }) {
        case .success(let photo):
          photos.append(photo)
          try tell(photo)
        // The frame of this photo did not come; the burst says so.
        case .failure where isCutShort && index == order.captures.count - 1: break
        case .failure(let error):
          failures += 1
          problem = problem ?? Self.sentence(error)
          Output.note("Error: \(Self.sentence(error))")
        }
      }
      if isCutShort, let asked = order.asked, photos.count < asked {
        failures += 1
        Output.note("Error: The burst has \(photos.count) of \(asked) photos, since the source has ended.")
      }
      if let page = order.press.pageNumber {
        for id in photos.compactMap(\.deferredID) { pages[id] = page }
        presses.answer(page, photos, problem)
      }
    }
  }

  /// Whether the end of the source, and nobody else, has ended a burst.
  private func isCutShort(_ order: CaptureOrders.Order) -> Bool {
    guard order.asked != nil, !orders.isStopped, case .stopped = session.state else { return false }
    return true
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

  func tell(_ photo: DeliveredPhoto) throws {
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
}
