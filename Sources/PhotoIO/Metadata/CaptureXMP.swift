/// The facts of a photo that EXIF has no fields for, as an XMP packet.
///
/// - A burst is `GCamera:BurstID` and `GCamera:BurstPrimary` in Google's namespace of camera metadata, as
///   Google's camera app writes it and ExifTool reads it (its tags XMP-GCamera). Apple's counterpart is a field
///   of Apple's own maker note, which only Apple's cameras may write.
/// - The colour temperature is a property in a namespace of Safelight's own. Adobe's property of that name is
///   a setting for developing the photo and would be applied to it once more.
enum CaptureXMP {
  private static let googleCamera = "http://ns.google.com/photos/1.0/camera/"
  private static let safelight = "urn:uuid:3f0e8b52-6c1d-4a57-9d0b-b2a1c7f3e6d4#"

  private static let burstID = "GCamera:BurstID"
  private static let burstPrimary = "GCamera:BurstPrimary"
  private static let colorTemperature = "safelight:ColorTemperature"

  /// Returns the packet; nil if there is nothing to say.
  ///
  /// - Parameter isWrapped: whether it stands between processing instructions, by which it is found in any
  ///   file. libvips does not recognize it so in HEIC and AVIF.
  static func packet(_ facts: CaptureFacts, isWrapped: Bool = true) -> [UInt8]? {
    var attributes: [(name: String, value: String)] = []
    if let burst = facts.burst {
      attributes.append(("xmlns:GCamera", googleCamera))
      attributes.append((burstID, burst.id))
      attributes.append((burstPrimary, burst.isPrimary ? "1" : "0"))
    }
    if let kelvins = facts.colorTemperature, kelvins.isFinite {
      attributes.append(("xmlns:safelight", safelight))
      attributes.append((colorTemperature, "\((kelvins * 10).rounded() / 10)"))
    }
    guard !attributes.isEmpty else { return nil }
    let text = attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
    let packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
      + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
      + "<rdf:Description rdf:about=\"\"\(text)/></rdf:RDF></x:xmpmeta>"
    guard isWrapped else { return Array(packet.utf8) }
    // The standard's text: XMP specification part 1, section 7.3.2.
    let begin = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
    return Array((begin + packet + "<?xpacket end=\"r\"?>").utf8)
  }

  /// Adds what a packet says to `facts`.
  static func read(_ packet: [UInt8], into facts: inout CaptureFacts) {
    let packet = XMPPacket(packet)
    if let id = packet.attributes(beginningWith: burstID).first(where: { $0.name == burstID })?.value {
      let primary = packet.number(burstPrimary)
      facts.burst = CaptureFacts.Burst(id: unescaped(id), isPrimary: primary == 1)
    }
    if let kelvins = packet.number(colorTemperature), kelvins > 0 { facts.colorTemperature = kelvins }
  }

  private static let entities: [(Character, String)] = [
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&apos;"),
  ]

  private static func escaped(_ text: String) -> String {
    text.map { character in
      // XML has no control characters.
      if character.asciiValue.map({ $0 < 0x20 }) ?? false { return " " }
      return entities.first { $0.0 == character }?.1 ?? String(character)
    }.joined()
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.first {
      if let entity = entities.first(where: { rest.hasPrefix($0.1) }) {
        result.append(entity.0)
        rest = rest.dropFirst(entity.1.count)
      } else {
        result.append(character)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
