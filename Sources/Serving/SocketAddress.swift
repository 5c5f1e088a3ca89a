import Libc

/// An address of IPv4 or IPv6, without a port.
struct SocketAddress: Hashable {
  /// 4 or 16, in network order. IPv4 addresses that IPv6 sockets wrap (::ffff:a.b.c.d) are unwrapped.
  let bytes: [UInt8]

  /// - Parameter bytes: 4 or 16 of them.
  init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let isWrapped = bytes.count == 16 && bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    self.bytes = isWrapped ? Array(bytes[12...]) : bytes
  }

  /// - Parameter ipv4: four numbers in decimal. Other notations, such as 127.1, 0x7f.0.0.1 or 0177.0.0.1, are none:
  ///   programs disagree on what they mean.
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

  /// - Parameter ipv6: without brackets and without a zone.
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

  /// What the kernel fills in; nil for other families.
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

  /// Whether only this machine can send from it and to it.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes[15] == 1 && bytes[..<15].allSatisfy { $0 == 0 }
  }

  /// What one household counts as: with IPv6 each of its machines has 2⁶⁴ addresses to choose from. Addresses that
  /// reach no further than the own link stay whole.
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
