import Capture
import FilterGraph
import FrameCore
import Libc
import PhotoIO

extension CaptureFacts {
  /// States that a photo is an exposure of a bracket.
  mutating func take(_ exposure: BracketedExposure) {
    exposureMode = .autoBracket
    exposureBias = exposure.stops
  }

  /// States that a photo is fused of exposures, of which none is its own.
  mutating func takeFusion(of count: Int) {
    exposureMode = .autoBracket
    (exposureTime, exposureBias, mergedFrames) = (nil, nil, count)
  }
}

extension PhotoDelivery {
  /// States of a photo, if it is of a bracket, how it was exposed.
  ///
  /// - Parameters:
  ///   - index: the frame that it shows.
  ///   - burst: the id of the exposures that are kept beside a fused photo.
  func takeExposure(
    of captured: CapturedPhoto, frame index: Int, burst: String, in made: inout PhotoMaker.Made
  ) {
    guard !captured.exposures.isEmpty else { return }
    made.facts = facts(of: captured, exposure: index)
    guard captured.isFused else { return }
    made.facts.takeFusion(of: captured.frames.count)
    if original == .beside { made.facts.burst = CaptureFacts.Burst(id: burst, isPrimary: true) }
  }

  /// The circumstances of one exposure.
  private func facts(of captured: CapturedPhoto, exposure index: Int) -> CaptureFacts {
    let shift = captured.offset + captured.frames[index].time.seconds(since: captured.referenceFrame.time)
    let moment = captured.settings.pressedAt.advanced(bySeconds: shift)
    // By now the camera has other values.
    let exposure = captured.exposures[index]
    var facts = CaptureFacts(at: moment, camera: camera, values: exposure.values)
    facts.take(exposure)
    facts.burst = captured.settings.burst.map {
      CaptureFacts.Burst(id: $0.id, isPrimary: exposure.askedStops == 0)
    }
    return facts
  }

  /// Writes the exposures of a fused photo beside it, unedited: `NAME-1`, `NAME-2` …
  ///
  /// - Parameter burst: the id that they share with the fused photo.
  /// - Throws: `SafelightError`; then none of them is left.
  func writeExposures(of captured: CapturedPhoto, beside photo: inout DeliveredPhoto, burst: String) throws {
    do {
      for index in captured.frames.indices {
        let frame = captured.frames[index]
        var facts = facts(of: captured, exposure: index)
        facts.burst = CaptureFacts.Burst(id: burst, isPrimary: false)
        let kept = try names.placing(PhotoNames.numbered(photo.path, index + 1)) {
          try maker.write(frame.frame(), jpeg: frame.jpeg, facts, through: Recipe(), to: $0, Stopwatch())
        }
        photo.bracket?[index].path = kept.path
        photo.warnings += kept.warnings
      }
    } catch {
      for path in (photo.bracket ?? []).compactMap(\.path) { unlink(path) }
      throw error
    }
  }
}
