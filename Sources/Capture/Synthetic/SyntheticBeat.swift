import FrameCore
import Libc

/// The clock of the synthetic scene and sound: at every whole second of `Timestamp`, `SyntheticAudio` beeps
/// and the lamp of `SyntheticInput` flashes, so that the offset of sound and picture can be measured in a
/// recording.
public enum SyntheticBeat {
  /// The duration of beep and flash in nanoseconds.
  public static let duration: Int64 = 50_000_000
  /// The frequency of the beep in hertz.
  public static let frequency = 1000.0
  /// The amplitude of the beep: −12 dB below full scale.
  public static let amplitude: Float = 0.251_188_64
  /// How long the beep swells and fades, as half a period of a cosine, in nanoseconds.
  public static let edge: Int64 = 2_000_000

  private static let second: Int64 = 1_000_000_000

  /// Returns the time after the last whole second in nanoseconds.
  static func phase(of time: Timestamp) -> Int64 {
    let rest = time.nanoseconds % second
    return rest < 0 ? rest + second : rest
  }

  /// Whether a picture that is shown from `start` until `end` shows the flash.
  public static func isLit(from start: Timestamp, until end: Timestamp) -> Bool {
    guard start < end else { return false }
    let phase = phase(of: start)
    return phase < duration || end.nanoseconds - start.nanoseconds > second - phase
  }

  /// Returns the beep's sample `nanoseconds` after a whole second, 0 ..< 10⁹.
  static func sample(at nanoseconds: Double) -> Float {
    let rest = Double(duration) - nanoseconds
    guard rest > 0 else { return 0 }
    let swell = min(nanoseconds, rest) / Double(edge)
    let envelope = swell >= 1 ? 1 : (1 - cos(.pi * swell)) / 2
    return amplitude * Float(envelope * sin(2 * .pi * frequency * nanoseconds / Double(second)))
  }

  static func pacedStartTime(of source: String) -> SafelightError {
    SafelightError(
      .invalidValue, "The synthetic \(source) is paced and has a start time",
      remedy: "give a start time only to a source that is not paced")
  }
}
