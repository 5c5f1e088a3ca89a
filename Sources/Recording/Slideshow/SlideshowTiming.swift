import FrameCore

/// Where a slideshow changes from one picture to the next.
public enum SlideshowCuts: Sendable, Hashable {
  /// At the marks of the voice if it has any, otherwise in equal parts; without a voice, each picture for the
  /// same time.
  case automatic
  /// At these seconds from the start, one fewer than pictures.
  case times([Double])
  /// At the voice's marks: the chapters of a recording, the cue points of a WAV file.
  case marks
  /// In the middle of the longest pauses of the voice.
  case pauses
  /// The voice in equal parts.
  case equal
}

/// What the cuts of a slideshow need to know of its voice.
public struct VoiceFacts: Sendable, Hashable {
  /// The file, for messages.
  public var name: String
  /// In seconds.
  public var duration: Double
  /// In seconds from the start, in ascending order.
  public var marks: [Double]
  /// Where nobody speaks, in seconds, in ascending order; without the silence at the start and the end.
  public var pauses: [ClosedRange<Double>]

  public init(
    name: String, duration: Double, marks: [Double] = [], pauses: [ClosedRange<Double>] = []
  ) {
    (self.name, self.duration, self.marks, self.pauses) = (name, duration, marks, pauses)
  }
}

/// When each picture of a slideshow is shown.
public struct SlideshowTiming: Sendable, Hashable {
  /// What decided the cuts.
  public enum Basis: String, Sendable, Hashable, Codable {
    case times, marks, pauses, equal
    /// Each picture for the same given time.
    case seconds
  }

  /// In seconds from the start, ascending; one fewer than pictures.
  public let cuts: [Double]
  /// In seconds.
  public let duration: Double
  public let basis: Basis
  /// What is worth telling, one sentence each without its full stop.
  public let notes: [String]

  /// How long a picture is shown where nothing else says so, in seconds.
  public static let usualSeconds = 4.0

  /// - Parameters:
  ///   - pictures: how many there are, at least 1.
  ///   - seconds: how long each picture is shown if `cuts` is `automatic`; otherwise how long the last one is,
  ///     where the voice ends before its cut. Nil is `usualSeconds`, or what the voice says.
  ///   - voice: nil for a movie without sound.
  /// - Throws: `SafelightError(.invalidValue)` if cuts and pictures do not fit each other.
  public init(
    pictures: Int, cuts: SlideshowCuts = .automatic, seconds: Double? = nil, voice: VoiceFacts? = nil
  ) throws {
    guard pictures > 0 else {
      throw SafelightError(.invalidValue, "There are no pictures", remedy: "name at least one")
    }
    let each = seconds ?? Self.usualSeconds
    guard each.isFinite, each > 0 else {
      throw SafelightError(
        .invalidValue, "A picture cannot be shown for \(PlainNumber.text(each)) s",
        remedy: "give a time above 0")
    }
    (basis, self.cuts) = try Self.decide(pictures, cuts, seconds, voice)
    try Self.check(self.cuts)
    // With a time for each picture, the last one has it too, however long the voice is.
    let last = (self.cuts.last ?? 0) + each
    guard let voice else {
      (duration, notes) = (last, [])
      return
    }
    (duration, notes) = try Self.end(
      cuts: self.cuts, last: last, seconds: seconds, basis: basis, voice)
  }

  /// The seconds at which a picture begins, and at which it ends.
  public func span(of picture: Int) -> ClosedRange<Double> {
    let begin = picture > 0 ? cuts[picture - 1] : 0
    return begin...max(begin, picture < cuts.count ? cuts[picture] : duration)
  }

  // MARK: Decisions

  private static func decide(
    _ pictures: Int, _ cuts: SlideshowCuts, _ seconds: Double?, _ voice: VoiceFacts?
  ) throws -> (Basis, [Double]) {
    switch cuts {
    case .automatic:
      guard let voice, seconds == nil else {
        let each = seconds ?? usualSeconds
        return (.seconds, (1..<max(pictures, 1)).map { Double($0) * each })
      }
      return inner(voice.marks, voice).isEmpty
        ? (.equal, equalParts(pictures, voice)) : (.marks, try marks(pictures, voice))
    case .times(let times):
      guard times.count == pictures - 1 else {
        throw SafelightError(
          .invalidValue,
          "\(count(times.count, "cut")) would make \(count(times.count + 1, "part")), but there "
            + "\(pictures == 1 ? "is 1 picture" : "are \(pictures) pictures")",
          remedy: "give one cut fewer than pictures")
      }
      return (.times, times)
    case .marks: return (.marks, try marks(pictures, needed(voice, "marks")))
    case .pauses: return (.pauses, try pauses(pictures, needed(voice, "pauses")))
    case .equal: return (.equal, equalParts(pictures, try needed(voice, "equal parts")))
    }
  }

  private static func needed(_ voice: VoiceFacts?, _ what: String) throws -> VoiceFacts {
    guard let voice else {
      throw SafelightError(
        .invalidValue, "Without a voice there is nothing to cut at \(what)",
        remedy: "name a file with sound, or give times")
    }
    return voice
  }

  private static func equalParts(_ pictures: Int, _ voice: VoiceFacts) -> [Double] {
    (1..<max(pictures, 1)).map { voice.duration * Double($0) / Double(pictures) }
  }

  /// The marks at which something can change: recorders often put one at the start.
  private static func inner(_ marks: [Double], _ voice: VoiceFacts) -> [Double] {
    marks.filter { $0 > 0.001 && $0 < voice.duration }
  }

  private static func marks(_ pictures: Int, _ voice: VoiceFacts) throws -> [Double] {
    let marks = inner(voice.marks, voice)
    guard marks.count == pictures - 1 else {
      throw SafelightError(
        .invalidValue,
        "\(voice.name) has \(count(marks.count, "mark")) within it, which makes "
          + "\(count(marks.count + 1, "part")), but there "
          + "\(pictures == 1 ? "is 1 picture" : "are \(pictures) pictures")",
        remedy: "give \(count(marks.count + 1, "picture")), or cut at times, at pauses or in equal parts")
    }
    return marks
  }

  private static func pauses(_ pictures: Int, _ voice: VoiceFacts) throws -> [Double] {
    guard voice.pauses.count >= pictures - 1 else {
      throw SafelightError(
        .invalidValue,
        "\(voice.name) has \(count(voice.pauses.count, "pause")) of at least "
          + "\(PlainNumber.text(VoicePauses.shortest)) s, but \(pictures) pictures need \(pictures - 1)",
        remedy: "give fewer pictures, or cut at times or in equal parts")
    }
    func length(_ pause: ClosedRange<Double>) -> Double { pause.upperBound - pause.lowerBound }
    // Of pauses of the same length, the earlier ones.
    let longest = voice.pauses.enumerated().sorted {
      (length($1.element), $0.offset) < (length($0.element), $1.offset)
    }
    return longest.prefix(pictures - 1).map { ($0.element.lowerBound + $0.element.upperBound) / 2 }.sorted()
  }

  private static func check(_ cuts: [Double]) throws {
    var before = 0.0
    for cut in cuts {
      guard cut.isFinite, cut > before else {
        throw SafelightError(
          .invalidValue,
          "The cut at \(PlainNumber.text(cut)) s is not after "
            + (before == 0 ? "the start" : "the one at \(PlainNumber.text(before)) s"),
          remedy: "give times that increase")
      }
      before = cut
    }
  }

  // MARK: The end

  private static func end(
    cuts: [Double], last: Double, seconds: Double?, basis: Basis, _ voice: VoiceFacts
  ) throws -> (duration: Double, notes: [String]) {
    let spoken = PlainNumber.fixed(voice.duration, 1)
    switch basis {
    case .marks, .pauses, .equal: return (voice.duration, [])
    case .seconds:
      if voice.duration > last + 0.05 {
        return (
          voice.duration,
          [
            "The pictures end at \(PlainNumber.fixed(last, 1)) s and \(voice.name) at \(spoken) s, so the "
              + "last picture stays until then"
          ]
        )
      }
      guard last > voice.duration + 0.05 else { return (max(last, voice.duration), []) }
      return (
        last, ["\(voice.name) ends at \(spoken) s, and the pictures go on to \(PlainNumber.fixed(last, 1)) s"]
      )
    case .times:
      guard let cut = cuts.last, voice.duration <= cut else { return (voice.duration, []) }
      let before = "\(voice.name) ends at \(spoken) s, before the last cut at \(PlainNumber.fixed(cut, 1)) s"
      // A slip, unless it is said how long the last picture stays.
      guard let seconds else {
        throw SafelightError(
          .invalidValue, before,
          remedy: "give times within it, or --seconds-per-picture for the last picture")
      }
      return (cut + seconds, [before + ", so the pictures after it are silent"])
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
