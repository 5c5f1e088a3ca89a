import Libc

/// Which requests may see the stream.
///
/// A page on the web can let its own name lead to this machine (DNS rebinding), and the browser then takes what comes
/// from here for the page's own. Such a request bears the page's name. So only names pass that nobody else can give:
/// addresses, `localhost`, and, where the stream is open to the network, names that the public DNS does not have.
/// The port may be any: a browser sees another one where the stream is forwarded, as by `ssh -L`.
struct StreamAccess: Sendable {
  /// Whether the stream is for this machine only.
  let isLoopback: Bool
  /// What this machine calls itself, in lower case.
  let machineName: String

  init(isLoopback: Bool, machineName: String = Self.ownName ?? "") {
    self.isLoopback = isLoopback
    self.machineName = machineName.lowercased()
  }

  /// Names under these are resolved within a network only. Sources: RFC 6762, §3 and appendix G; RFC 8375.
  private static let privateDomains = [
    ".local", ".home.arpa", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
  ]

  /// Why the request is refused; nil where it may see the stream.
  func refusal(of request: HTTPRequest) -> String? {
    if let host = request.host, !allows(host) {
      return isLoopback
        ? "This stream is for this machine only; ask for it as 127.0.0.1 or localhost."
        : "This stream does not go by that name; ask for it by this machine's address"
          + (machineName.isEmpty ? "." : " or as \(machineName).")
    }
    return request.isForOtherSite ? "Pages of other sites may not show this stream." : nil
  }

  private func allows(_ host: HTTPHost) -> Bool {
    if host.isLoopback { return true }
    guard !isLoopback else { return false }
    switch host.name {
    case .address: return true
    case .name(let name):
      // A name of one word is the local network's.
      return name == machineName || !name.contains(".") || Self.privateDomains.contains { name.hasSuffix($0) }
    }
  }

  /// What this machine calls itself.
  static var ownName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
