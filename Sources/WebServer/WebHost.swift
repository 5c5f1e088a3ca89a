import Libc

/// The host that a request is addressed to, as URLs and `Host` fields name it.
///
/// Source: RFC 9110, §4.2.1 and §7.2; RFC 3986, §3.2.2. Names are those of DNS (RFC 1123, §2.1, and the underscore),
/// without what URLs allow beyond them.
struct WebHost: Equatable, Sendable {
  enum Name: Equatable {
    case address(IPAddress)
    /// In lower case, without a trailing dot.
    case name(String)
  }

  var name: Name
  var port: UInt16?

  /// - Parameter text: such as `localhost`, `127.0.0.1:8080` or `[::1]:80`. The initializer returns nil for
  ///   anything else, such as user information, a space, or a port that is not a number.
  init?(_ text: some Sequence<UInt8>) {
    let text = Array(text)
    let hostEnd: Int
    if text.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]")),
        let address = IPAddress(v6: text[1..<bracket])
      else { return nil }
      name = .address(address)
      hostEnd = bracket + 1
    } else {
      hostEnd = text.firstIndex(of: UInt8(ascii: ":")) ?? text.count
      if let address = IPAddress(v4: text[..<hostEnd]) {
        name = .address(address)
      } else {
        guard let domain = Self.domain(text[..<hostEnd]) else { return nil }
        name = .name(domain)
      }
    }
    guard hostEnd < text.count else { return }
    let digits = text[(hostEnd + 1)...]
    guard text[hostEnd] == UInt8(ascii: ":"), (1...5).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt16(String(decoding: digits, as: UTF8.self))
    else { return nil }
    port = number
  }

  /// Whether this name or address refers to the local machine, whoever resolves it.
  var isLoopback: Bool {
    switch name {
    case .address(let address): address.isLoopback
    case .name(let name): name == "localhost"
    }
  }

  private static func domain(_ text: ArraySlice<UInt8>) -> String? {
    let text = text.last == UInt8(ascii: ".") ? text.dropLast() : text
    guard (1...253).contains(text.count) else { return nil }
    for label in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      let isSound = label.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
      guard isSound, (1...63).contains(label.count) else { return nil }
    }
    return String(decoding: text, as: UTF8.self).lowercased()
  }
}

/// An IPv4 or IPv6 address, without a port.
struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order. IPv4-mapped IPv6 addresses (::ffff:a.b.c.d) are converted to IPv4.
  let bytes: [UInt8]

  /// - Parameter text: an address of either kind, as inet_ntop(3) writes it.
  init?(_ text: String) {
    guard let address = IPAddress(v4: text.utf8) ?? IPAddress(v6: text.utf8) else { return nil }
    self = address
  }

  /// - Parameter text: four decimal numbers. Other notations, such as 127.1, 0x7f.0.0.1 or 0177.0.0.1, are
  ///   rejected: programs disagree on their meaning.
  init?(v4 text: some Sequence<UInt8>) { self.init(text, AF_INET, count: 4) }

  /// - Parameter text: an address without brackets and without a zone.
  init?(v6 text: some Sequence<UInt8>) { self.init(text, AF_INET6, count: 16) }

  private init?(_ text: some Sequence<UInt8>, _ family: Int32, count: Int) {
    // A text that ends early for C would not be the one that was judged.
    let text = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard !text.contains(0), inet_pton(family, text + [0], &bytes) == 1 else { return nil }
    let isWrapped = count == 16 && bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    self.bytes = isWrapped ? Array(bytes[12...]) : bytes
  }

  /// Whether only this machine can send from it or to it.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes[15] == 1 && bytes[..<15].allSatisfy { $0 == 0 }
  }

  /// The network of the address, by which clients of one household are counted together: with IPv6 each of its
  /// machines has 2⁶⁴ addresses to choose from. Link-local addresses are kept whole.
  var network: [UInt8] {
    let isLinkLocal = bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    return bytes.count == 4 || isLinkLocal ? bytes : Array(bytes[..<8])
  }
}
