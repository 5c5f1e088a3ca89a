import FrameCore

/// The packets of a track that are not in the file yet.
struct MP4TrackQueue {
  private let track: MovieTrack
  private let timeScale: Int64
  /// The movie's start in the packets' clock, in ticks of the track.
  private let start: Int64
  private var samples: [MP4Fragment.Sample] = []
  /// The decoding time of the first packet since the last fragment.
  private var since: Int64?
  private var lastDecode: Int64?
  private var lastGap: Int64 = 0
  /// The `mediaTime` that the file's first `moov` says; nil until that is written.
  var describedMediaTime: Int64?

  init(_ track: MovieTrack, start: Int64) {
    self.track = track
    timeScale = track.timeScale
    self.start = MP4Time.rescale(start, from: EncodedVideoFormat.timeScale, to: track.timeScale)
  }

  private var isAudio: Bool {
    switch track {
    case .audio: true
    case .video: false
    }
  }

  /// The time in the track's media that is the movie's start, while the file is fragmented: decoding times
  /// there cannot be negative. A track that has not begun yet gets a second, in case it begins with what is
  /// not to be shown.
  var mediaTime: Int64 {
    if let describedMediaTime { return describedMediaTime }
    guard let first = samples.first else { return timeScale }
    return max(-first.decode, 0)
  }

  func seconds(_ time: Int64) -> Double { Double(time) / Double(timeScale) }

  /// Returns a packet with times from the movie's start.
  func prepare(_ packet: EncodedPacket, frameBytes: Int) throws -> MP4Fragment.Sample {
    let decode = packet.decode - start
    if let lastDecode, decode < lastDecode {
      throw SafelightError(
        .invalidValue, "A packet at \(decode) comes after one at \(lastDecode) of the same track",
        remedy: "write packets in the order of decoding")
    }
    guard decode + (describedMediaTime ?? .max >> 1) >= 0 else {
      throw SafelightError(
        .invalidValue, "A track begins \(-seconds(decode)) s before the movie, which has already begun",
        remedy: "write the first packets of all tracks together")
    }
    guard packet.bytes.count <= Int32.max else {
      throw SafelightError(.tooLarge, "A packet of \(packet.bytes.count) bytes is too large for a movie")
    }
    guard packet.duration >= 0, packet.duration <= UInt32.max,
      abs(packet.presentation - packet.decode) <= Int32.max
    else {
      throw SafelightError(
        .invalidValue,
        "A packet has impossible times: decoded at \(packet.decode), shown at "
          + "\(packet.presentation) for \(packet.duration)")
    }
    if frameBytes > 0 {
      guard !packet.bytes.isEmpty, packet.bytes.count.isMultiple(of: frameBytes) else {
        throw SafelightError(
          .invalidValue, "A packet of \(packet.bytes.count) bytes is not whole samples of \(frameBytes) bytes"
        )
      }
    }
    return MP4Fragment.Sample(
      bytes: packet.bytes, decode: decode, presentation: packet.presentation - start,
      duration: frameBytes > 0 ? Int64(packet.bytes.count / frameBytes) : packet.duration, isKey: packet.isKey
    )
  }

  /// Whether what is here should be in the file before `next` comes to it.
  func needsFlush(before next: MP4Fragment.Sample) -> Bool {
    guard let since else { return false }
    if seconds(next.decode - since) >= MP4Writer.longestFragment { return true }
    // Where every packet is a key, as in ProRes, fragments need not begin at each.
    return next.isKey && !isAudio && samples.contains { !$0.isKey }
  }

  mutating func append(_ sample: MP4Fragment.Sample) {
    if let lastDecode {
      lastGap = sample.decode - lastDecode
      if !samples.isEmpty { samples[samples.count - 1].duration = lastGap }
    }
    since = since ?? sample.decode
    lastDecode = sample.decode
    samples.append(sample)
  }

  /// Removes and returns the packets whose duration is known.
  ///
  /// - Parameters:
  ///   - arriving: the decoding time of the track's next packet, which `append` has not seen yet; nil if
  ///     there is none.
  ///   - now: the time in seconds that the movie has reached; nil at its end, when all are complete.
  mutating func takeComplete(arriving: Int64?, now: Double?) -> [MP4Fragment.Sample] {
    since = nil
    guard let last = samples.last else { return [] }
    var taken = samples
    if let arriving {
      taken[taken.count - 1].duration = arriving - last.decode
    } else if let now {
      // The last picture lasts until the next one comes. It waits for that, unless that takes long.
      let age = now - seconds(last.decode)
      if isAudio && last.duration > 0 {
        // Sound says itself how long it lasts.
      } else if age >= MP4Writer.longestFragment {
        taken[taken.count - 1].duration = Int64((age * Double(timeScale)).rounded())
      } else {
        taken.removeLast()
        since = last.decode
        samples = [last]
        return taken
      }
    }
    samples = []
    return taken
  }

  /// Settles the duration of the last packet.
  ///
  /// - Parameter end: of the movie in 1/90000 s; nil if unknown.
  mutating func close(end: Int64?) {
    guard let last = samples.last else { return }
    if let end, !isAudio {
      let stop = MP4Time.rescale(end, from: EncodedVideoFormat.timeScale, to: timeScale)
      // Of reordered pictures the last one decoded need not be the last one shown.
      let shown = samples.map(\.presentation).max() ?? last.presentation
      if stop > shown { samples[samples.count - 1].duration = max(stop - shown, 1) }
    } else if last.duration == 0 {
      // A picture by itself lasts a thirtieth of a second.
      samples[samples.count - 1].duration = lastGap > 0 ? lastGap : timeScale / 30
    }
  }
}

extension MP4SampleTable {
  /// Adds the samples of a fragment, whose data begin at `offset`.
  mutating func add(_ samples: [MP4Fragment.Sample], at offset: Int64) {
    beginChunk(at: offset)
    for sample in samples {
      append(
        size: UInt32(sample.bytes.count), decode: sample.decode, presentation: sample.presentation,
        duration: sample.duration, isKey: sample.isKey)
    }
  }
}
