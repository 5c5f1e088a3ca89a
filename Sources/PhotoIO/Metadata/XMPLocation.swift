/// The properties of an XMP packet that reveal a place, under whatever prefixes the packet declares.
///
/// Sources: XMP specification part 2 (photoshop, exif); IPTC Photo Metadata Standard 2023.1 (Iptc4xmpCore,
/// Iptc4xmpExt); Dublin Core (coverage). Drones and other cameras use their own GPS properties: every property
/// whose local name begins with `gps` counts, in any namespace.
struct XMPLocation {
  /// Namespaces with their usual prefix and the local names of their properties that reveal a place.
  private static let namespaces: [(uri: String, prefix: String, names: Set<String>)] = [
    ("http://ns.adobe.com/photoshop/1.0/", "photoshop", ["City", "State", "Country"]),
    (
      "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", "Iptc4xmpCore",
      // The creator's address has other names (CiAdrCity …) and is kept.
      ["Location", "CountryCode"]
    ),
    (
      "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "Iptc4xmpExt",
      [
        "LocationCreated", "LocationShown", "City", "CountryCode", "CountryName", "ProvinceState",
        "Sublocation",
        "WorldRegion", "LocationId", "LocationName",
      ]
    ),
    ("http://purl.org/dc/elements/1.1/", "dc", ["coverage"]),
  ]

  /// Local names by prefix; the empty prefix is for elements in a default namespace.
  private var names: [String: Set<String>] = [:]
  private let isText: Bool

  init(in packet: XMPPacket) {
    // Packets are UTF-8; in another encoding the search would find nothing.
    isText = !packet.bytes.contains(0) && String(validating: packet.bytes, as: UTF8.self) != nil
    for (_, prefix, names) in Self.namespaces { self.names[prefix] = names }
    for (prefix, uri) in packet.namespaces {
      // A prefix may denote two namespaces in one packet; here it then denotes both.
      for known in Self.namespaces where known.uri == uri {
        names[prefix, default: []].formUnion(known.names)
      }
    }
  }

  /// - Returns: false if the packet cannot be searched, or if an element in it has no end.
  func remove(from packet: inout XMPPacket) -> Bool {
    guard isText else { return false }
    // Text around a removed property may itself form a property, so repeat.
    for _ in 0..<4 {
      let length = packet.bytes.count
      guard packet.removeProperties(named: tellsPlace) else { return false }
      if packet.bytes.count == length { return true }
    }
    return false
  }

  private func tellsPlace(_ word: ArraySlice<UInt8>) -> Bool {
    let halves = String(decoding: word, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    // Elements in a default namespace have no prefix.
    let prefix = halves.count == 2 ? String(halves[0]) : ""
    let name = halves.last.map(String.init) ?? ""
    return name.lowercased().hasPrefix("gps") || names[prefix]?.contains(name) ?? false
  }
}

extension XMPPacket {
  /// The namespaces that the packet declares, with their prefixes; an empty prefix is the default namespace.
  var namespaces: [(prefix: String, uri: String)] {
    var found: [(prefix: String, uri: String)] = []
    for attribute in attributes(beginningWith: "xmlns") {
      if attribute.name == "xmlns" {
        found.append(("", attribute.value))
      } else if attribute.name.hasPrefix("xmlns:") {
        found.append((String(attribute.name.dropFirst(6)), attribute.value))
      }
    }
    return found
  }
}
