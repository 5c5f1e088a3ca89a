import FrameCore
import MovieIO

/// An order for the thread that writes.
enum WriterOrder: Sendable {
  case open(file: Int, start: Int64)
  case picture(file: Int, MovieAssembly.Picture, time: Int64, duration: Int64)
  case sound(file: Int, samples: [Float], position: Int64)
  case close(file: Int, marks: RecordingMarks)
  /// The recording is complete with what came before.
  case ended(MovieEnd)

  init(_ action: MovieAssembly.Action, marks: RecordingMarks) {
    switch action {
    case .open(let file, let start): self = .open(file: file, start: start)
    case .picture(let file, let picture, let time, let duration):
      self = .picture(file: file, picture, time: time, duration: duration)
    case .sound(let file, let samples, let position):
      self = .sound(file: file, samples: samples, position: position)
    case .close(let file): self = .close(file: file, marks: marks)
    }
  }

  /// What the order holds in memory.
  var byteCount: Int {
    switch self {
    case .picture(_, let picture, _, _): picture.bytes.count
    case .sound(_, let samples, _): samples.count * MemoryLayout<Float>.size
    case .open, .close, .ended: 0
    }
  }
}

extension MovieRecorder {
  // MARK: The encoder's thread

  func encode(_ form: MoviePictures, _ sound: @Sendable () throws -> AudioFormat?) {
    do {
      try encodeAll(with: try prepare(form, sound))
    } catch {
      fail(error)
    }
    completeAll()
  }

  /// Opens the encoder and the sound, and starts the other threads. Meanwhile the first pictures wait in their queue.
  private func prepare(_ form: MoviePictures, _ sound: @Sendable () throws -> AudioFormat?) throws
    -> any PictureEncoder
  {
    let encoder = try parts.makePictureEncoder(form)
    isOpen.store(true, ordering: .relaxed)
    let file = try parts.openSoundFile?()
    try file?.record(as: parts.recordedFormat)
    keep(file)
    let captured = try sound()
    let recorded = try captured.map(parts.recordedFormat) ?? file?.sampleFormat
    state.update { state in
      guard let recorded else { return }
      state.plan?.expectSound(rate: recorded.sampleRate, channels: recorded.channelCount)
      state.size.bytesPerSample = parts.soundBytesPerSample(recorded)
    }
    let format = encoder.format
    try start("sl-movie") { $0.write(format, recorded) }
    if let captured, let recorded {
      let thread = try start("sl-sound") { $0.alignSound(captured, recorded) }
      aligning.withLock { $0 = thread }
    } else {
      sounds.discard()
    }
    return encoder
  }

  private func encodeAll(with encoder: any PictureEncoder) throws {
    var speedStep = 0
    var isFirst = true
    while let picture = pictures.take() {
      // Packets pile up nowhere: live pictures are dropped instead, as `offer` does.
      if losesNothing { actions.waitForRoom() }
      let (decision, step) = state.update { state -> (RecordingPlan.Decision, Int) in
        let decision = state.plan?.decide(picture.time) ?? .skip
        if decision == .outOfOrder { state.drop(.outOfOrder, at: picture.time) }
        return (decision, state.speedStep)
      }
      guard case .encode(let time, let isKey) = decision else { continue }
      if step != speedStep {
        speedStep = step
        encoder.setSpeedStep(step)
      }
      if isFirst {
        isFirst = false
        samplesOfFile?.begin(at: time)
        state.update { $0.marks.begin(at: Double(time) / 1e9) }
      }
      try addSamplesOfFile(until: time)
      let began = Timestamp.now
      let ticks = SampleTime.samples(time, rate: Int(EncodedVideoFormat.timeScale))
      let packets = try encoder.encode(picture.buffer, at: ticks, isKey: isKey)
      budget.finished(in: Timestamp.now.seconds(since: began))
      budget.queued(pictures.count)
      add(packets)
    }
    add(try encoder.finish())
    if let end = state.read({ $0.plan?.end }) { try addSamplesOfFile(until: end) }
  }

  /// Adds the decoded sound of a file up to a recorded time.
  private func addSamplesOfFile(until time: Int64) throws {
    guard let file = samplesOfFile, state.read({ $0.failure == nil }) else { return }
    while let block = try file.nextSamples(until: time) {
      state.update { state in
        state.plan?.add(fileSamples: block.samples, position: block.position)
        forward(&state)
      }
    }
  }

  private func add(_ packets: [EncodedPacket]) {
    guard !packets.isEmpty else { return }
    let scale = Int(EncodedVideoFormat.timeScale)
    state.update { state in
      for packet in packets {
        endBeforeLimit(packet, SampleTime.nanoseconds(packet.presentation, rate: scale), &state)
        state.plan?.add(
          MovieAssembly.Picture(
            bytes: packet.bytes, time: SampleTime.nanoseconds(packet.presentation, rate: scale),
            decodeLead: SampleTime.nanoseconds(packet.presentation - packet.decode, rate: scale),
            isKey: packet.isKey))
      }
      forward(&state)
    }
  }

  /// Ends the recording before a picture with which the files would be too large.
  private func endBeforeLimit(_ packet: EncodedPacket, _ time: Int64, _ state: inout State) {
    guard let most = settings.limits.bytes, state.end == nil else { return }
    let owed = state.size.bytes(ofSamples: state.plan?.samplesOwed(until: time) ?? 0)
    let beginsFile = packet.isKey && state.plan?.assembly.isDue(time) == true
    let more = owed + RecordingSize.bytes(of: packet.bytes, beginsFile: beginsFile)
    guard state.size.total + more > most else { return }
    if state.plan?.end(before: time) == true { state.end = .bytesReached }
  }

  /// Passes on to the writer what the plan has decided. Called under the lock, so that the order is kept.
  private func forward(_ state: inout State) {
    passOn(&state)
    guard state.plan?.isComplete == true else { return }
    state.status.seconds = state.plan?.recordedSeconds ?? 0
    state.plan?.finish()
    passOn(&state)
    actions.add(.ended(takeEnd(&state)))
    state.plan?.standBy()
  }

  /// Why the recording has ended; the next one has reasons and marks of its own.
  private func takeEnd(_ state: inout State) -> MovieEnd {
    let end = state.end ?? (settings.limits.duration != nil ? .durationReached : .stopped)
    (state.end, state.marks) = (nil, RecordingMarks())
    return end
  }

  private func passOn(_ state: inout State) {
    while let action = state.plan?.next() {
      let order = WriterOrder(action, marks: state.marks)
      state.size.add(order, channels: state.plan?.soundChannels ?? 1)
      actions.add(order)
    }
  }

  /// Ends the recording with the last picture, once its sound has come, and lets the other threads end.
  private func completeAll() {
    let deadline = Timestamp.now.advanced(bySeconds: Double(RecordingPlan.soundPatience) / 1e9)
    if !losesNothing {
      _ = state.wait(until: deadline) { $0.plan?.hasSoundUntilEnd ?? true ? true : nil }
    }
    sounds.close()
    // What has come is recorded.
    aligning.withLock { $0 }?.join()
    state.update { state in
      let wasRecording = state.plan?.assembly.phase == .recording
      state.plan?.finish()
      passOn(&state)
      if wasRecording { actions.add(.ended(takeEnd(&state))) }
    }
    actions.close()
  }

  // MARK: The sound's thread

  /// - Parameter recorded: how sound of this format is recorded.
  func alignSound(_ format: AudioFormat, _ recorded: AudioFormat) {
    let voice = voice.withLock { $0 }
    var (aligner, mixer): ((any SoundAligner)?, VoiceMixer?)
    do {
      while let sound = sounds.take() {
        switch sound {
        // The voice has its place from the movie's first sound on.
        case .voice(let sound): if let mixer, let aligner { addSound(try mixer.add(sound), aligner) }
        case .voiceEnd: if let mixer, let aligner { addSound(try mixer.endVoice(), aligner) }
        case .movie(let sound):
          let present = try aligner ?? parts.makeAligner(format, sound.time, recorded.sampleRate)
          aligner = present
          if mixer == nil, voice != nil {
            mixer = VoiceMixer(recorded, epoch: present.epoch) { [parts] in
              try parts.makeAligner($0, $1, recorded.sampleRate)
            }
          }
          var runs = try present.align(sound)
          if let mixer, let voice { runs = try mixer.mix(runs, isOn: voice.isOn, duck: voice.duck) }
          addSound(runs, present)
        }
      }
      if let mixer, let aligner { addSound(try mixer.finish(), aligner) }
    } catch {
      fail(error)
    }
  }

  private func addSound(_ runs: [AlignedSound], _ aligner: any SoundAligner) {
    guard !runs.isEmpty else { return }
    state.update { state in
      state.status.sound = aligner.status
      for run in runs {
        state.plan?.add(samples: run.samples, position: run.position, epoch: aligner.epoch)
      }
      forward(&state)
    }
  }

  // MARK: Failures

  /// Ends everything; what was recorded before stays.
  func fail(_ error: any Error) {
    state.update { state in
      guard state.failure == nil else { return }
      state.failure = error
      state.end = .failed
      state.events.append(.failed(error))
    }
    pictures.close()
  }
}
