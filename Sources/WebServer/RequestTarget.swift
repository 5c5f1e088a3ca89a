/// The target of a request: a path and a query, or an absolute URL as clients of proxies send it.
///
/// Source: RFC 9112, §3.2; RFC 3986, §2.1 and §3.3. What the standards let a server repair is refused: two programs
/// that repair differently see two different paths.
struct RequestTarget: Equatable {
  var path: [String]
  var query: [WebRequest.QueryItem]
  /// The host and port of an absolute URL, in lower case; nil for a path.
  var authority: [UInt8]?

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard rest.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { return nil }
    if rest.first != UInt8(ascii: "/") {
      let schemes = ["http://", "https://"].map { Array($0.utf8) }
      let lower = rest.prefix(8).map(WebFields.lowercased)
      guard let scheme = schemes.first(where: { lower.starts(with: $0) }) else { return nil }
      rest = rest.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      self.authority = authority.map(WebFields.lowercased)
      rest = rest.dropFirst(authority.count)
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    guard let parts = Self.parts(path), let items = Self.items(rest.dropFirst(path.count + 1)) else {
      return nil
    }
    (self.path, query) = (parts, items)
  }

  private static func parts(_ path: ArraySlice<UInt8>) -> [String]? {
    guard path.count > 1 else { return [] }
    var parts: [String] = []
    for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let text = decoded(part), text != ".", text != "..", !text.utf8.contains(where: isUnsafe) else {
        return nil
      }
      parts.append(text)
    }
    return parts
  }

  /// Whether a decoded byte can make a part of a path more than one name.
  private static func isUnsafe(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Source: WHATWG URL, application/x-www-form-urlencoded.
  private static func items(_ query: ArraySlice<UInt8>) -> [WebRequest.QueryItem]? {
    var items: [WebRequest.QueryItem] = []
    for part in query.split(separator: UInt8(ascii: "&")) {
      let spaced = part.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }[...]
      let name = spaced.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = decoded(name), let value = decoded(spaced.dropFirst(name.count + 1)),
        !value.utf8.contains(0), !decodedName.utf8.contains(0)
      else { return nil }
      items.append(.init(name: decodedName, value: value))
    }
    return items
  }

  /// Decodes `%XX`; nil if that is incomplete, or if the result is no valid UTF-8 (overlong forms are none).
  private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
