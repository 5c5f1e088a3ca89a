import Libc
import Safelight

/// Sound on its way into a WAV file: converted, cut at pauses, ended at limits, measured and counted.
///
/// Samples are never resampled. What is missing between two buffers becomes silence. One thread at a time,
/// which may wait for the disk.
final class TakeWriter {
  /// While true, sound is left out, so that the parts before and after meet at a cut.
  var isPaused = false

  private let settings: TakeSettings
  private let writer: WaveFileWriter
  private var converter: SpatialConverter?
  /// Frames of the converter's result that are older than the sound.
  private var surplus: Int
  private var reading: LoudnessReading
  /// The position that the next buffer should have.
  private var expected: Int64?
  /// Frames that the file may have, and why no more.
  private let limit: (frames: Int64, end: TakeEnd)?
  private var clipped: Int64 = 0
  private var silence = TakeSilence()
  private typealias Cause = WritableKeyPath<TakeSilence, Int64>
  private var hasSignal = false
  private var muteFrames: Int64 = 0
  /// Tells whether the file still has a name; nil where a file of that name is replaced at the end.
  private let witness: Descriptor?

  /// The largest sample that 16 bits can hold: a converter that clips gives it.
  private static let fullScale: Float = 32_767.0 / 32_768
  /// Seconds of zeros after which a device is taken for muted.
  private static let muteTime: Int64 = 3

  /// Creates the file.
  ///
  /// - Throws: `SafelightError` if it exists, cannot be created, or if a limit leaves no room for a sample.
  init(_ settings: TakeSettings) throws {
    self.settings = settings
    if let arrangement = settings.arrangement {
      try SpatialArrangement.check(channelCount: settings.source.channelCount)
      let made = try SpatialConverter(
        arrangement, output: settings.ambisonics, sampleRate: settings.source.sampleRate)
      (converter, surplus) = (made, made.latency)
    } else {
      (converter, surplus) = (nil, 0)
    }
    let format = settings.format
    reading = LoudnessReading(format: format)
    // Before anything is touched.
    limit = try Self.limit(
      settings, headerBytes: WaveFileWriter.headerByteCount(format, settings.sampleFormat))
    let replaces = FileContents.isRegular(settings.path)
    writer = try WaveFileWriter(
      path: settings.path, format: format, sampleFormat: settings.sampleFormat, overwrite: settings.overwrite)
    let number = replaces ? -1 : open(settings.path, O_RDONLY | O_CLOEXEC)
    witness = number < 0 ? nil : Descriptor(number)
  }

  private static func limit(_ settings: TakeSettings, headerBytes: Int64) throws
    -> (frames: Int64, end: TakeEnd)?
  {
    var limits: [(frames: Int64, end: TakeEnd)] = []
    if let seconds = settings.maximumDuration {
      limits.append((Int64((seconds * Double(settings.source.sampleRate)).rounded()), .durationReached))
    }
    if let bytes = settings.maximumBytes {
      let frameBytes = Int64(settings.format.channelCount * settings.sampleFormat.bitsPerSample / 8)
      // The last byte may be needed to make the length even.
      let frames = (bytes - headerBytes - frameBytes % 2) / frameBytes
      guard frames > 0 else {
        throw SafelightError(
          .invalidValue, "A file of \(bytes) bytes has no room for sound after its header of \(headerBytes)",
          remedy: "raise --max-bytes, for example to 100MB")
      }
      limits.append((frames, .bytesReached))
    }
    return limits.min { $0.frames < $1.frames }
  }

  /// Takes the next sound of the session.
  ///
  /// - Returns: why the take is over; nil if it goes on.
  /// - Throws: `SafelightError`, such as `.noSpace`.
  func add(_ buffer: AudioBuffer) throws -> TakeEnd? {
    if let expected, buffer.position > expected {
      if let end = try appendSilence(buffer.position - expected, \.disk) { return end }
    }
    expected = buffer.position + Int64(buffer.frameCount)
    switch buffer.silence {
    case .overrun: return try append(buffer.samples, \.overrun)
    case .disconnected: return try append(buffer.samples, \.disconnected)
    case nil:
      watchForMute(buffer)
      return try append(buffer.samples, nil)
    }
  }

  private func watchForMute(_ buffer: AudioBuffer) {
    guard !hasSignal else { return }
    hasSignal = buffer.samples.contains { $0 != 0 }
    muteFrames += Int64(buffer.frameCount)
  }

  /// In pieces of a second, since a gap may be long.
  private func appendSilence(_ frames: Int64, _ cause: Cause?) throws -> TakeEnd? {
    var rest = frames
    while rest > 0 {
      let piece = min(rest, Int64(settings.source.sampleRate))
      let samples = [Float](repeating: 0, count: Int(piece) * settings.source.channelCount)
      if let end = try append(samples, cause) { return end }
      rest -= piece
    }
    return nil
  }

  /// - Parameter cause: where silence is counted; nil for sound.
  private func append(_ samples: [Float], _ cause: Cause?) throws -> TakeEnd? {
    guard converter != nil else {
      return isPaused ? nil : try write(samples, cause, isSilent: cause != nil)
    }
    // In a pause too, or what came before it would sound on after it.
    var converted = converter?.process(samples) ?? samples
    if surplus > 0 {
      let channels = settings.format.channelCount
      let cut = min(surplus, converted.count / channels)
      converted.removeFirst(cut * channels)
      surplus -= cut
    }
    // The filters ring on into silence.
    return isPaused ? nil : try write(converted, cause, isSilent: false)
  }

  private func write(_ samples: [Float], _ cause: Cause?, isSilent: Bool) throws -> TakeEnd? {
    let channels = settings.format.channelCount
    let frames = Int64(samples.count / channels)
    let room = limit.map { max(0, $0.frames - writer.frameCount) } ?? frames
    let kept = frames <= room ? samples : Array(samples.prefix(Int(room) * channels))
    if isSilent {
      try writer.writeSilence(min(frames, room))
    } else {
      try writer.write(kept)
      for sample in kept where !(abs(sample) < Self.fullScale) { clipped += 1 }
    }
    reading.process(kept)
    if let cause { silence[keyPath: cause] += min(frames, room) }
    return limit.flatMap { writer.frameCount >= $0.frames ? $0.end : nil }
  }

  /// Marks the present moment.
  func mark() { writer.mark() }

  /// Whether the file was removed, so that nothing of what is written will be left.
  var isRemoved: Bool {
    guard let witness else { return false }
    var status = stat()
    return fstat(witness.number, &status) == 0 && status.st_nlink == 0
  }

  /// Completes the file.
  ///
  /// - Parameter isWhole: false after a failure of the disk: nothing more is written then than the sizes.
  func finish(isWhole: Bool) throws {
    let isFull = limit.map { writer.frameCount >= $0.frames } ?? false
    if isWhole, !isPaused, !isFull, expected != nil, let converter {
      // The last frames are still in the filters.
      _ = try appendSilence(Int64(converter.latency), nil)
    }
    // A file without sound takes no other one's place.
    if !isWhole, writer.frameCount == 0 { return writer.discard() }
    try writer.finish()
  }

  var status: TakeStatus {
    TakeStatus(
      format: settings.format, isPaused: isPaused, frames: writer.frameCount, bytes: writer.byteCount,
      peaks: reading.meter.levels.map(\.peak), momentary: reading.meter.momentary,
      shortTerm: reading.meter.shortTermLoudness, clipped: clipped, silence: silence,
      isMute: !hasSignal && muteFrames >= Self.muteTime * Int64(settings.source.sampleRate))
  }

  var loudness: LoudnessReport { LoudnessReport(reading) }
}
