import Safelight
import Serving

// What keys and presses do.
extension LiveRun {
  /// Takes the photo of a press on the stream's page, and answers it.
  func take(_ press: RemoteShutter.Press) {
    stills?.take(pressedAt: press.moment) { [shutter = targets.shutter] result in
      switch result {
      case .success(let photo): shutter?.finish(press.number, [RemoteShutter.Photo(photo)])
      case .failure(let error): shutter?.fail(press.number, "\(error)")
      }
    }
  }

  /// - Returns: false if the key ends the run.
  func handle(_ key: LiveKey) -> Bool {
    switch key {
    case .quit: return false
    // The status line follows within a second; a key is answered at once.
    case .toggleOriginal: reporter.message(pipeline.toggleOriginal())
    case .weaker: reporter.message(pipeline.changeStrength(by: -0.1))
    case .stronger: reporter.message(pipeline.changeStrength(by: 0.1))
    case .saveStill: stills?.take()
    case .press: break
    }
    return true
  }
}
