import Dispatch
import FrameCore
import Libc
import MovieIO
import TestSupport
import Testing

@testable import Recording

/// A source of pictures and sound on one clock: each picture holds its number, each sample the milliseconds since the
/// start.
private struct Source {
  static let rate = 8000
  let start = Timestamp.now
  let framesPerSecond = 30.0
  let recorder: MovieRecorder
  var frame = 0
  var sample = 0

  /// Delivers what happens up to a moment, in seconds since the start, without waiting for it.
  mutating func run(until seconds: Double) throws {
    // In steps, so that neither thread is seconds behind the other, as on no real clock.
    var moment = Double(frame) / framesPerSecond
    while moment < seconds {
      moment = min(moment + 0.3, seconds)
      try step(until: moment)
    }
  }

  private mutating func step(until seconds: Double) throws {
    while Double(frame) / framesPerSecond < seconds {
      let time = start.advanced(bySeconds: Double(frame) / framesPerSecond)
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB)
      let row = picture.row(0, as: UInt8.self)
      for index in 0..<4 { row[index] = UInt8(truncatingIfNeeded: frame >> (8 * index)) }
      // In a test nothing is dropped: the queue's bound has a test of its own.
      while recorder.pictures.isFull { usleep(200) }
      recorder.offer(picture, at: time)
      frame += 1
      let due = Int(Double(frame) / framesPerSecond * Double(Self.rate))
      let samples = (sample..<due).map { Float($0) / Float(Self.rate) * 1000 }
      let moment = start.advanced(bySeconds: Double(sample) / Double(Self.rate))
      recorder.offer(
        AudioBuffer(
          format: AudioFormat(sampleRate: Self.rate, layout: .mono), samples: samples, time: moment))
      sample = due
    }
    // Until both threads have taken it.
    while recorder.pictures.count + recorder.sounds.count > 0 { usleep(200) }
    usleep(3000)
  }

  func moment(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }
}

private func number(of packet: EncodedPacket) -> Int {
  packet.bytes.enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
}

@Suite("Recording movies")
struct MovieRecorderTests {
  /// - Parameters:
  ///   - delay: pictures that the encoder holds.
  ///   - duration: the seconds that it takes for each.
  ///   - opening: what it does before the first one.
  private func makeRecorder(
    _ settings: MovieSettings = MovieSettings(), on disk: StandInDisk, delay: Int = 2, duration: Double = 0,
    withSound: Bool = true, opening: @escaping @Sendable () throws -> Void = {}
  ) throws -> MovieRecorder {
    let parts = RecordingParts(
      makePictureEncoder: {
        try opening()
        return StandInPictureEncoder($0, delay: delay, duration: duration)
      },
      makeSoundEncoder: { StandInSoundEncoder($0) },
      makeAligner: { format, epoch, _ in StandInAligner(format, epoch) },
      makeFile: { _, _ in disk.makeFile() })
    let recorder = try MovieRecorder(
      settings, losesNothing: false, parts: parts)
    try recorder.open(
      MoviePictures(
        size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB, framesPerSecond: 30)
    ) { withSound ? AudioFormat(sampleRate: Source.rate, layout: .mono) : nil }
    return recorder
  }

  /// How much later the sound of a picture is than the picture, at worst, in milliseconds.
  private func largestOffset(_ file: StandInFile.Contents) -> Double {
    var largest = 0.0
    for picture in file.pictures {
      let seconds = Double(picture.presentation) / 90_000
      let index = Int((seconds * Double(Source.rate)).rounded())
      guard file.samples.indices.contains(index) else { continue }
      let captured = Double(number(of: picture)) / 30 * 1000
      largest = max(largest, abs(Double(file.samples[index]) - captured))
    }
    return largest
  }

  @Test("Ten pauses leave pictures and sound together, and no picture of a pause")
  func pauses() throws {
    let disk = StandInDisk()
    let recorder = try makeRecorder(on: disk)
    var source = Source(recorder: recorder)
    recorder.record()
    var random = SeededRandom(seed: 3)
    var moment = 0.5
    var paused: [ClosedRange<Double>] = []
    for _ in 0..<10 {
      moment += .random(in: 0.3...0.8, using: &random)
      try source.run(until: moment)
      recorder.pause(at: source.moment(moment))
      let begin = moment
      moment += .random(in: 0.1...2, using: &random)
      try source.run(until: moment)
      recorder.resume(at: source.moment(moment))
      paused.append(begin...moment)
    }
    moment += 1
    try source.run(until: moment)
    recorder.close(at: source.moment(moment))
    let file = try #require(disk.contents.first)
    #expect(disk.contents.count == 1 && file.isFinished)
    #expect(largestOffset(file) <= 1)
    for picture in file.pictures {
      let time = Double(number(of: picture)) / 30
      #expect(!paused.contains { $0.lowerBound + 0.04 < time && time < $0.upperBound - 0.001 })
    }
    // No jump in the pictures' times but by a frame.
    for (a, b) in zip(file.pictures, file.pictures.dropFirst()) {
      #expect((1400...4600).contains(b.presentation - a.presentation))
    }
    let sound = Double(file.samples.count) / Double(Source.rate)
    let pictures = file.pictures.last.map { Double($0.presentation + $0.duration) / 90_000 } ?? 0
    #expect(abs(sound - pictures) < 0.04)
  }

  @Test("Segments hold what one file would")
  func segments() throws {
    let disk = StandInDisk()
    var settings = MovieSettings()
    settings.segment = 2
    let recorder = try makeRecorder(settings, on: disk)
    var source = Source(recorder: recorder)
    recorder.record()
    try source.run(until: 9.7)
    recorder.close(at: source.moment(9.7))
    let files = disk.contents
    #expect(files.count == 5 && files.allSatisfy { $0.isFinished && $0.pictures.first?.isKey == true })
    #expect(files.flatMap { $0.pictures.map(number) } == Array(0..<291))
    let samples = files.flatMap(\.samples)
    // A picture begins between two samples, so the first one may be silence.
    let milliseconds = (0..<samples.count).map { Float($0 - Int(samples[1] == 0 ? 1 : 0)) / 8 }
    #expect(zip(samples, milliseconds).dropFirst().allSatisfy { abs($0 - $1) < 0.01 })
    #expect(abs(samples.count - Int(9.7 * 8000)) <= 270)
    #expect(files.allSatisfy { largestOffset($0) <= 1 })
  }

  @Test("Recordings follow one another, each with its pre-roll, and lose no picture in between")
  func recordings() throws {
    let disk = StandInDisk()
    var settings = MovieSettings()
    settings.preRoll = 1
    let recorder = try makeRecorder(settings, on: disk)
    var source = Source(recorder: recorder)
    try source.run(until: 5)
    #expect(recorder.status.phase == .standby && disk.contents.isEmpty)
    recorder.record()
    try source.run(until: 7)
    #expect(recorder.status.phase == .recording)
    recorder.end(at: source.moment(7))
    try source.run(until: 7.5)
    #expect(recorder.status.phase == .standby)
    recorder.record()
    try source.run(until: 8)
    recorder.close(at: source.moment(8))
    let files = disk.contents
    #expect(files.count == 2 && files.allSatisfy { $0.isFinished && largestOffset($0) <= 1 })
    let numbers = files.map { $0.pictures.map(number) }
    // The key picture at or before the one a second ago: at 5 s that is within 3…4 s.
    #expect((90...120).contains(numbers[0][0]) && numbers[0] == Array(numbers[0][0]..<210))
    #expect((165...210).contains(numbers[1][0]) && numbers[1].last == 239)
    #expect(numbers[1] == Array(numbers[1][0]...239))
    let ends = recorder.takeEvents().compactMap { event -> MovieEnd? in
      if case .ended(let end) = event { end } else { nil }
    }
    #expect(ends == [.stopped, .stopped])
  }

  @Test("A recording ends at its limit of time, and that is success")
  func duration() throws {
    let disk = StandInDisk()
    var settings = MovieSettings()
    settings.limits.duration = 2
    let recorder = try makeRecorder(settings, on: disk)
    var source = Source(recorder: recorder)
    recorder.record()
    try source.run(until: 4)
    #expect(recorder.status.phase == .standby)
    recorder.close()
    #expect(recorder.failure == nil && disk.contents.count == 1)
    #expect(disk.contents[0].pictures.count == 60 && disk.contents[0].samples.count == 16_000)
  }

  @Test("A full disk ends the recording, and what was written is complete")
  func fullDisk() throws {
    let disk = StandInDisk(limit: 40_000)
    let recorder = try makeRecorder(on: disk)
    var source = Source(recorder: recorder)
    recorder.record()
    try source.run(until: 3)
    recorder.close(at: source.moment(3))
    #expect((recorder.failure as? SafelightError)?.code == .noSpace)
    #expect(disk.contents.count == 1 && disk.contents[0].isFinished && disk.contents[0].pictures.count > 10)
  }

  @Test("What the encoder cannot take is dropped and counted, and nobody waits for it")
  func slowEncoder() throws {
    let disk = StandInDisk()
    let recorder = try makeRecorder(on: disk, delay: 0, duration: 0.03, withSound: false)
    recorder.record()
    let start = Timestamp.now
    for frame in 0..<40 {
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB)
      recorder.offer(picture, at: start.advanced(bySeconds: Double(frame) / 30))
    }
    recorder.close(at: nil)
    let dropped = recorder.status.drops[.encoderBusy] ?? 0
    #expect(dropped > 0 && disk.contents[0].pictures.count + dropped == 40)
  }

  @Test("An encoder that takes long to open costs no picture, and orders meanwhile take effect")
  func slowOpening() throws {
    let disk = StandInDisk()
    // It opens only after all pictures have been offered; a camera that waited for it would wait for ever.
    let mayOpen = Monitor(false)
    let recorder = try makeRecorder(on: disk, withSound: false) { mayOpen.wait { $0 ? () : nil } }
    recorder.record()
    let start = Timestamp.now
    for frame in 0..<6 {
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB)
      recorder.offer(picture, at: start.advanced(bySeconds: Double(frame) / 30))
    }
    #expect(recorder.status.dropped == 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { mayOpen.update { $0 = true } }
    recorder.close(at: start.advanced(bySeconds: 4 / 30))
    #expect(disk.contents[0].pictures.map(\.presentation) == [0, 3000, 6000, 9000])
    #expect(recorder.failure == nil && disk.contents[0].isFinished)
  }

  @Test("An encoder that cannot be opened is the recorder's failure, and leaves no file")
  func failingOpening() throws {
    let disk = StandInDisk()
    let recorder = try makeRecorder(on: disk) { throw SafelightError(.unsupported, "No encoder") }
    recorder.record()
    recorder.close()
    #expect((recorder.failure as? SafelightError)?.problem == "No encoder" && disk.contents.isEmpty)
  }

  @Test("All files together stay below the limit of bytes, and not by much", arguments: [nil, 0.5])
  func byteLimit(segment: Double?) throws {
    let disk = StandInDisk()
    var settings = MovieSettings()
    settings.limits.bytes = 300_000
    settings.segment = segment
    let recorder = try makeRecorder(settings, on: disk)
    var source = Source(recorder: recorder)
    recorder.record()
    try source.run(until: 12)
    #expect(recorder.status.phase == .standby)
    recorder.close()
    let ends = recorder.takeEvents().compactMap { if case .ended(let end) = $0 { end } else { nil } }
    #expect(ends == [.bytesReached] && recorder.failure == nil)
    let written = disk.contents.reduce(0) { $0 + $1.samples.count * 4 + $1.pictures.count * 4 }
    // Of an open file 40 kB are for its head and index, which the stand-in does not write; two may be open.
    #expect(written <= 260_000 && written > 200_000)
    #expect(disk.contents.allSatisfy { $0.isFinished })
  }

  @Test("Pictures whose time does not advance are left out and counted")
  func outOfOrder() throws {
    let disk = StandInDisk()
    let recorder = try makeRecorder(on: disk, withSound: false)
    recorder.record()
    let start = Timestamp.now
    for seconds in [0, 0.03, 0.03, 0.02, 0.06] {
      let picture = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .gray8, tags: .sRGB)
      recorder.offer(picture, at: start.advanced(bySeconds: seconds))
    }
    recorder.close(at: nil)
    #expect(disk.contents[0].pictures.map(\.presentation) == [0, 2700, 5400])
    #expect(recorder.status.drops == [.outOfOrder: 2])
  }
}
