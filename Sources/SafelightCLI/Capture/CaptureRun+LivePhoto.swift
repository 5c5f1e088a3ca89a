import Safelight

extension CaptureRun {
  /// Waits until a photo can have a movie. A photo that nobody presses for waits until all of the seconds
  /// before it are there.
  ///
  /// - Throws: the exit code of a signal; `SafelightError` if the movie cannot be recorded.
  func waitForMovie() throws {
    guard let live else { return }
    let began = Timestamp.now
    let needsAll = command.shutter.trigger == nil
    while try !live.isReady(needsAll: needsAll, since: began) {
      try checkSource()
      try check(signals.wait(seconds: 0.01))
    }
  }

  /// Tells of the movies that are there.
  func tellMovies() throws {
    if let live { failures += try live.tell(isJSON: command.json) }
  }

  /// Waits for the last movie, and tells of those that are left.
  func finishMovies() throws {
    guard let live else { return }
    live.waitForLast(signals)
    live.close()
    try tellMovies()
  }
}
