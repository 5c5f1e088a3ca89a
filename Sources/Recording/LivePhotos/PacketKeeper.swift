import FrameCore
import MovieIO

/// Keeps the newest packets of a recording that goes into no file, so that movies can be cut from them later.
///
/// Several movies may need the same packets: a hold keeps them until it is released.
final class PacketKeeper: MovieWriter, Sendable {
  struct Kept {
    var tracks: [MovieTrack] = []
    /// Time 0 of the packets on the clock of the pictures, in nanoseconds; nil before the first picture.
    var start: Int64?
    /// In the order of their times, beginning with a key picture. In 1/90000 s.
    var pictures: [EncodedPacket] = []
    /// In samples.
    var sound: [EncodedPacket] = []
    /// Whether no more packets come.
    var isFinished = false
    /// The times from which packets are kept, in 1/90000 s, by the numbers of their holds.
    fileprivate var holds: [Int: Int64] = [:]
    fileprivate var nextHold = 0
    /// The latest time of a packet in 1/90000 s, also if only sound comes.
    fileprivate var now: Int64 = 0
  }

  let state = Monitor(Kept())

  /// What is kept without a hold, in 1/90000 s: the seconds before a photo, and as much for a press that
  /// arrives late.
  static let shortest: Int64 = 3 * 90_000

  // MARK: Holds

  /// Keeps from now on what is there.
  ///
  /// - Returns: the number to release it by.
  func hold() -> Int {
    state.update { kept in
      kept.nextHold += 1
      kept.holds[kept.nextHold] = kept.now - Self.shortest
      return kept.nextHold
    }
  }

  /// Keeps what is needed from a moment on, in nanoseconds on the clock of the pictures, as far as it is
  /// there.
  func hold(from moment: Int64) -> Int {
    state.update { kept in
      kept.nextHold += 1
      kept.holds[kept.nextHold] = kept.start.map { LivePhotoCut.ticks(moment - $0) } ?? 0
      return kept.nextHold
    }
  }

  func release(_ hold: Int) {
    state.update { kept in
      kept.holds[hold] = nil
      kept.prune()
    }
  }

  // MARK: The recording's side

  /// - Parameter start: time 0 of the packets, in nanoseconds on the clock of the pictures.
  func open(_ tracks: [MovieTrack], from start: Int64) {
    state.update { ($0.tracks, $0.start) = (tracks, start) }
  }

  /// It takes no room on a disk.
  var byteCount: Int64 { 0 }

  func write(_ packet: EncodedPacket, track: Int) throws {
    state.update { kept in
      if track == RecordingFile.videoTrack {
        kept.pictures.append(packet)
        kept.now = max(kept.now, packet.presentation)
      } else {
        kept.sound.append(packet)
        kept.now = max(kept.now, kept.ticks(ofSound: packet.presentation))
      }
      kept.prune()
    }
  }

  /// Movies that are cut later have no chapters.
  func mark(seconds: Double, title: String) {}

  func finish() throws { state.update { $0.isFinished = true } }
}

extension PacketKeeper.Kept {
  /// The format of the sound; nil without.
  var soundFormat: EncodedAudioFormat? {
    for track in tracks {
      switch track {
      case .audio(let format): return format
      case .video: continue
      }
    }
    return nil
  }

  /// A time of a packet of sound in 1/90000 s.
  func ticks(ofSound time: Int64) -> Int64 {
    guard let rate = soundFormat?.format.sampleRate else { return 0 }
    return LivePhotoCut.ticks(SampleTime.nanoseconds(time, rate: rate))
  }

  /// When the last picture ends.
  var end: Int64 { pictures.last.map { $0.presentation + $0.duration } ?? 0 }

  /// Up to when there is sound; nil if there is to be none.
  var soundEnd: Int64? {
    guard soundFormat != nil else { return nil }
    return sound.last.map { ticks(ofSound: $0.presentation + $0.duration) } ?? 0
  }

  /// Removes what no movie can need any more.
  fileprivate mutating func prune() {
    let limit = min(now - PacketKeeper.shortest, holds.values.min() ?? .max)
    // Decoding begins at a key picture.
    if let first = pictures.lastIndex(where: { $0.isKey && $0.presentation <= limit }), first > 0 {
      pictures.removeFirst(first)
    }
    // The decoder of sound needs a packet before the first one that is heard.
    if let heard = sound.firstIndex(where: { ticks(ofSound: $0.presentation + $0.duration) > limit }),
      heard > 1
    {
      sound.removeFirst(heard - 1)
    }
  }
}
