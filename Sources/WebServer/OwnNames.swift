import FrameCore
import NIOCore

/// The names and origins by which a server may be addressed.
///
/// A page on the web can make its own host name resolve to this machine (DNS rebinding), and the browser then takes
/// responses from here for the page's own. Such a request carries the page's name, so only names on an exact list are
/// answered. Names are compared as bytes in lower case; nothing is parsed that a client sends, so nothing can fail.
struct OwnNames: Sendable {
  private var hosts: Set<[UInt8]> = []
  private let port: Int
  /// The scheme and authority of the TLS proxy, in lower case.
  private let publicOrigin: [UInt8]?

  /// - Parameters:
  ///   - address: that the server listens on.
  ///   - port: that it listens on.
  /// - Throws: `SafelightError(.invalidValue)` if the public origin or a name is malformed.
  init(_ settings: WebServerSettings, address: String, port: Int) throws {
    self.port = port
    publicOrigin = try settings.publicOrigin.map { try Self.parse(origin: $0) }
    for name in ["localhost", "127.0.0.1", "[::1]"] { hosts.formUnion(Self.forms(name, port)) }
    // An address for everything is none to connect to: browsers let pages of other sites ask for 0.0.0.0.
    if !Self.isWildcard(address) { hosts.formUnion(Self.forms(Self.written(address), port)) }
    for host in settings.extraHosts {
      guard Self.isHost(host) else {
        throw SafelightError(
          .invalidValue, "“\(NearestName.shortened(host))” is no name of a server",
          remedy: "write a name and a port, such as booth.local:8080")
      }
      hosts.insert(Self.lowercased(host))
    }
    if let publicOrigin, let start = publicOrigin.firstIndex(of: UInt8(ascii: "/")) {
      let host = String(decoding: publicOrigin[(start + 2)...], as: UTF8.self)
      let isTLS = publicOrigin.starts(with: "https".utf8)
      hosts.insert(Array(host.utf8))
      // Browsers leave out the scheme's own port; proxies may state it.
      if !Self.hasPort(host) {
        hosts.insert(Array("\(host):\(isTLS ? 443 : 80)".utf8))
      }
    }
  }

  /// Whether a `Host` field names this server.
  ///
  /// - Parameter address: the address of this machine that the client has connected to. It is a sound name wherever
  ///   the server listens on all addresses, as nobody else can assign it.
  func allows(host: String, connectedTo address: String?) -> Bool {
    let host = Self.lowercased(host)
    if hosts.contains(host) { return true }
    guard let address, !Self.isWildcard(address) else { return false }
    return Self.forms(Self.written(address), port).contains(host)
  }

  /// Whether an `Origin` field is this server's own, given the `Host` field of the same request.
  func allows(origin: String, host: String) -> Bool {
    let origin = Self.lowercased(origin)
    return origin == Array("http://".utf8) + Self.lowercased(host) || origin == publicOrigin
  }

  /// Whether a `Host` field has the form `name`, `name:port`, `address:port` or `[address]:port`.
  static func isHost(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...300).contains(bytes.count) else { return false }
    return bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || ".-_:[]".utf8.contains(byte)
    }
  }

  static func isWildcard(_ address: String) -> Bool { address == "0.0.0.0" || address == "::" }

  /// An address as URLs write it.
  static func written(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }

  private static func forms(_ name: String, _ port: Int) -> Set<[UInt8]> {
    let name = lowercased(name)
    let full = name + Array(":\(port)".utf8)
    return port == 80 ? [full, name] : [full]
  }

  private static func lowercased(_ text: String) -> [UInt8] { text.utf8.map(WebFields.lowercased) }

  private static func hasPort(_ host: String) -> Bool {
    let end = host.utf8.lastIndex(of: UInt8(ascii: "]")) ?? host.startIndex
    return host.utf8[end...].contains(UInt8(ascii: ":"))
  }

  private static func parse(origin: String) throws -> [UInt8] {
    let bytes = lowercased(origin)
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where bytes.starts(with: scheme.utf8) {
      var host = String(decoding: bytes.dropFirst(scheme.utf8.count), as: UTF8.self)
      guard isHost(host) else { break }
      // As browsers write it.
      if host.hasSuffix(port), hasPort(host) { host.removeLast(port.count) }
      return Array((scheme + host).utf8)
    }
    throw SafelightError(
      .invalidValue, "“\(NearestName.shortened(origin))” is no origin of a site",
      remedy: "write scheme and name without a path, such as https://photos.example")
  }
}
