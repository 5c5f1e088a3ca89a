import FrameCore
import Libc

/// Plays a monitor's sound through one open PCM, keeping as little in its buffer as it can do with.
///
/// The thread sleeps by the clock rather than by interrupts, so the buffer may be larger than what is kept in
/// it: it is filled further only after the device ran dry.
final class MonitorOutput {
  let configuration: PCMConfiguration
  private(set) var player: MonitorPlayer
  /// Times that the device ran dry.
  private(set) var underruns = 0

  private let pcm: any PCM
  private let device: String
  private let sampleFormat: AudioSampleFormat
  /// Frames that are kept in the device's buffer.
  private var fill: Int
  private let stereo: UnsafeMutableBufferPointer<Float>
  private let mapped: UnsafeMutableBufferPointer<Float>
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var latency: MonitorLatency?

  /// The seconds between two interrupts, and the periods that the buffer has and that are kept in it at
  /// first.
  static let period = 0.0025
  static let periods = 8
  private static let firstFill = 2

  /// - Parameter pcm: configured but not started.
  init(_ pcm: any PCM, _ configuration: PCMConfiguration, _ ring: MonitorRing, device: String) throws {
    guard let sampleFormat = configuration.sampleFormats.first else {
      throw SoundErrors.noSampleFormat(device)
    }
    (self.pcm, self.configuration, self.device) = (pcm, configuration, device)
    self.sampleFormat = sampleFormat
    fill = min(Self.firstFill * configuration.period, configuration.buffer)
    player = MonitorPlayer(ring, outputRate: configuration.sampleRate, largestBlock: configuration.buffer)
    stereo = .allocate(capacity: 2 * configuration.buffer)
    mapped = .allocate(capacity: configuration.channelCount * configuration.buffer)
    bytes = .allocate(
      byteCount: configuration.channelCount * configuration.buffer * sampleFormat.bytes, alignment: 16)
    stereo.initialize(repeating: 0)
    mapped.initialize(repeating: 0)
  }

  deinit {
    stereo.deallocate()
    mapped.deallocate()
    bytes.deallocate()
  }

  /// Starts the device with silence, as far as the buffer is kept filled.
  ///
  /// - Throws: `CaptureFailure`.
  func start() throws {
    do throws(PCMError) {
      try pcm.prepare()
      stereo.update(repeating: 0)
      try write(fill)
      try pcm.start()
    } catch {
      throw SoundErrors.failure(error, device, .playback)
    }
  }

  /// Writes what is due and waits until there is more to do; returns at once when woken.
  ///
  /// - Throws: `CaptureFailure`.
  func step(gain: Float, wake: WakeSignal) throws {
    let queued: Int
    do throws(PCMError) {
      queued = try refill(gain: gain)
    } catch {
      try recover(error, wake: wake)
      return
    }
    let excess = Double(queued - (fill - configuration.period)) / Double(configuration.sampleRate)
    let nap = max(excess, Double(configuration.period) / Double(configuration.sampleRate) / 8)
    _ = pcm.rest(until: pcm.now.advanced(bySeconds: nap), wake: wake)
  }

  func close() {
    pcm.drop()
    pcm.close()
  }

  /// Fills the buffer up to what is kept in it; returns what is in it afterwards.
  private func refill(gain: Float) throws(PCMError) -> Int {
    let position = try pcm.position(withDelay: true)
    let queued = max(0, configuration.buffer - position.available)
    let due = min(fill - queued, position.available)
    guard due > 0, let output = stereo.baseAddress else { return queued }
    let now = pcm.now
    player.render(due, into: output, at: now, gain: gain)
    // What is written now is heard after what was written before.
    let ahead = Double(max(position.delay, queued)) / Double(configuration.sampleRate)
    let block = Double(due) / Double(configuration.sampleRate)
    latency = player.age(at: now).map { age in
      // The age is that of the first frame after the block.
      MonitorLatency(capture: age + block, playback: ahead)
    }
    try write(due)
    return queued + due
  }

  private func write(_ frames: Int) throws(PCMError) {
    let channels = configuration.channelCount
    for frame in 0..<frames {
      let (left, right) = (stereo[2 * frame], stereo[2 * frame + 1])
      if channels == 1 {
        mapped[frame] = (left + right) / 2
      } else {
        // Channels beyond the front ones stay silent.
        (mapped[frame * channels], mapped[frame * channels + 1]) = (left, right)
      }
    }
    sampleFormat.encode(UnsafeBufferPointer(mapped), count: frames * channels, into: bytes)
    _ = try pcm.write(frames, from: UnsafeRawBufferPointer(bytes))
  }

  private func recover(_ error: PCMError, wake: WakeSignal) throws {
    switch error.code {
    case EPIPE:
      underruns += 1
      fill = min(fill + configuration.period, configuration.buffer)
      try start()
    case ESTRPIPE:
      do throws(PCMError) {
        try pcm.resume()
      } catch {
        switch error.code {
        case EAGAIN: _ = pcm.rest(until: pcm.now.advanced(bySeconds: 0.01), wake: wake)
        default: try start()
        }
      }
    default: throw SoundErrors.failure(error, device, .playback)
    }
  }
}

/// How long sound takes from the microphone to the loudspeaker, in seconds, as measured.
public struct MonitorLatency: Sendable, Hashable, Codable {
  /// From its capture to being given to the loudspeaker's buffer.
  public var capture: Double
  /// From there to the converter, as the driver says.
  public var playback: Double

  public var total: Double { capture + playback }
}
