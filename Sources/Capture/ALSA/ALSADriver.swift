import CALSA
import FrameCore
import Libc

/// ALSA's own PCMs.
struct ALSADriver: PCMDriver {
  func open(_ name: String, _ direction: AudioDirection) throws -> any PCM {
    try Self.requireLibrary()
    var handle: OpaquePointer?
    let status = calsa_pcm_open(name, direction == .playback, &handle)
    guard status == 0, let handle else { throw PCMError(code: -status) }
    return ALSAPCM(handle)
  }

  /// - Throws: `CaptureFailure` with the name of the package if the library is missing.
  static func requireLibrary() throws {
    let (isThere, reason) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(calsa_message_bytes))
    {
      buffer -> (Bool, String) in
      guard let base = buffer.baseAddress else { return (false, "") }
      base.pointee = 0
      let isThere = calsa_start(base)
      return (isThere, String(cString: base))
    }
    if !isThere { throw SoundErrors.libraryMissing(reason) }
  }
}

/// One open PCM of ALSA.
final class ALSAPCM: PCM {
  /// Nil after `close`.
  private var handle: OpaquePointer?

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { close() }

  var now: Timestamp { .now }

  func close() {
    calsa_pcm_close(handle)
    handle = nil
  }

  private func opened() throws(PCMError) -> OpaquePointer {
    guard let handle else { throw PCMError(code: EBADF) }
    return handle
  }

  private func check(_ status: Int32) throws(PCMError) {
    if status < 0 { throw PCMError(code: -status) }
  }

  func formats() throws(PCMError) -> AudioDeviceFormats {
    var found = calsa_capabilities()
    try check(calsa_pcm_capabilities(opened(), &found))
    return AudioDeviceFormats(
      sampleRates: AudioDeviceFormats.usualRates.enumerated().filter { found.rates & 1 << $0.offset != 0 }
        .map(\.element),
      lowestRate: Int(found.least_rate), highestRate: Int(found.most_rate),
      channelCounts: (1...Int(calsa_most_channels)).filter { found.channels & 1 << ($0 - 1) != 0 },
      sampleFormats: AudioSampleFormat.allCases.filter { found.formats & $0.bit != 0 })
  }

  func configure(_ wanted: PCMConfiguration, freeRunning: Bool) throws(PCMError) -> PCMConfiguration {
    var agreed = calsa_configuration()
    agreed.rate = UInt32(clamping: wanted.sampleRate)
    agreed.channels = UInt32(clamping: wanted.channelCount)
    agreed.format = wanted.sampleFormats.reduce(0) { $0 | $1.bit }
    agreed.period = UInt32(clamping: wanted.period)
    agreed.buffer = UInt32(clamping: wanted.buffer)
    let status = calsa_pcm_configure(try opened(), &agreed, freeRunning)
    guard status == 0 else {
      throw PCMError(code: -status, step: PCMError.Step(rawValue: Int32(agreed.step.rawValue)))
    }
    var result = wanted
    result.sampleFormats = AudioSampleFormat.allCases.filter { $0.bit == agreed.format }
    (result.period, result.buffer) = (Int(agreed.period), Int(agreed.buffer))
    result.isHardware = agreed.is_hardware
    return result
  }

  func prepare() throws(PCMError) { try check(calsa_pcm_prepare(opened())) }
  func start() throws(PCMError) { try check(calsa_pcm_start(opened())) }
  func resume() throws(PCMError) { try check(calsa_pcm_resume(opened())) }
  func drop() { if let handle { _ = calsa_pcm_drop(handle) } }

  func position(withDelay: Bool) throws(PCMError) -> PCMPosition {
    var found = calsa_position()
    let status = calsa_pcm_position(try opened(), withDelay, &found)
    let state = PCMPosition.State(rawValue: Int32(found.state.rawValue)) ?? .disconnected
    switch state {
    case .xrun: throw PCMError(code: EPIPE)
    case .suspended: throw PCMError(code: ESTRPIPE)
    case .disconnected: throw PCMError(code: ENODEV)
    case .open, .setup, .prepared, .running, .draining, .paused: break
    }
    try check(status)
    return PCMPosition(
      state: state, available: Int(found.available),
      time: found.nanoseconds == 0 ? nil : Timestamp(nanoseconds: found.nanoseconds), delay: Int(found.delay))
  }

  func read(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) throws(PCMError) -> Int {
    try moved(calsa_pcm_read(opened(), bytes.baseAddress, UInt32(clamping: frames)))
  }

  func write(_ frames: Int, from bytes: UnsafeRawBufferPointer) throws(PCMError) -> Int {
    try moved(calsa_pcm_write(opened(), bytes.baseAddress, UInt32(clamping: frames)))
  }

  func skip(_ frames: Int) throws(PCMError) -> Int { try moved(calsa_pcm_skip(opened(), Int64(frames))) }

  private func moved(_ status: Int64) throws(PCMError) -> Int {
    if status == -Int64(EAGAIN) { return 0 }
    guard status >= 0 else { throw PCMError(code: Int32(-status)) }
    return Int(status)
  }

  func wait(until deadline: Timestamp, wake: WakeSignal) throws(PCMError) -> PCMEvents {
    let status = calsa_pcm_wait(try opened(), wake.descriptor, deadline.millisecondsLeft)
    try check(status)
    return PCMEvents(rawValue: status)
  }

  func rest(until deadline: Timestamp, wake: WakeSignal) -> Bool {
    var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, deadline.millisecondsLeft) > 0
  }
}

extension AudioSampleFormat {
  /// The shim's bit for it.
  fileprivate var bit: UInt32 {
    switch self {
    case .float32: UInt32(calsa_float)
    case .s32: UInt32(calsa_s32)
    case .s24: UInt32(calsa_s24)
    case .s24Packed: UInt32(calsa_s24_3)
    case .s16: UInt32(calsa_s16)
    }
  }
}
