import FrameCore
import Libc
import MovieIO
import Synchronization
import Testing

@testable import Recording

/// Compresses nothing: a packet holds the first bytes of its picture. Packets come out some pictures later.
final class StandInPictureEncoder: PictureEncoder {
  let format: EncodedVideoFormat
  private let delay: Int
  private var waiting: [EncodedPacket] = []
  /// Seconds that each picture takes.
  private let duration: Double

  init(_ form: MoviePictures, delay: Int, duration: Double = 0) {
    format = EncodedVideoFormat(
      codec: .h264, size: form.size, configuration: [1], fourCC: "avc1", tags: form.tags)
    (self.delay, self.duration) = (delay, duration)
  }

  func encode(_ picture: PixelBuffer, at ticks: Int64, isKey: Bool) throws -> [EncodedPacket] {
    if duration > 0 { usleep(useconds_t(duration * 1e6)) }
    let row = picture.row(0, as: UInt8.self)
    waiting.append(EncodedPacket(bytes: Array(row.prefix(4)), presentation: ticks, isKey: isKey))
    guard waiting.count > delay else { return [] }
    return [waiting.removeFirst()]
  }

  func finish() throws -> [EncodedPacket] {
    defer { waiting = [] }
    return waiting
  }

  func setSpeedStep(_ step: Int) {}
}

/// Keeps samples as they are, in packets of 1000.
final class StandInSoundEncoder: SoundEncoder {
  let format: EncodedAudioFormat
  private var samples: [Float] = []
  private var position: Int64 = 0

  init(_ format: AudioFormat) {
    self.format = EncodedAudioFormat(codec: .pcm, format: format, configuration: [], bitsPerSample: 32)
  }

  func encode(_ samples: [Float]) throws -> [EncodedPacket] {
    self.samples += samples
    guard self.samples.count >= 1000 else { return [] }
    return try finish()
  }

  func finish() throws -> [EncodedPacket] {
    guard !samples.isEmpty else { return [] }
    let bytes = samples.withUnsafeBytes { Array($0) }
    let count = Int64(samples.count / format.format.channelCount)
    defer {
      samples = []
      position += count
    }
    return [EncodedPacket(bytes: bytes, presentation: position, duration: count)]
  }
}

/// What was written into one file.
final class StandInFile: MovieWriter {
  struct Contents: Sendable {
    var pictures: [EncodedPacket] = []
    var samples: [Float] = []
    var isFinished = false
  }

  private let disk: StandInDisk
  private let number: Int
  private(set) var byteCount: Int64 = 0

  init(_ disk: StandInDisk, _ number: Int) { (self.disk, self.number) = (disk, number) }

  func write(_ packet: EncodedPacket, track: Int) throws {
    byteCount += Int64(packet.bytes.count)
    if let limit = disk.limit, byteCount > limit { throw SafelightError(.noSpace, "The disk is full") }
    disk.change(number) { contents in
      if track == RecordingFile.videoTrack { return contents.pictures.append(packet) }
      let samples = packet.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(packet.presentation == Int64(contents.samples.count / disk.channels))
      contents.samples += samples
    }
  }

  func mark(seconds: Double, title: String) {}

  func finish() throws { disk.change(number) { $0.isFinished = true } }
}

/// The files of a run.
final class StandInDisk: Sendable {
  private let files = Mutex<[StandInFile.Contents]>([])
  /// Bytes per file after which writing fails.
  let limit: Int64?
  /// Of the sound.
  let channels: Int

  init(limit: Int64? = nil, channels: Int = 1) { (self.limit, self.channels) = (limit, channels) }

  func makeFile() -> (path: String, writer: any MovieWriter) {
    let number = files.withLock { files in
      files.append(StandInFile.Contents())
      return files.count - 1
    }
    return ("/file \(number)", StandInFile(self, number))
  }

  func change(_ number: Int, _ edit: (inout StandInFile.Contents) -> Void) {
    files.withLock { edit(&$0[number]) }
  }

  var contents: [StandInFile.Contents] { files.withLock { $0 } }
}

/// Sound that is already in place.
final class StandInAligner: SoundAligner {
  let epoch: Timestamp
  private let rate: Int
  private var next: Int64?
  var status = MovieStatus.SoundStatus()

  init(_ format: AudioFormat, _ epoch: Timestamp) { (self.epoch, rate) = (epoch, format.sampleRate) }

  func align(_ sound: AudioBuffer) throws -> [AlignedSound] {
    let own = SampleTime.samples(sound.time.nanoseconds - epoch.nanoseconds, rate: rate)
    let position = next ?? own
    next = position + Int64(sound.frameCount)
    return [AlignedSound(samples: sound.samples, position: position)]
  }
}
