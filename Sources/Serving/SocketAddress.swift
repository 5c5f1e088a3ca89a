import Libc

/// An IPv4 or IPv6 address, without a port.
struct SocketAddress: Hashable {
  /// 4 or 16 bytes in network order. IPv4-mapped IPv6 addresses (::ffff:a.b.c.d) are converted to IPv4.
  let bytes: [UInt8]

  /// - Parameter bytes: 4 or 16 bytes in network order.
  init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let isWrapped = bytes.count == 16 && bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    self.bytes = isWrapped ? Array(bytes[12...]) : bytes
  }

  /// - Parameter ipv4: four decimal numbers. Other notations, such as 127.1, 0x7f.0.0.1 or 0177.0.0.1, are
  ///   rejected: programs disagree on their meaning.
  init?(ipv4 text: some Collection<UInt8>) {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      guard part.allSatisfy({ (0x30...0x39).contains($0) }), part.count == 1 || part.first != 0x30 else {
        return nil
      }
      return UInt8(String(decoding: part, as: UTF8.self))
    }
    guard parts.count == 4, numbers.count == 4 else { return nil }
    bytes = numbers
  }

  /// - Parameter ipv6: an address without brackets and without a zone.
  init?(ipv6 text: some Collection<UInt8>) {
    let isPlain = text.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
    var address = in6_addr()
    guard isPlain, inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1 else {
      return nil
    }
    self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
  }

  /// Creates the address that the kernel filled in; nil for other families.
  init?(_ storage: sockaddr_storage) {
    let found: [UInt8]? = withUnsafeBytes(of: storage) { bytes in
      switch Int32(storage.ss_family) {
      case AF_INET: Array(bytes.load(as: sockaddr_in.self).sin_addr.bytes)
      case AF_INET6: Array(bytes.load(as: sockaddr_in6.self).sin6_addr.bytes)
      default: nil
      }
    }
    guard let found else { return nil }
    self.init(bytes: found)
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

extension in_addr {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
extension in6_addr {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
