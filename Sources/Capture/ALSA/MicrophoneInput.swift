import FrameCore
import Libc

/// A microphone or another source of sound that ALSA records.
///
/// The times of its buffers are those that the driver measured, less what was still unread: CLOCK_MONOTONIC,
/// as that of cameras. They are raw and jitter, by some tenths of a millisecond on most devices and by
/// several through a sound server; filter them before comparing clocks. Delays in the converter and the cable
/// are not known and not included.
public final class MicrophoneInput: AudioInput {
  public let device: AudioDevice
  /// The seconds between two deliveries, 0.001…0.1, as near as the device allows.
  public let period: Double

  public var id: String { device.id }
  public var name: String { device.name }

  private let driver: any PCMDriver
  private let directory: SoundDirectory

  /// The seconds that a reader may be late before sound is lost, as near as the device allows.
  private static let buffer = 0.4

  /// - Parameter period: 0.01 suits recording; monitoring hears half of it less with 0.005.
  public convenience init(_ device: AudioDevice = .default, period: Double = 0.01) {
    self.init(device, period: period, ALSADriver(), in: .system)
  }

  init(_ device: AudioDevice, period: Double = 0.01, _ driver: any PCMDriver, in directory: SoundDirectory) {
    self.device = device
    self.period = min(max(0.001, period), 0.1)
    (self.driver, self.directory) = (driver, directory)
  }

  /// Opens the device. A rate or a number of channels that it does not offer is refused, with those that it
  /// does; without a request the rate is 48 kHz and the channels are two, or what is nearest.
  public func openStream(_ request: AudioRequest) throws -> any AudioStream {
    let pcm = try device.open(.capture, driver, in: directory)
    do {
      let wanted = try pcm.formats().configuration(
        for: request, period: period, buffer: Self.buffer, direction: .capture, device: device.label)
      let agreed = try pcm.configure(wanted, freeRunning: true)
      return try MicrophoneStream(pcm, agreed, device: device.label)
    } catch let error as PCMError {
      pcm.close()
      throw failure(error)
    } catch {
      pcm.close()
      throw error
    }
  }

  private func failure(_ error: PCMError) -> CaptureFailure {
    guard error.code == EBUSY else { return SoundErrors.failure(error, device.label, .capture) }
    return SoundErrors.busy(
      device.label, node: device.node(.capture, in: directory),
      holders: device.use(.capture, in: directory).holders)
  }

  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool {
    switch failure.reason {
    case .unsupported, .truncated: return false
    case .inputOutput, .stalled, .suspended:
      // The device is present, and nothing signals its recovery.
      _ = poll(nil, 0, min(deadline, Timestamp.now.advanced(bySeconds: 0.1)).millisecondsLeft)
    case .disconnected, .busy, .permissionDenied: break
    }
    let isBusy = failure.reason == .busy
    let watcher = NodeWatcher.sound(directory, node: isBusy ? device.node(.capture, in: directory) : nil)
    while true {
      if isReady { return true }
      // Trying may open and close the node, which is a change of its own. A real change discarded here is
      // found by the next call.
      watcher.clear()
      guard watcher.wait(until: deadline) else { return isReady }
    }
  }

  /// Whether the device is present and can be opened.
  private var isReady: Bool {
    guard let pcm = try? device.open(.capture, driver, in: directory) else { return false }
    pcm.close()
    return true
  }
}
