import Safelight
import Synchronization

/// Lets a session's sound be heard at once; ambisonics as two ears hear them. Made for one session.
final class SoundPlayer: AudioCaptureOutput {
  /// What to beware of where loudspeakers are near the microphone.
  static let feedback =
    "What the loudspeaker plays comes back through the microphone and may howl; "
    + "use headphones, or a lower --gain"

  private let monitor: AudioMonitor
  private let ears: Mutex<BinauralSound?>

  /// Opens the loudspeaker.
  ///
  /// - Parameters:
  ///   - format: that of the session's sound.
  ///   - heads: what makes two channels of ambisonics.
  /// - Throws: `SafelightError` if the loudspeaker cannot be opened, or the sound cannot become binaural.
  init(_ device: AudioDevice, format: AudioFormat, heads: MonitorHeads) throws {
    let binaural = try heads.makeSound(for: format)
    let heard = binaural == nil ? format : AudioFormat(sampleRate: format.sampleRate, layout: .stereo)
    do {
      monitor = try AudioMonitor(device, format: heard)
    } catch let failure as CaptureFailure {
      throw failure.error
    }
    ears = Mutex(binaural)
  }

  var statistics: MonitorStatistics { monitor.statistics }

  /// Why nothing is heard; nil while the loudspeaker works.
  var failure: CaptureFailure? { monitor.failure }

  func stop() { monitor.stop() }

  func attach(to session: ObjectIdentifier) {}
  func detach(from session: ObjectIdentifier) {}
  func openSound(_ format: AudioFormat?) {}
  func closeSound() {}

  func accept(_ sound: AudioBuffer) {
    // Nobody else holds the lock while sound comes.
    monitor.play(ears.withLock { $0?.process(sound) } ?? sound)
  }
}

/// What binaural monitoring needs, opened before the sound begins.
struct MonitorHeads {
  private let arrangement: SpatialArrangement?
  private let head: HeadResponses?

  /// The rate of most devices, in Hz.
  private static let usualRate = 48_000

  /// - Parameters:
  ///   - arrangement: what the four channels are; nil if the sound is heard as it is.
  ///   - sampleRate: that was asked for; nil is most likely 48 kHz.
  /// - Throws: `SafelightError` with the package that is missing.
  init(arrangement: SpatialArrangement?, sampleRate: Int?) throws {
    self.arrangement = arrangement
    head = try arrangement.map { _ in try HeadResponses(sampleRate: sampleRate ?? Self.usualRate) }
  }

  /// Returns what makes sound for two ears; nil if it is heard as it is.
  ///
  /// - Throws: `SafelightError` if the sound has not four channels.
  func makeSound(for format: AudioFormat) throws -> BinauralSound? {
    guard let arrangement, let head else { return nil }
    try SpatialArrangement.check(channelCount: format.channelCount)
    let fitting =
      head.sampleRate == format.sampleRate ? head : try HeadResponses(sampleRate: format.sampleRate)
    return try BinauralSound(arrangement, fitting)
  }
}

/// Four channels on their way to two ears.
struct BinauralSound: Sendable {
  private var converter: SpatialConverter
  private var ears: BinauralMonitor
  private let format: AudioFormat

  /// Frames computed at once: few, since each is 20 µs later to be heard.
  private static let block = 64

  init(_ arrangement: SpatialArrangement, _ head: HeadResponses) throws {
    converter = try SpatialConverter(arrangement, sampleRate: head.sampleRate)
    ears = try BinauralMonitor(head, block: Self.block)
    format = AudioFormat(sampleRate: head.sampleRate, layout: .stereo)
  }

  /// Returns the sound for the left and the right ear, which is earlier by what the filters take.
  mutating func process(_ sound: AudioBuffer) -> AudioBuffer {
    let latency = Double(converter.latency + ears.latency) / Double(format.sampleRate)
    return AudioBuffer(
      format: format, samples: ears.process(converter.process(sound.samples)),
      time: sound.time.advanced(bySeconds: -latency), position: sound.position, silence: sound.silence)
  }
}
