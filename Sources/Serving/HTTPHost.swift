/// The host that a request is addressed to, as URLs and `Host` headers name it.
///
/// Source: RFC 9110, §4.2.1 and §7.2; RFC 3986, §3.2.2. Names are those of DNS (RFC 1123, §2.1, and the underscore),
/// without what URLs allow beyond them.
struct HTTPHost: Equatable {
  enum Name: Equatable {
    case address(SocketAddress)
    /// In lower case, without a trailing dot.
    case name(String)
  }

  var name: Name
  var port: UInt16?

  /// - Parameter text: such as `localhost`, `127.0.0.1:8080` or `[::1]:80`. The initializer returns nil for
  ///   anything else, such as user information, a space, or a port that is not a number.
  init?(_ text: some BidirectionalCollection<UInt8>) {
    let text = Array(text)
    let hostEnd: Int
    if text.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]")),
        let address = SocketAddress(ipv6: text[1..<bracket])
      else { return nil }
      name = .address(address)
      hostEnd = bracket + 1
    } else {
      hostEnd = text.firstIndex(of: UInt8(ascii: ":")) ?? text.count
      if let address = SocketAddress(ipv4: text[..<hostEnd]) {
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
