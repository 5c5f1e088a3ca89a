import Libc

/// The names by which everybody may use a server that asks for no token.
///
/// A page on the web can make its own host name resolve to this machine (DNS rebinding), and the browser then
/// treats responses from here as the page's own. Such a request carries the page's host name. Therefore only names
/// are allowed that nobody else can assign: addresses, `localhost`, and, if the server is open to the network,
/// names that do not exist in the public DNS. Any port is allowed: a browser sees another one if the server is
/// forwarded, as by `ssh -L`.
struct LocalNames: Sendable {
  /// Whether the server is available on this machine only.
  let isLoopback: Bool
  /// The host name of this machine, in lower case.
  let machineName: String
  /// What is served, for messages.
  let subject: String

  init(isLoopback: Bool, machineName: String = WebServer.machineName ?? "", subject: String) {
    (self.isLoopback, self.machineName, self.subject) = (isLoopback, machineName.lowercased(), subject)
  }

  /// Names in these domains are resolved only within a network. Sources: RFC 6762, §3 and appendix G; RFC 8375.
  private static let privateDomains = [
    ".local", ".home.arpa", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
  ]

  /// Returns why the request is refused; nil if it may go on.
  ///
  /// - Parameter host: that it is addressed to; nil if it does not say, as programs of HTTP/1.0 need not.
  func refusal(of host: WebHost?, _ fields: WebFields) -> String? {
    if let host, !allows(host) {
      return isLoopback
        ? "This \(subject) is for this machine only; open it as 127.0.0.1 or localhost."
        : "This \(subject) is not known by that name; open it by this machine's address"
          + (machineName.isEmpty ? "." : " or as \(machineName).")
    }
    return Self.isForOtherSite(fields, than: host)
      ? "Pages of other sites may not show this \(subject)." : nil
  }

  private func allows(_ host: WebHost) -> Bool {
    if host.isLoopback { return true }
    guard !isLoopback else { return false }
    switch host.name {
    case .address: return true
    case .name(let name):
      // A name without a dot belongs to the local network.
      return name == machineName || !name.contains(".") || Self.privateDomains.contains { name.hasSuffix($0) }
    }
  }

  /// Whether the browser states that a page of another site made the request, rather than a user who opened the
  /// address. Sources: W3C, “Fetch Metadata Request Headers”; RFC 6454, §7 (`Origin`).
  private static func isForOtherSite(_ fields: WebFields, than host: WebHost?) -> Bool {
    // A user who follows a link from another site opens the address himself.
    let isVisit =
      fields.all("Sec-Fetch-Mode") == ["navigate"] && fields.all("Sec-Fetch-Dest") == ["document"]
    if !isVisit, fields.all("Sec-Fetch-Site").contains("cross-site") { return true }
    return !fields.all("Origin").allSatisfy { origin in
      WebOrigin.host(of: origin).map { $0.name == host?.name } ?? false
    }
  }
}

/// The origin of a page, as the `Origin` field states it. Source: RFC 6454, §6 and §7.
enum WebOrigin {
  /// The host of a page; nil if its origin is opaque, or no origin.
  static func host(of text: String) -> WebHost? {
    guard let slashes = text.utf8.firstRange(of: "://".utf8) else { return nil }
    return WebHost(text.utf8[slashes.upperBound...])
  }
}

extension WebRequest {
  /// Whether the request states no origin, or that of the host and the port that it is addressed to.
  public var isFromOwnOrigin: Bool {
    fields.all("Origin").allSatisfy { WebOrigin.host(of: $0).map { $0 == host } ?? false }
  }
}

extension WebServer {
  /// The host name of this machine.
  public static var machineName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
