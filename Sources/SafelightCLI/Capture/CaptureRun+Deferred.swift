import Safelight

extension CaptureRun {
  /// Finishes the deferred photos that are left.
  func finish() throws {
    guard command.shutter.deferred else { return }
    // The hidden folder, if nothing is left in it; what cannot be removed now can be later.
    defer { try? deferred.removeLeftovers() }
    guard unfinished > 0 else { return }
    presses.end()
    stop()
    let folder = ShellText.quoted(deferred.folder.isEmpty ? "." : deferred.folder)
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
  }

  /// Tells of deferred photos that are finished.
  func tellFinished(until deadline: Timestamp = .now) throws {
    for outcome in finisher?.takeOutcomes(until: deadline) ?? [] { try tell(outcome) }
  }

  private func tell(_ finished: Result<DeliveredPhoto?, any Error>) throws {
    unfinished -= 1
    switch finished {
    // Of one that another program has finished, that program tells.
    case .success(let photo):
      guard let photo else { return }
      if let page = photo.deferredID.flatMap({ pages.removeValue(forKey: $0) }) {
        presses.replaceAnswer(page, photo)
      }
      try tell(photo)
    case .failure(let error):
      failures += 1
      Output.note("Error: \(Self.sentence(error))")
    }
  }
}
