import AudioProcessing
import FrameCore
import MovieIO

/// The voice-over of a slideshow: a WAV file, or the sound of any media file. One thread at a time.
public final class SlideshowVoice {
  public let path: String
  /// As it goes into the movie: ambisonics are AmbiX.
  public let format: AudioFormat
  /// Its length, its marks and its pauses.
  public let facts: VoiceFacts
  /// What is worth telling, one sentence each without its full stop.
  public let notes: [String]
  /// What the file's channels are.
  private let layout: ChannelLayout

  /// Reads the file once, to its end.
  ///
  /// - Parameter layout: what the channels are, where the file does not say: `ambiX` or `fuMa`. Nil is what
  ///   the file
  ///   says.
  /// - Throws: `SafelightError` if the file cannot be read, has no sound, or has not as many channels.
  public init(_ path: String, layout: ChannelLayout? = nil) throws {
    let reader = try VoiceReader(path, layout: layout)
    self.path = path
    self.layout = reader.layout
    format = AudioFormat(
      sampleRate: reader.sampleRate, layout: reader.layout == .fuMa ? .ambiX : reader.layout)
    var pauses = VoicePauses(AudioFormat(sampleRate: reader.sampleRate, layout: reader.layout))
    while let samples = try reader.next() { pauses.add(samples) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard reader.position > 0 else {
      throw SafelightError(
        .corruptData, "There is no sound in \(path)", remedy: "choose a file that has sound")
    }
    let duration = Double(reader.position) / Double(reader.sampleRate)
    let marks = try reader.marks()
    facts = VoiceFacts(name: name, duration: duration, marks: marks, pauses: pauses.find())
    let late = marks.count { $0 >= duration }
    let lateMarks = "\(path) has \(late) mark\(late == 1 ? "" : "s") after its end, left out here"
    notes = reader.notes + (late == 0 ? [] : [lateMarks])
  }

  /// Returns a reader of its samples as they go into the movie, from the start.
  func open() throws -> VoiceSamples { try VoiceSamples(path, layout: layout) }
}

/// The samples of a voice, as they go into a movie. One thread at a time.
final class VoiceSamples {
  private let reader: VoiceReader
  private let matrix: ChannelMatrix?

  init(_ path: String, layout: ChannelLayout) throws {
    reader = try VoiceReader(path, layout: layout)
    // Movies know AmbiX only.
    matrix = layout == .fuMa ? try ChannelMatrix(from: .fuMa, to: .ambiX) : nil
  }

  /// Returns the next interleaved samples, which follow those before; nil at the end.
  func next() throws -> [Float]? {
    guard let samples = try reader.next() else { return nil }
    return matrix?.apply(to: samples) ?? samples
  }
}

/// Reads a voice's samples without gaps. One thread at a time.
private final class VoiceReader {
  let sampleRate: Int
  let layout: ChannelLayout
  /// Samples per channel that were read.
  private(set) var position: Int64 = 0
  private let path: String
  private let source: Source

  private enum Source {
    case wave(WaveFileReader)
    case track(SoundTrackReader)
  }

  /// Longer gaps in the sound of a media file, in seconds, are damage.
  private static let longestGap: Int64 = 3600
  /// Blocks of this many per second are read of WAV files.
  private static let blocksPerSecond = 4
  private static let waveExtensions = [".wav", ".wave", ".bwf", ".amb", ".bw64", ".rf64"]

  init(_ path: String, layout: ChannelLayout?) throws {
    let source = try Self.open(path, layout)
    (self.path, self.source) = (path, source)
    switch source {
    case .wave(let reader): (sampleRate, self.layout) = (reader.format.sampleRate, reader.format.layout)
    case .track(let reader):
      if let layout, layout.channelCount != reader.format.channelCount {
        throw SafelightError(
          .invalidValue,
          "\(path) has \(reader.format.channelCount) channels, not the \(layout.channelCount) that were "
            + "asked for",
          remedy: "choose another file or layout")
      }
      (sampleRate, self.layout) = (reader.format.sampleRate, layout ?? reader.format.layout)
    }
  }

  private static func open(_ path: String, _ layout: ChannelLayout?) throws -> Source {
    guard waveExtensions.contains(where: { path.lowercased().hasSuffix($0) }) else {
      return .track(try SoundTrackReader(path: path, mode: .samples))
    }
    do {
      return .wave(try WaveFileReader(path: path, channels: layout))
    } catch let error as SafelightError where error.code == .unsupported {
      // Compressed sound in a WAV file, which FFmpeg may know.
      return .track(try SoundTrackReader(path: path, mode: .samples))
    }
  }

  /// Returns the next interleaved samples, which follow those before; nil at the end. Gaps become silence.
  func next() throws -> [Float]? {
    let samples: [Float]?
    switch source {
    case .wave(let reader):
      let read = try reader.read(max(1, sampleRate / Self.blocksPerSecond))
      samples = read.isEmpty ? nil : read
    case .track(let reader): samples = try nextBlock(reader)
    }
    position += Int64((samples?.count ?? 0) / layout.channelCount)
    return samples
  }

  private func nextBlock(_ reader: SoundTrackReader) throws -> [Float]? {
    let channels = layout.channelCount
    while let block = try reader.nextBuffer() {
      let gap = block.position - position
      guard gap <= Self.longestGap * Int64(sampleRate) else {
        throw SafelightError(
          .corruptData, "\(path) has a gap of \(gap / Int64(sampleRate)) s in its sound",
          remedy: "cut it there, or save it as WAV")
      }
      if gap >= 0 { return [Float](repeating: 0, count: Int(gap) * channels) + block.samples }
      // What begins before the file's pictures, or overlaps, is left out.
      if -gap < Int64(block.frameCount) { return Array(block.samples[(Int(-gap) * channels)...]) }
    }
    return nil
  }

  /// The marks in the file, in seconds.
  func marks() throws -> [Double] {
    switch source {
    case .wave(let reader): try reader.cuePoints().map { Double($0) / Double(sampleRate) }
    case .track: try MovieContents(path: path).chapters.map(\.start)
    }
  }

  /// What is worth telling of the file, after it was read.
  var notes: [String] {
    var notes: [String] = []
    switch source {
    case .wave(let reader):
      if reader.isCut { notes.append("\(path) is cut: it states more sound than it has") }
    case .track(let reader):
      if reader.damageCount > 0 { notes.append("\(path) is damaged in \(reader.damageCount) places") }
    }
    if layout == .discrete(4) {
      notes.append(
        "The four channels of \(path) are kept without a direction; say ambix or fuma if they are ambisonic")
    }
    return notes
  }
}
