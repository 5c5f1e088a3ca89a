import Files
import FrameCore
import MovieIO

extension MovieRecorder {
  // MARK: The writer's thread

  func write(_ format: EncodedVideoFormat, _ sound: AudioFormat?) {
    var files: [Int: RecordingFile] = [:]
    // After an error the rest of the orders is taken, so that nobody waits, but only to close files.
    var hasFailed = false
    while let order = actions.take() {
      do {
        try perform(order, (format, sound), &files, isClosing: hasFailed)
      } catch {
        hasFailed = true
        fail(error)
        closeAll(&files)
      }
    }
    closeAll(&files)
    state.update { $0.status.path = nil }
  }

  private func perform(
    _ order: WriterOrder, _ formats: (video: EncodedVideoFormat, sound: AudioFormat?),
    _ files: inout [Int: RecordingFile], isClosing: Bool
  ) throws {
    switch order {
    case .open(let number, let start):
      guard !isClosing else { return }
      let file = try RecordingFile(
        parts, start: start, video: formats.video, sound: formats.sound, copied: packetsOfFile)
      files[number] = file
      state.update { state in
        state.status.path = file.path
        state.events.append(.started(path: file.path))
      }
    case .picture(let number, let picture, let time, let duration):
      guard let copied = try files[number]?.write(picture, time: time, duration: duration) else { return }
      try noteWritten(files, copied: copied, to: number)
    case .sound(let number, let samples, let position):
      try files[number]?.write(samples, at: position)
    case .close(let number, let marks):
      if let file = files.removeValue(forKey: number) { try close(file, number, marks) }
    case .ended(let end):
      state.update { if $0.failure == nil { $0.events.append(.ended(end)) } }
    }
  }

  private func close(_ file: RecordingFile, _ number: Int, _ marks: RecordingMarks) throws {
    var file = file
    defer {
      let bytes = file.writer.byteCount
      let isIntact = parts.isIntact(file.path, bytes)
      state.update { state in
        state.size.complete(number, bytes: isIntact ? bytes : 0)
        state.status.bytes = state.size.complete
        if isIntact {
          state.events.append(.finished(path: file.path, seconds: Double(file.end) / 1e9, bytes: bytes))
        } else {
          state.lose(file.path, number)
        }
      }
    }
    try file.close(marks: marks)
  }

  /// Completes all files, whatever happens to each.
  private func closeAll(_ files: inout [Int: RecordingFile]) {
    for number in files.keys.sorted() {
      guard let file = files.removeValue(forKey: number) else { continue }
      do { try close(file, number, state.read { $0.marks }) } catch { fail(error) }
    }
  }

  /// Counts a picture, and now and then looks after the file and the disk.
  private func noteWritten(_ files: [Int: RecordingFile], copied: Int, to number: Int) throws {
    let bytes = files.values.reduce(0) { $0 + $1.writer.byteCount }
    let (written, isOpen) = state.update { state in
      state.status.written += 1
      state.size.add(copied: copied, to: number)
      state.status.bytes = state.size.complete + bytes
      return (state.status.written, state.end == nil)
    }
    guard isOpen, written.isMultiple(of: 32), let newest = files.max(by: { $0.key < $1.key }) else { return }
    let file = newest.value
    try goOnElsewhere(instead: file, newest.key)
    let least = settings.limits.freeBytes
    // A disk that is nearly full is no failure.
    if least > 0, let free = Folder.freeSpace(at: file.path), free < least { end(.diskLow) }
  }

  /// Begins a new file if somebody has removed this one.
  private func goOnElsewhere(instead file: RecordingFile, _ number: Int) throws {
    guard !file.isInPlace else { return }
    guard packetsOfFile == nil else {
      throw SafelightError(
        .file, "\(file.path) was removed or changed by somebody during the recording, so what it held is lost"
      )
    }
    state.update { state in
      state.lose(file.path, number)
      state.plan?.cut()
    }
  }
}

extension MovieRecorder.State {
  /// Tells once that what a file held is lost.
  fileprivate mutating func lose(_ path: String, _ number: Int) {
    guard toldLost.insert(number).inserted else { return }
    status.lost.append(path)
    events.append(.lost(path: path))
  }
}
