import FrameCore

/// Opens PCMs, as ALSA calls a stream of samples to or from a device.
///
/// It stands between what Safelight decides and the library, so that decisions are tested without a device.
protocol PCMDriver: Sendable {
  /// Opens a PCM by ALSA's name for it, such as `hw:1,0` or `default`.
  ///
  /// - Throws: `PCMError`, or `CaptureFailure` if the library is missing.
  func open(_ name: String, _ direction: AudioDirection) throws -> any PCM
}

/// One open PCM. It belongs to one thread at a time; nothing blocks but `wait` and `rest`.
protocol PCM: AnyObject {
  /// The current time on CLOCK_MONOTONIC.
  var now: Timestamp { get }

  /// Returns what the device offers, without changing it.
  func formats() throws(PCMError) -> AudioDeviceFormats

  /// Sets the format and the buffer; returns what the device agreed to.
  ///
  /// - Parameter freeRunning: an xrun does not stop the hardware, and `available` grows beyond the buffer.
  func configure(_ wanted: PCMConfiguration, freeRunning: Bool) throws(PCMError) -> PCMConfiguration

  func prepare() throws(PCMError)
  func start() throws(PCMError)
  /// Ends a suspension: EAGAIN while the device is not back yet, ENOSYS if it must be prepared instead.
  func resume() throws(PCMError)
  /// Stops at once.
  func drop()
  func close()

  /// Returns where the hardware is.
  ///
  /// - Parameter withDelay: also asks for the delay, which makes the time that of the call instead of that of
  ///   the last interrupt.
  /// - Throws: EPIPE after an xrun, ESTRPIPE while suspended, ENODEV once unplugged.
  func position(withDelay: Bool) throws(PCMError) -> PCMPosition

  /// Moves interleaved frames; returns how many, 0 if none can be moved now.
  func read(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) throws(PCMError) -> Int
  func write(_ frames: Int, from bytes: UnsafeRawBufferPointer) throws(PCMError) -> Int

  /// Leaves out captured frames; returns how many.
  func skip(_ frames: Int) throws(PCMError) -> Int

  /// Waits until the device is ready, until woken or until `deadline`.
  func wait(until deadline: Timestamp, wake: WakeSignal) throws(PCMError) -> PCMEvents

  /// Waits until woken or until `deadline`, whatever the device does; true if woken.
  func rest(until deadline: Timestamp, wake: WakeSignal) -> Bool
}

/// Why a request to a PCM failed.
struct PCMError: Error, Hashable {
  /// A step of `configure`, in their order.
  enum Step: Int32, Hashable, CaseIterable {
    case access, channels, rate, sampleFormat, buffer, commit, clock
  }

  /// A positive errno.
  var code: Int32
  /// The step of `configure` that failed; nil for other requests.
  var step: Step?
}

/// What ended a wait for a PCM; nothing if its time was over.
struct PCMEvents: OptionSet {
  let rawValue: Int32

  static let ready = PCMEvents(rawValue: 1)
  static let woken = PCMEvents(rawValue: 2)
  /// `position` tells the error.
  static let failed = PCMEvents(rawValue: 4)
}

/// The format and the buffer of a PCM.
struct PCMConfiguration: Hashable {
  var sampleRate: Int
  var channelCount: Int
  /// Before configuring, the acceptable formats; afterwards the one in use.
  var sampleFormats: [AudioSampleFormat]
  /// Frames between two interrupts.
  var period: Int
  /// Frames in the hardware's buffer.
  var buffer: Int
  /// Whether the PCM is the kernel's own, without conversions or a sound server.
  var isHardware = false
}

/// Where the hardware of a PCM is.
struct PCMPosition: Hashable {
  enum State: Int32, CaseIterable {
    case open, setup, prepared, running, xrun, draining, paused, suspended, disconnected
  }

  var state: State
  /// Frames that can be read or written now.
  var available: Int
  /// When `available` was true; nil if the PCM does not say.
  var time: Timestamp?
  /// Frames between the program and the converter; 0 if not asked for.
  var delay = 0
}
