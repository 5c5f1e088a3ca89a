import FrameCore
import MovieIO

/// The movie around a photo: the packets it is made of, and its moments in their clock in 1/90000 s.
struct LivePhotoCut {
  var tracks: [MovieTrack]
  /// From the key picture at or before `start` on.
  var pictures: [EncodedPacket]
  var sound: [EncodedPacket]
  var start: Int64
  /// The moment of the photo; nil if it is outside of the movie.
  var still: Int64?
  var end: Int64

  /// What the movie shows before and after the photo: 1.5 s.
  static let side: Int64 = 135_000
  /// Starts are whole multiples of 100 µs away from the photo, so that its moment is exact in microseconds
  /// too.
  private static let step: Int64 = 9
  /// How far a photo's time and that of its picture may be apart: each was rounded.
  private static let tolerance: Int64 = 2

  /// - Returns: nanoseconds in 1/90000 s.
  static func ticks(_ nanoseconds: Int64) -> Int64 {
    SampleTime.samples(nanoseconds, rate: Int(EncodedVideoFormat.timeScale))
  }

  /// Whether all that belongs to the movie around a moment has come.
  ///
  /// - Parameter needsSound: whether to wait for sound that is behind the pictures.
  static func isComplete(_ kept: PacketKeeper.Kept, around moment: Timestamp, needsSound: Bool = true) -> Bool
  {
    guard let still = time(of: moment, in: kept), kept.end >= still + side else { return false }
    return !needsSound || kept.soundEnd.map { $0 >= still + side } ?? true
  }

  /// The time of the picture that was captured at a moment, or of the moment itself if that picture is not
  /// there.
  private static func time(of moment: Timestamp, in kept: PacketKeeper.Kept) -> Int64? {
    guard let start = kept.start else { return nil }
    let time = ticks(moment.nanoseconds - start)
    return kept.pictures.last { abs($0.presentation - time) <= tolerance }?.presentation ?? time
  }

  /// Cuts the movie from what there is.
  ///
  /// - Returns: nil if there is no picture of its seconds.
  init?(_ kept: PacketKeeper.Kept, around moment: Timestamp) {
    guard let still = Self.time(of: moment, in: kept), let oldest = kept.pictures.first else { return nil }
    let steps = max(0, min(Self.side, still - oldest.presentation)) / Self.step
    start = max(oldest.presentation, still - steps * Self.step)
    end = min(still + Self.side, kept.end)
    let (start, end) = (start, end)
    guard start < end else { return nil }
    self.still = (start..<end).contains(still) ? still : nil
    let key = kept.pictures.lastIndex { $0.isKey && $0.presentation <= start } ?? 0
    pictures = kept.pictures[key...].filter { $0.presentation < end }
    let heard = kept.sound.firstIndex { kept.ticks(ofSound: $0.presentation + $0.duration) > start }
    // One packet more for the decoder, which overlaps them.
    let rest = heard.map { kept.sound[max($0 - 1, 0)...] } ?? []
    sound = rest.filter { kept.ticks(ofSound: $0.presentation) < end }
    tracks = sound.isEmpty ? Array(kept.tracks.prefix(1)) : kept.tracks
  }

  /// Seconds that are shown.
  var seconds: Double { Double(end - start) / Double(EncodedVideoFormat.timeScale) }

  /// The moment of the photo in microseconds from the start.
  var presentation: Int64? { still.map { ($0 - start) * 100 / Self.step } }

  /// Returns the bytes of a movie that has its index first.
  ///
  /// - Parameter identifier: of a Live Photo's pair (.mov only).
  /// - Throws: `SafelightError` if the container does not take the packets.
  func movie(in container: MovieContainer, identifier: String? = nil) throws -> [UInt8] {
    let buffer = MovieBuffer()
    var options = MP4Writer.Options()
    options.start = start
    // Enough for the index of three seconds; it grows if not.
    options.reservedBytes = 8 << 10
    if let identifier {
      options.contentIdentifier = identifier
      options.stillImageTime = still ?? start
    }
    let writer = try MP4Writer(into: buffer, container: container, tracks: tracks, options: options)
    var waiting = sound[...]
    // Both tracks must have begun before the first fragment is complete.
    if let first = waiting.popFirst() { try writer.write(first, track: RecordingFile.soundTrack) }
    for picture in pictures {
      while let next = waiting.first, time(ofSound: next) <= picture.decode {
        waiting.removeFirst()
        try writer.write(next, track: RecordingFile.soundTrack)
      }
      try writer.write(picture, track: RecordingFile.videoTrack)
    }
    for packet in waiting { try writer.write(packet, track: RecordingFile.soundTrack) }
    try writer.finish(at: end)
    return buffer.bytes
  }

  private func time(ofSound packet: EncodedPacket) -> Int64 {
    guard let track = tracks.last else { return 0 }
    return Self.ticks(SampleTime.nanoseconds(packet.presentation, rate: Int(track.timeScale)))
  }
}
