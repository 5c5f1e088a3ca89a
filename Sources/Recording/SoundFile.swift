import AudioProcessing
import FrameCore
import MovieIO

/// The sound of a media file beside whose pictures it is recorded: its packets unchanged where the movie can hold
/// them, or else its samples. Used by one thread.
final class SoundFile: @unchecked Sendable {
  private let reader: SoundTrackReader
  /// The packets' format; nil if samples are read.
  let packetFormat: EncodedAudioFormat?
  /// The samples' format; nil if packets are read.
  private(set) var sampleFormat: AudioFormat?
  /// Makes the samples of the rate that is recorded; nil if they have it.
  private var resampler: Resampler?
  private var waiting: EncodedPacket?
  /// Where the next samples of the resampler belong.
  private var placed: Int64?
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

  /// Makes samples of a rate that the codec stores.
  ///
  /// - Throws: `SafelightError` if libswresample is missing.
  func record(as format: (AudioFormat) throws -> AudioFormat) throws {
    guard let stored = sampleFormat else { return }
    let recorded = try format(stored)
    guard recorded.sampleRate != stored.sampleRate else { return }
    resampler = try Resampler(format: stored, outputRate: recorded.sampleRate)
    sampleFormat = recorded
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
      // What was cut away before the beginning stays away; decoders need the last packet of it.
      if packet.presentation + 2 * packet.duration > 0 { try body(packet) }
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
    if waitingSamples == nil, let block = try readSamples(at: format.sampleRate) {
      waitingSamples = (block.samples, block.position + origin)
    }
    guard let next = waitingSamples else { return nil }
    if next.position > SampleTime.samples(time + Self.lead, rate: format.sampleRate) { return nil }
    waitingSamples = nil
    return next
  }

  /// Returns the next samples at a rate, numbered from the first picture; nil at the end.
  private func readSamples(at rate: Int) throws -> (samples: [Float], position: Int64)? {
    guard let resampler else { return try reader.nextBuffer().map { ($0.samples, $0.position) } }
    let ratio = Double(rate) / Double(resampler.input.sampleRate)
    while let block = try reader.nextBuffer() {
      let samples = try resampler.process(block.samples)
      let own = Int64((Double(block.position) * ratio).rounded())
      // The resampler holds some samples back; more than that is a gap in the file.
      let begin = placed.map { own - $0 > Int64(rate) / 20 ? own : $0 } ?? own
      placed = begin + Int64(samples.count / resampler.output.channelCount)
      if !samples.isEmpty { return (samples, begin) }
    }
    guard let begin = placed else { return nil }
    placed = nil
    let rest = try resampler.finish()
    return rest.isEmpty ? nil : (rest, begin)
  }
}
