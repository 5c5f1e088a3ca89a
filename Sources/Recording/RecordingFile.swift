import Files
import FrameCore
import MovieIO

/// One file of a recording: its writer and its encoder for sound. Used by the writer's thread.
struct RecordingFile {
  let path: String
  /// Nil for what is no file.
  private let identity: FileIdentity?
  let writer: any MovieWriter
  /// The recorded time at which it begins.
  let start: Int64
  private let sound: (any SoundEncoder)?
  /// Packets of another file, which are written as pictures come to their time.
  private let copied: SoundFile?
  private let channels: Int
  private let rate: Int
  /// Samples per channel given to the encoder so far.
  private var position: Int64 = 0
  /// When the last picture ends, in nanoseconds from the start.
  private(set) var end: Int64 = 0
  private(set) var pictures = 0

  static let videoTrack = 0
  static let soundTrack = 1
  /// How far sound may begin after the last picture, in nanoseconds: pictures come to the encoder late.
  private static let mostAhead: Int64 = 10_000_000_000

  /// - Parameter copied: a file whose packets are the sound; nil compresses samples of the format `sound`.
  init(
    _ parts: RecordingParts, start: Int64, video: EncodedVideoFormat, sound format: AudioFormat?,
    copied: SoundFile? = nil
  ) throws {
    self.start = start
    self.copied = copied
    let sound = try copied == nil ? format.map { try parts.makeSoundEncoder($0) } : nil
    let heard = copied?.packetFormat ?? sound?.format
    (path, writer) = try parts.makeFile([.video(video)] + (heard.map { [.audio($0)] } ?? []), start)
    identity = FileIdentity(path)
    self.sound = sound
    (channels, rate) = (format?.channelCount ?? 1, format?.sampleRate ?? 1)
  }

  /// Whether its path still leads to it.
  var isInPlace: Bool { identity == nil || FileIdentity(path) == identity }

  /// - Returns: the bytes of sound that were copied with the picture.
  @discardableResult
  mutating func write(_ picture: MovieAssembly.Picture, time: Int64, duration: Int64) throws -> Int {
    let scale = Int(EncodedVideoFormat.timeScale)
    let ticks = SampleTime.samples(time, rate: scale)
    // From the end, so that roundings of the durations do not add up.
    let next = SampleTime.samples(time + duration, rate: scale)
    let lead = SampleTime.samples(picture.decodeLead, rate: scale)
    try writer.write(
      EncodedPacket(
        bytes: picture.bytes, presentation: ticks, decode: ticks - lead, duration: max(1, next - ticks),
        isKey: picture.isKey), track: Self.videoTrack)
    end = time + duration
    pictures += 1
    var bytes = 0
    try copied?.forEachPacket(until: end) {
      try writer.write($0, track: Self.soundTrack)
      bytes += $0.bytes.count
    }
    return bytes
  }

  /// Compresses samples that begin at a position from the start of the file. A gap before them becomes silence; what
  /// overlaps with earlier ones is left out.
  mutating func write(_ samples: [Float], at start: Int64) throws {
    guard let sound else { return }
    // Sound far beyond the pictures has a damaged time.
    let most = SampleTime.samples(end + Self.mostAhead, rate: rate)
    guard start <= max(position, most) else { return }
    while position < start {
      let count = min(start - position, Int64(rate))
      try write(sound.encode([Float](repeating: 0, count: Int(count) * channels)))
      position += count
    }
    let gap = start - position
    let surplus = min(max(0, -gap), Int64(samples.count / channels))
    let rest = surplus == 0 ? samples : Array(samples[(Int(surplus) * channels)...])
    guard !rest.isEmpty else { return }
    try write(sound.encode(rest))
    position += Int64(rest.count / channels)
  }

  private func write(_ packets: [EncodedPacket]) throws {
    for packet in packets { try writer.write(packet, track: Self.soundTrack) }
  }

  /// Completes the file. It is completed even if the last sound cannot be compressed.
  ///
  /// - Parameter marks: of the whole recording.
  mutating func close(marks: RecordingMarks = RecordingMarks()) throws {
    for chapter in marks.inFile(from: Double(start) / 1e9, to: Double(start + end) / 1e9) {
      writer.mark(seconds: chapter.start, title: chapter.title)
    }
    let last = Result { try sound?.finish() ?? [] }
    var failure: (any Error)?
    do { try write(last.get()) } catch { failure = error }
    try writer.finish()
    if let failure { throw failure }
  }
}
