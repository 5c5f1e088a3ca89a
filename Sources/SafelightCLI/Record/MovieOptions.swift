import ArgumentParser
import Safelight

extension VideoCodec: ExpressibleByArgument {
  /// In any case; `h.264`, `avc` and `h265` too.
  public init?(argument: String) {
    switch argument.lowercased() {
    case "h.264", "avc", "x264": self = .h264
    case "h265", "h.265", "x265": self = .hevc
    default: self.init(rawValue: argument.lowercased())
    }
  }
}
extension AudioCodec: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
extension EncoderPreset: ExpressibleByArgument {}

/// How a movie is compressed and where it ends; for all commands that write movies.
struct MovieOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How pictures are compressed (default: h264; ffv1 only in .mkv, prores in .mov and .mkv)",
      valueName: "codec"))
  var codec: VideoCodec?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Quality of h264, hevc and av1: 0 is best, 51 smallest; 6 more halve the size", valueName: "number"),
    transform: MovieOptionText.quality)
  var crf: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bits per second instead of --crf, such as 8M", valueName: "rate"),
    transform: MovieOptionText.bitRate)
  var bitrate: Int?

  @Option(
    help: ArgumentHelp("Time that a software encoder may take (default: veryfast)", valueName: "preset"))
  var encoderPreset: EncoderPreset?

  @Option(
    help: ArgumentHelp(
      "software (default), hardware, auto, or an encoder of FFmpeg, such as h264_nvenc", valueName: "encoder"),
    completion: .list(["software", "hardware", "auto"]), transform: MovieOptionText.encoder)
  var encoder: EncoderChoice?

  @Option(
    help: ArgumentHelp(
      "How sound is compressed (default: aac; flac with ffv1, pcm with prores)", valueName: "codec"))
  var audioCodec: AudioCodec?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bits per second of aac and opus, such as 160k", valueName: "rate"),
    transform: MovieOptionText.bitRate)
  var audioBitrate: Int?

  mutating func validate() throws {
    if crf != nil, bitrate != nil {
      throw ValidationError("--crf and --bitrate exclude each other; give one of them.")
    }
    if codec == .prores || codec == .ffv1, crf != nil || bitrate != nil {
      throw ValidationError(
        "\(codec == .prores ? "ProRes" : "FFV1") takes neither --crf nor --bitrate; leave them out.")
    }
    if audioBitrate != nil {
      switch audioCodec ?? (codec == .ffv1 ? .flac : codec == .prores ? .pcm : .aac) {
      case .aac, .opus: break
      case .flac, .pcm:
        throw ValidationError(
          "--audio-bitrate has no effect on flac and pcm; give --audio-codec aac or opus.")
      }
    }
  }

  /// The given options of the pictures.
  private var givenForPictures: [String] {
    [
      ("--codec", codec != nil), ("--crf", crf != nil), ("--bitrate", bitrate != nil),
      ("--encoder-preset", encoderPreset != nil), ("--encoder", encoder != nil),
    ].filter(\.1).map(\.0)
  }

  /// The given options of the sound.
  var givenForSound: [String] {
    [("--audio-codec", audioCodec != nil), ("--audio-bitrate", audioBitrate != nil)].filter(\.1).map(\.0)
  }

  var givenNames: [String] { givenForPictures + givenForSound }

  /// - Throws: `SafelightError` if files of these names cannot hold the codecs.
  func check(_ names: MovieNames) throws { try settings.check(in: names.container) }

  /// How the movie is compressed.
  var settings: MovieSettings {
    var settings = MovieSettings()
    settings.videoCodec = codec ?? .h264
    settings.quality = crf.map { .constant($0) } ?? bitrate.map { .bitRate($0) }
    settings.preset = encoderPreset ?? .veryfast
    settings.encoder = encoder ?? .software
    settings.audioCodec = audioCodec
    settings.audioBitRate = audioBitrate
    return settings
  }
}

extension ValidationError {
  /// A problem that becomes known only with the source, with what to do.
  init(_ problem: String, remedy: String) { self.init("\(problem); \(remedy).") }
}

/// Parsers for options of movies.
enum MovieOptionText {
  static func quality(_ text: String) throws -> Double {
    guard let number = Double(text), (0...51).contains(number) else {
      throw ValidationError("a number of 0…51 is needed; 18 looks like the original, 28 is small.")
    }
    return number
  }

  /// `8M`, `160k`, `2500000`
  static func bitRate(_ text: String) throws -> Int {
    let scales: [Character: Double] = ["k": 1e3, "m": 1e6]
    let scale = text.lowercased().last.flatMap { scales[$0] }
    guard let number = Double(scale == nil ? text[...] : text.dropLast()), number.isFinite,
      (1000...1e9).contains(number * (scale ?? 1))
    else { throw ValidationError("bits per second are needed, 1k…1000M; write them like 8M or 160k.") }
    return Int(number * (scale ?? 1))
  }

  static func encoder(_ text: String) throws -> EncoderChoice {
    switch text.lowercased() {
    case "software": .software
    case "hardware": .hardware
    case "auto": .automatic
    case "": throw ValidationError("the name of an encoder is needed; give software, hardware or auto.")
    default: .named(text)
    }
  }

  /// In seconds: `90`, `60s`, `5m`, `1h`, `1h30m`.
  static func duration(_ text: String) throws -> Double {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    if text.hasSuffix("ms") {
      guard let number = Double(text.dropLast(2)), (100...3_600_000).contains(number) else {
        throw wrongDuration
      }
      return number / 1000
    }
    var (total, digits) = (0.0, "")
    for character in text {
      if let unit = units[character] {
        guard let number = Double(digits) else { throw wrongDuration }
        total += number * unit
        digits = ""
      } else {
        digits.append(character)
      }
    }
    if !digits.isEmpty {
      guard let number = Double(digits) else { throw wrongDuration }
      total += number
    }
    guard total.isFinite, (0.1...31_536_000).contains(total) else { throw wrongDuration }
    return total
  }

  private static var wrongDuration: ValidationError {
    ValidationError("a time of 0.1 s to a year is needed; write it like 90, 500ms, 60s, 5m or 1h30m.")
  }
}
