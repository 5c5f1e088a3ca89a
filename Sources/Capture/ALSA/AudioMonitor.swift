import FrameCore

/// Plays captured sound at once, so that one hears what is recorded.
///
/// Capture and playback have clocks of their own; the monitor follows their difference by resampling, at most
/// 0.1 %. Sound is mixed to two channels: mono and the omnidirectional part of ambisonics to both, channels
/// without a direction as their mean. `play` never waits: what the loudspeaker cannot take is left out and
/// counted. A device that was disconnected is played to again when it is back.
public final class AudioMonitor: Sendable {
  public let device: AudioDevice
  /// The format of the sound that it plays.
  public let format: AudioFormat

  private let engine: MonitorEngine
  private let thread: Joinable

  /// Opens the device and starts a thread that plays to it.
  ///
  /// - Parameters:
  ///   - format: that of the buffers given to `play`. The device may have another rate.
  ///   - gain: 0…16, as a factor of the samples.
  /// - Throws: `CaptureFailure`, or `SafelightError` if the system grants no thread.
  public convenience init(_ device: AudioDevice = .default, format: AudioFormat, gain: Float = 1) throws {
    try self.init(device, format: format, gain: gain, ALSADriver(), in: .system)
  }

  init(
    _ device: AudioDevice, format: AudioFormat, gain: Float, _ driver: any PCMDriver,
    in directory: SoundDirectory
  ) throws {
    (self.device, self.format) = (device, format)
    let engine = try MonitorEngine(device, sampleRate: format.sampleRate, driver, in: directory)
    engine.gain = gain
    self.engine = engine
    // The thread must not keep the monitor: its end stops the thread.
    thread = Joinable(try WorkerThread(name: "monitor") { engine.run() })
    do {
      try engine.waitUntilOpened()
    } catch {
      thread.join()
      throw error
    }
  }

  deinit { stop() }

  /// Plays sound after what was played before. Takes no lock and never waits.
  ///
  /// One thread at a time may call it. Sound in another format than `format` is left out, and counted.
  public func play(_ buffer: AudioBuffer) {
    if buffer.format != format || !engine.ring.write(buffer) { engine.skip(buffer.frameCount) }
  }

  /// The factor of the samples, 0…16; it changes within a few milliseconds.
  public var gain: Float {
    get { engine.gain }
    set { engine.gain = newValue }
  }

  public var isMuted: Bool {
    get { engine.isMuted }
    set { engine.isMuted = newValue }
  }

  /// Measurements up to now.
  public var statistics: MonitorStatistics { engine.statistics }

  /// How long sound takes from the microphone to the loudspeaker; nil while nothing plays.
  public var latency: MonitorLatency? { statistics.latency }

  /// Why nothing plays; nil while the device works.
  public var failure: CaptureFailure? { engine.failure }

  /// Stops at once and releases the device; further sound is left out.
  public func stop() {
    engine.stop()
    thread.join()
  }
}

/// What a monitor has measured and counted.
public struct MonitorStatistics: Sendable, Hashable, Codable {
  /// Nil while nothing plays.
  public var latency: MonitorLatency?
  /// The speed of playing over the nominal one, by which the clocks' difference is followed.
  public var speed = 1.0
  /// Times that the loudspeaker's buffer ran dry.
  public var underruns = 0
  /// Times that the microphone's sound came too late; each adds a millisecond to the latency, slowly forgotten.
  public var starvations = 0
  /// Times that sound was left out because it was too old.
  public var jumps = 0
  /// Times that the device failed after it had worked.
  public var failures = 0
  /// Samples per channel that were left out because there was no room, or in another format.
  public var skipped = 0

  public init() {}
}
