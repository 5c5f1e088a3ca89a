/// Reads the text files of /proc/asound.
///
/// Names in them come from devices, such as a USB descriptor's, so nothing about their content is certain.
/// Source of the layouts: the kernel's sound/core/init.c (`snd_card_info_read`) and sound/core/pcm.c
/// (`snd_pcm_proc_info_read`, `snd_pcm_substream_proc_status_read`, `snd_pcm_substream_proc_hw_params_read`).
enum SoundProcText {
  /// A card in /proc/asound/cards.
  struct Card: Hashable {
    var index: Int
    /// At most 15 characters; unique at any time, but not for a device.
    var id: String
    var driver: String
    var name: String
    /// With the place where it is connected.
    var longName: String
  }

  /// The names are on two lines: ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`, and the long name
  /// indented.
  static func cards(_ text: String) -> [Card] {
    var cards: [Card] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if let card = card(line) {
        cards.append(card)
      } else if !cards.isEmpty, cards[cards.count - 1].longName.isEmpty {
        cards[cards.count - 1].longName = trimmed(line)
      }
    }
    return cards
  }

  private static func card(_ line: Substring) -> Card? {
    guard let open = line.firstIndex(of: "["), let index = Int(trimmed(line[..<open])), index >= 0,
      let close = line[open...].firstIndex(of: "]")
    else { return nil }
    let id = trimmed(line[line.index(after: open)..<close])
    let rest = line[line.index(after: close)...]
    guard !id.isEmpty, rest.first == ":" else { return nil }
    let names = trimmed(rest.dropFirst())
    // Drivers have no such dash in their names, and names may.
    guard let dash = separator(in: names) else {
      return Card(index: index, id: id, driver: "", name: names.isEmpty ? id : names, longName: "")
    }
    let name = trimmed(names[dash.end...])
    return Card(
      index: index, id: id, driver: trimmed(names[..<dash.start]), name: name.isEmpty ? id : name,
      longName: "")
  }

  private static func separator(in text: String) -> (start: String.Index, end: String.Index)? {
    var start = text.startIndex
    while let dash = text[start...].firstIndex(of: "-") {
      let end = text.index(after: dash)
      if dash > text.startIndex, text[text.index(before: dash)] == " ", end < text.endIndex, text[end] == " "
      {
        return (text.index(before: dash), text.index(after: end))
      }
      start = end
    }
    return nil
  }

  /// Returns the values of lines such as `key: value`, by key; the first one of each.
  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = trimmed(line[..<colon])
      if fields[key] == nil { fields[key] = trimmed(line[line.index(after: colon)...]) }
    }
    return fields
  }

  /// Returns the thread that opened a substream, from its `status`; nil if it is closed.
  static func owner(_ status: String) -> Int? {
    guard let text = fields(status)["owner_pid"], let number = Int(text), number > 0 else { return nil }
    return number
  }

  /// Returns the format that a substream runs in, from its `hw_params`; nil if it has none.
  static func use(_ parameters: String) -> AudioUse? {
    let fields = fields(parameters)
    // `48000 (48000/1)`
    guard let rate = fields["rate"]?.split(separator: " ").first.flatMap({ Int($0) }), rate > 0,
      let channels = fields["channels"].flatMap({ Int($0) }), channels > 0
    else { return nil }
    return AudioUse(sampleRate: rate, channelCount: channels, sampleFormat: fields["format"] ?? "")
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var part = Substring(text)
    while part.first?.isWhitespace == true { part.removeFirst() }
    while part.last?.isWhitespace == true { part.removeLast() }
    return String(part)
  }
}

/// The format in which a program uses a device now.
public struct AudioUse: Sendable, Hashable, Codable {
  /// In Hz.
  public var sampleRate: Int
  public var channelCount: Int
  /// ALSA's name, such as `S16_LE`.
  public var sampleFormat: String

  public init(sampleRate: Int, channelCount: Int, sampleFormat: String) {
    (self.sampleRate, self.channelCount, self.sampleFormat) = (sampleRate, channelCount, sampleFormat)
  }
}
