/// The parts of an HTTP/1 request that this server uses.
struct HTTPRequest: Equatable {
  /// The maximum length of the head, in bytes; a longer one is rejected.
  static let maximumBytes = 8192

  var method: String
  /// The path without the query.
  var path: String
  /// What follows the question mark; empty if there is none.
  var query = ""
  /// The requested host; nil only if an HTTP/1.0 client does not state it.
  var host: HTTPHost?
  /// Whether the browser states that a page of another site made the request, rather than a user who opened the
  /// address.
  var isForOtherSite = false
  /// Whether the browser states no page, or one of the same host and port.
  var isFromOwnOrigin = true
  /// Whether it has the header that pages of other origins cannot send.
  var hasOwnHeader = false

  enum Parsing: Equatable {
    case incomplete
    case malformed
    case complete(HTTPRequest)
  }

  /// Parses a request. Source: RFC 9112, §2…§5. Lines may end in a bare line feed, as §2.2 allows. Everything else
  /// that the standard lets a server repair (folded lines, spaces before colons, lone carriage returns) is
  /// rejected: two programs that repair differently see two different requests.
  static func parse(_ bytes: [UInt8]) -> Parsing {
    guard let end = headEnd(bytes) else { return .incomplete }
    // The last line is empty.
    let lines = bytes[..<end].split(separator: 10, omittingEmptySubsequences: false).dropLast().map {
      $0.last == 13 ? $0.dropLast() : $0
    }
    guard let request = HTTPRequest(lines) else { return .malformed }
    return .complete(request)
  }

  private init?(_ lines: [ArraySlice<UInt8>]) {
    guard let first = lines.first else { return nil }
    let words = first.split(separator: 32, omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]), words[2].count == 8,
      words[2].starts(with: "HTTP/1.".utf8),
      let minor = words[2].last, (0x30...0x39).contains(minor), let target = Target(words[1])
    else { return nil }
    method = String(decoding: words[0], as: UTF8.self)
    (path, query) = (target.path, target.query)
    var fields = Fields()
    for line in lines.dropFirst() { guard fields.take(line) else { return nil } }
    // RFC 9112, §3.2: exactly one valid `Host`; the host of an absolute URL takes precedence.
    guard fields.hosts.count <= 1, !fields.hosts.isEmpty || minor == 0x30 else { return nil }
    if let text = fields.hosts.first {
      guard let named = HTTPHost(text) else { return nil }
      host = named
    }
    host = target.host ?? host
    isForOtherSite = fields.isForOtherSite(than: host)
    isFromOwnOrigin = fields.isFromOrigin(of: host)
    hasOwnHeader = fields.hasOwnHeader
  }

  init(method: String, path: String, query: String = "", host: HTTPHost?, isForOtherSite: Bool = false) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.host, self.isForOtherSite) = (host, isForOtherSite)
  }

  /// Returns the index of the line feed of the empty line.
  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    for index in bytes.indices where bytes[index] == 10 {
      if index >= 1, bytes[index - 1] == 10 { return index }
      if index >= 2, bytes[index - 1] == 13, bytes[index - 2] == 10 { return index }
    }
    return nil
  }

  /// Whether the text is a token (RFC 9110, §5.6.2).
  fileprivate static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}

/// The target of a request: a path (`/stream.mjpg?x`), or an absolute URL as clients of proxies send it.
private struct Target {
  var path: String
  var query: String
  var host: HTTPHost?

  init?(_ text: ArraySlice<UInt8>) {
    guard text.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { return nil }
    var rest = text
    if rest.first != UInt8(ascii: "/") {
      let scheme = "http://"
      guard String(decoding: rest.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else {
        return nil
      }
      rest = rest.dropFirst(scheme.utf8.count)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      guard let host = HTTPHost(authority) else { return nil }
      self.host = host
      rest = rest.dropFirst(authority.count)
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    self.path = path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    query = String(decoding: rest.dropFirst(path.count + 1), as: UTF8.self)
  }
}

/// The header fields used here.
private struct Fields {
  var hosts: [ArraySlice<UInt8>] = []
  private(set) var hasOwnHeader = false
  private var origin: String?
  /// The fetch metadata that browsers send: the site of the page, and how and for what it requests.
  private var fetch: (site: String, mode: String, destination: String) = ("", "", "")

  /// Reads a field; returns false if the line is not a field.
  mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPRequest.isToken(line[..<colon]) else {
      return false
    }
    var value = line[(colon + 1)...]
    func isBlank(_ byte: UInt8?) -> Bool { byte == 32 || byte == 9 }
    while isBlank(value.first) { value.removeFirst() }
    while isBlank(value.last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else { return false }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "host": hosts.append(value)
    case "origin": origin = text
    case ShutterAnswers.header.lowercased(): hasOwnHeader = true
    case "sec-fetch-site": fetch.site = text
    case "sec-fetch-mode": fetch.mode = text
    case "sec-fetch-dest": fetch.destination = text
    default: break
    }
    return true
  }

  /// Sources: W3C, “Fetch Metadata Request Headers”; RFC 6454, §7 (`Origin`).
  func isForOtherSite(than host: HTTPHost?) -> Bool {
    // A user who follows a link from another site opens the address himself.
    if fetch.site == "cross-site", fetch.mode != "navigate" || fetch.destination != "document" { return true }
    guard origin != nil else { return false }
    return originHost?.name != host?.name || originHost == nil
  }

  /// Whether no origin is stated, or one of this host and port. Source: RFC 6454, §5.
  func isFromOrigin(of host: HTTPHost?) -> Bool {
    origin == nil || originHost != nil && originHost == host
  }

  /// The host of the page that made the request; nil if its origin is opaque.
  private var originHost: HTTPHost? {
    guard let origin, let slashes = origin.firstRange(of: "://") else { return nil }
    return HTTPHost(Array(origin[slashes.upperBound...].utf8))
  }
}
