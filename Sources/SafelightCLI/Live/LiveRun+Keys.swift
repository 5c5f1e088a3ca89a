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
    case .toggleOriginal: pipeline.updateLook { $0.showsOriginal.toggle() }
    case .weaker: pipeline.updateLook { $0.strength = max(0, $0.strength - 0.1) }
    case .stronger: pipeline.updateLook { $0.strength = min(1, $0.strength + 0.1) }
    case .saveStill: stills?.take()
    case .press: break
    }
    // The status line follows within a second; a key is answered at once.
    switch key {
    case .toggleOriginal: reporter.message(pipeline.look.showsOriginal ? "Before" : "After")
    case .weaker, .stronger:
      reporter.message("Strength \(PlainNumber.fixed(100 * pipeline.look.strength, 0)) %")
    case .quit, .saveStill, .press: break
    }
    return true
  }
}
