import Capture
import FrameCore
import PhotoIO

/// What is known of a photo besides its frames, as of the moment it was captured.
struct PhotoCircumstances: Sendable, Hashable, Codable {
  /// Those of the reference frame.
  private(set) var facts: CaptureFacts
  /// When each frame was captured; nil if the clock was not set.
  private(set) var dates: [CaptureFacts.Date?]

  init(_ captured: CapturedPhoto, camera: String?, values: CameraValues?) {
    let pressedAt = captured.settings.pressedAt
    let reference = captured.referenceFrame.time
    facts = CaptureFacts(at: pressedAt.advanced(bySeconds: captured.offset), camera: camera, values: values)
    facts.burst = captured.settings.burst.map { CaptureFacts.Burst(id: $0.id, isPrimary: $0.index == 0) }
    dates = captured.frames.map { frame in
      // Frames are on the source's clock.
      let shift = captured.offset + frame.time.seconds(since: reference)
      return CaptureFacts.Date(at: pressedAt.advanced(bySeconds: shift))
    }
  }

  /// - Parameters:
  ///   - index: the frame that the photo shows.
  ///   - merged: the number of frames that were merged; nil if they were not.
  func facts(ofFrame index: Int, merged: Int?) -> CaptureFacts {
    var facts = facts
    facts.date = dates[index]
    facts.mergedFrames = merged
    return facts
  }
}

extension PhotoCircumstances {
  /// Whether a camera can have told this: stored ones may be forged.
  var isSensible: Bool {
    let texts = [facts.make, facts.camera, facts.serialNumber, facts.uniqueID, facts.burst?.id]
    let numbers = [
      facts.exposureTime, facts.fNumber, facts.exposureBias, facts.colorTemperature, facts.focalLength,
      facts.digitalZoom,
    ]
    let counts = [facts.iso, facts.focalLengthIn35mmFilm, facts.mergedFrames]
    return texts.allSatisfy { ($0?.utf8.count ?? 0) <= 1024 }
      && numbers.allSatisfy { (-1e6...1e6).contains($0 ?? 0) }
      && counts.allSatisfy { (0...65_535).contains($0 ?? 0) }
      && (dates + [facts.date]).allSatisfy { $0?.isSensible ?? true }
  }
}

extension CaptureFacts.Date {
  fileprivate var isSensible: Bool {
    Self(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
      minutesFromUTC: minutesFromUTC) == self
  }
}
