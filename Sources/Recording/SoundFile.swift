import FrameCore
import MovieIO

/// The sound of a media file beside whose pictures it is recorded: its packets unchanged where the movie can hold
/// them, or else its samples. Used by one thread.
final class SoundFile: @unchecked Sendable {
  private let reader: SoundTrackReader
  /// The packets' format; nil if samples are read.
  let packetFormat: EncodedAudioFormat?
  /// The samples' format; nil if packets are read.
  let sampleFormat: AudioFormat?
  private var waiting: EncodedPacket?
  private var waitingSamples: (samples: [Float], position: Int64)?
  /// The number of the sample of the first picture.
  private var origin: Int64 = 0
  /// Sound this far ahead of the pictures is read, in nanoseconds.
  private static let lead: Int64 = 300_000_000

  private init(_ reader: SoundTrackReader, packets: EncodedAudioFormat?) {
    self.reader = reader
    packetFormat = packets
    sampleFormat = packets == nil ? reader.format : nil
  }

  /// Opens the sound of a file; nil if it has none.
  ///
  /// - Parameter isStorable: whether packets of a format can be copied; otherwise samples are read.
  /// - Throws: `SafelightError` if the file cannot be read.
  static func open(_ path: String, isStorable: (EncodedAudioFormat) -> Bool) throws -> SoundFile? {
    let decoded: SoundTrackReader
    do {
      decoded = try SoundTrackReader(path: path, mode: .samples)
    } catch let error as SafelightError where error.code == .unsupported {
      return nil
    }
    guard decoded.storedFormat.map(isStorable) == true,
      let copied = try? SoundTrackReader(path: path, mode: .packets), let format = copied.storedFormat
    else { return SoundFile(decoded, packets: nil) }
    return SoundFile(copied, packets: format)
  }

  /// Calls `body` with the packets up to a time, in nanoseconds from the first picture.
  func forEachPacket(until time: Int64, _ body: (EncodedPacket) throws -> Void) throws {
    guard let format = packetFormat else { return }
    let limit = SampleTime.samples(time, rate: format.format.sampleRate)
    while true {
      guard let packet = try waiting ?? reader.nextPacket() else { return }
      guard packet.presentation <= limit else {
        waiting = packet
        return
      }
      waiting = nil
      try body(packet)
    }
  }

  /// Tells the recorded time of the first picture.
  func begin(at time: Int64) {
    guard let format = sampleFormat else { return }
    origin = SampleTime.samples(time, rate: format.sampleRate)
  }

  /// Returns the next samples, numbered from recorded time 0; nil once they are ahead of a recorded time, or at the end.
  func nextSamples(until time: Int64) throws -> (samples: [Float], position: Int64)? {
    guard let format = sampleFormat else { return nil }
    if waitingSamples == nil, let block = try reader.nextBuffer() {
      waitingSamples = (block.samples, block.position + origin)
    }
    guard let next = waitingSamples else { return nil }
    if next.position > SampleTime.samples(time + Self.lead, rate: format.sampleRate) { return nil }
    waitingSamples = nil
    return next
  }
}
