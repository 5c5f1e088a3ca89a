import Libc
import Safelight

/// A movie of live frames with their look, and of a microphone.
final class CameraMovie: Sendable {
  let peer: any StudioPeer
  let request: Int
  private let session: CaptureSession
  private let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 2))
  private let pipeline: LivePipeline
  private let sink: MovieSink
  private let guardian: RecordingGuard
  private let levels: CameraLevels?

  /// Begins to record. Blocks while the microphone is opened.
  ///
  /// - Parameters:
  ///   - folder: made if it is not there.
  ///   - microphone: nil for a silent movie.
  /// - Throws: `SafelightError` or `CaptureFailure` if the movie cannot be begun.
  init(
    of session: CaptureSession, camera: String, look: Recipe, to folder: String,
    microphone: (any AudioInput)?, renderer: CPURenderer, for peer: any StudioPeer, _ request: Int
  ) throws {
    (self.session, self.peer, self.request) = (session, peer, request)
    var fields = MovieNames.Fields()
    fields.camera = camera
    let names = try MovieNames(folder + "/", fields: fields)
    try names.makeFolder()
    sink = try MovieSink(MovieSettings(), to: names, hasSound: microphone != nil)
    try names.checkRoom(sink.recorder.settings.limits.freeBytes)
    guardian = try RecordingGuard(sink, framesPerSecond: session.format?.framesPerSecond ?? 30) { _ in }
    pipeline = try LivePipeline(
      from: output, through: LiveLook(look), to: [sink], format: { session.format }, renderer: renderer)
    levels = microphone == nil ? nil : CameraLevels()
    sink.recorder.record()
    try pipeline.start()
    let (output, sound, levels) = (output, sink.sound, levels)
    do {
      try Blocking { begun in
        try await session.configure {
          begun()
          try $0.add(output, connection: Connection(mirroring: .off))
          if let microphone, let levels {
            try $0.add(microphone)
            try $0.add(sound)
            try $0.add(levels)
          }
        }
      }.wait()
    } catch {
      guardian.end()
      pipeline.stop()
      throw error
    }
  }

  /// Why the recording has ended by itself; nil while it goes on.
  var failure: (any Error)? {
    if let failure = sink.recorder.failure { return failure }
    if case .failed(let error)? = pipeline.end { return error }
    return nil
  }

  var hasEnded: Bool { pipeline.end != nil || sink.recorder.status.phase == .ended || failure != nil }

  /// Gives the rest of the movie another look; its size stays.
  func change(_ look: Recipe) { pipeline.updateLook { $0.recipe = look } }

  /// The fields of the message about it.
  var fields: [String: JSONValue] {
    let status = sink.recorder.status
    let peaks = levels?.takePeaks() ?? []
    return [
      "request": .number(request), "seconds": .number(PlainNumber.rounded(status.seconds, 2)),
      "bytes": .number(Double(status.bytes)), "dropped": .number(status.dropped),
      "level": .array(peaks.map { .number(PlainNumber.rounded($0, 1)) }),
    ]
  }

  /// Completes the file. Blocks until it is there.
  ///
  /// - Returns: its path; nil if nothing was recorded.
  /// - Throws: why the recording ended early; what was recorded before stays.
  func end(at moment: Timestamp) throws -> String? {
    guardian.end()
    sink.end(at: moment)
    pipeline.stop()
    let (session, output, sound, levels) = (session, output, sink.sound, levels)
    // A session that has failed meanwhile has nothing to be taken off.
    _ = try? Blocking { begun in
      try await session.configure {
        begun()
        $0.remove(output)
        guard let levels else { return }
        $0.remove(sound)
        $0.remove(levels)
        $0.removeAudioInput()
      }
    }.wait()
    var path: String?
    for event in sink.recorder.takeEvents() {
      if case .finished(let file, _, _) = event { path = file }
    }
    if let failure { throw failure }
    return path
  }
}

/// The peaks of a recording's sound, for meters.
final class CameraLevels: AudioCaptureOutput {
  private let peaks = Monitor<[Float]>([])
  /// In dB below full scale: what is shown of silence.
  private static let silence = -120.0

  func attach(to session: ObjectIdentifier) throws {}
  func detach(from session: ObjectIdentifier) {}
  func openSound(_ format: AudioFormat?) { peaks.update { $0 = [] } }
  func closeSound() {}

  func accept(_ sound: AudioBuffer) {
    let channels = sound.format.channelCount
    peaks.update { peaks in
      if peaks.count != channels { peaks = [Float](repeating: 0, count: channels) }
      for (index, sample) in sound.samples.enumerated() {
        peaks[index % channels] = max(peaks[index % channels], abs(sample))
      }
    }
  }

  /// The highest sample of each channel since the last call, in dBFS.
  func takePeaks() -> [Double] {
    let peaks = peaks.update { peaks in
      defer { peaks = [Float](repeating: 0, count: peaks.count) }
      return peaks
    }
    return peaks.map { $0 > 0 ? max(Self.silence, 20 * log10(Double($0))) : Self.silence }
  }
}
