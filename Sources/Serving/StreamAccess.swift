import Libc

/// Decides which requests may see the stream.
///
/// A page on the web can make its own host name resolve to this machine (DNS rebinding), and the browser then
/// treats responses from here as the page's own. Such a request carries the page's host name. Therefore only names
/// are allowed that nobody else can assign: addresses, `localhost`, and, if the stream is open to the network,
/// names that do not exist in the public DNS. Any port is allowed: a browser sees another one if the stream is
/// forwarded, as by `ssh -L`.
struct StreamAccess: Sendable {
  /// Whether the stream is available on this machine only.
  let isLoopback: Bool
  /// The host name of this machine, in lower case.
  let machineName: String
  /// What is served, for messages.
  var subject = "stream"

  init(isLoopback: Bool, machineName: String = Self.ownName ?? "") {
    self.isLoopback = isLoopback
    self.machineName = machineName.lowercased()
  }

  /// Names in these domains are resolved only within a network. Sources: RFC 6762, §3 and appendix G; RFC 8375.
  private static let privateDomains = [
    ".local", ".home.arpa", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
  ]

  /// Returns why the request is refused; nil if it may see the stream.
  func refusal(of request: HTTPRequest) -> String? {
    if let host = request.host, !allows(host) {
      return isLoopback
        ? "This \(subject) is for this machine only; open it as 127.0.0.1 or localhost."
        : "This \(subject) is not known by that name; open it by this machine's address"
          + (machineName.isEmpty ? "." : " or as \(machineName).")
    }
    return request.isForOtherSite ? "Pages of other sites may not show this \(subject)." : nil
  }

  private func allows(_ host: HTTPHost) -> Bool {
    if host.isLoopback { return true }
    guard !isLoopback else { return false }
    switch host.name {
    case .address: return true
    case .name(let name):
      // A name without a dot belongs to the local network.
      return name == machineName || !name.contains(".") || Self.privateDomains.contains { name.hasSuffix($0) }
    }
  }

  /// The host name of this machine.
  static var ownName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
