import FrameCore
import Libc
import Synchronization

/// What a monitor's thread does: opens the device, plays to it, and opens it again when it is back.
final class MonitorEngine: Sendable {
  let ring: MonitorRing

  private struct State {
    var isStopped = false
    /// Whether the device has been opened at least once, or why not.
    var opening: Result<Void, CaptureFailure>?
    var failure: CaptureFailure?
    var statistics = MonitorStatistics()
  }

  private let device: AudioDevice
  private let driver: any PCMDriver
  private let directory: SoundDirectory
  private let state = Monitor(State())
  private let gainBits = Atomic(Float(1).bitPattern)
  private let muted = Atomic(false)
  private let skipped = Atomic<Int>(0)
  private let wakeSignal: WakeSignal

  /// The sound that waits at most, in seconds: more is left out.
  private static let ringSeconds = 0.25

  init(_ device: AudioDevice, sampleRate: Int, _ driver: any PCMDriver, in directory: SoundDirectory) throws {
    (self.device, self.driver, self.directory) = (device, driver, directory)
    ring = MonitorRing(sampleRate: sampleRate, seconds: Self.ringSeconds)
    wakeSignal = try WakeSignal()
  }

  var gain: Float {
    get { Float(bitPattern: gainBits.load(ordering: .relaxed)) }
    set {
      let valid = newValue.isNaN ? 0 : min(max(newValue, 0), 16)
      gainBits.store(valid.bitPattern, ordering: .relaxed)
    }
  }

  var isMuted: Bool {
    get { muted.load(ordering: .relaxed) }
    set { muted.store(newValue, ordering: .relaxed) }
  }

  var statistics: MonitorStatistics {
    var statistics = state.read { $0.statistics }
    statistics.skipped = skipped.load(ordering: .relaxed)
    return statistics
  }

  var failure: CaptureFailure? { state.read { $0.failure } }

  /// Counts samples per channel that were left out.
  func skip(_ count: Int) { skipped.add(count, ordering: .relaxed) }

  /// - Throws: `CaptureFailure` if the device cannot be opened; then the thread ends.
  func waitUntilOpened() throws { try state.wait { $0.opening }.get() }

  func stop() {
    state.update { $0.isStopped = true }
    wakeSignal.signal()
  }

  // MARK: The thread

  private var isStopped: Bool { state.read { $0.isStopped } }

  func run() {
    _ = WorkerThread.raiseCurrentPriority()
    while !isStopped {
      do {
        let output = try open()
        defer { output.close() }
        try output.start()
        state.update {
          if $0.opening == nil { $0.opening = .success(()) }
          $0.failure = nil
        }
        try play(to: output)
      } catch {
        guard tell(error) else { return }
        awaitReturn()
      }
    }
  }

  /// Notes a failure; false if the device has never worked.
  private func tell(_ error: any Error) -> Bool {
    let failure =
      error as? CaptureFailure
      ?? CaptureFailure(.inputOutput, SafelightError(.device, "\(error)", remedy: "connect the device again"))
    return state.update { state in
      state.failure = failure
      state.statistics.latency = nil
      guard state.opening == nil else {
        state.statistics.failures += 1
        return true
      }
      state.opening = .failure(failure)
      return false
    }
  }

  private func open() throws -> MonitorOutput {
    let pcm = try device.open(.playback, driver, in: directory)
    do {
      let formats = try pcm.formats()
      // The microphone's rate, if there is one; otherwise the device's own.
      let request = AudioRequest(
        sampleRate: formats.sampleRates.contains(ring.sampleRate) ? ring.sampleRate : nil)
      let wanted = try formats.configuration(
        for: request, period: MonitorOutput.period,
        buffer: MonitorOutput.period * Double(MonitorOutput.periods), direction: .playback,
        device: device.label)
      let agreed = try pcm.configure(wanted, freeRunning: false)
      return try MonitorOutput(pcm, agreed, ring, device: device.label)
    } catch let error as PCMError {
      pcm.close()
      throw SoundErrors.failure(error, device.label, .playback)
    } catch {
      pcm.close()
      throw error
    }
  }

  private func play(to output: MonitorOutput) throws {
    let before = state.read { $0.statistics }
    while !isStopped {
      try output.step(gain: isMuted ? 0 : gain, wake: wakeSignal)
      state.update { state in
        state.statistics.latency = output.latency
        state.statistics.speed = output.player.speed
        state.statistics.underruns = before.underruns + output.underruns
        state.statistics.starvations = before.starvations + output.player.starvations
        state.statistics.jumps = before.jumps + output.player.jumps
      }
    }
  }

  private func awaitReturn() {
    let watcher = NodeWatcher.sound(directory)
    while !isStopped {
      if let pcm = try? device.open(.playback, driver, in: directory) {
        pcm.close()
        return
      }
      _ = watcher.wait(until: .now.advanced(bySeconds: 0.1))
    }
  }
}
