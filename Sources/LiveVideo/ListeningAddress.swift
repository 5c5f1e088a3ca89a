import FrameCore

/// An address to listen on, as written after `stream:` or `http:`: `8080`, `0.0.0.0:8080`, `[::1]:8080`.
package struct ListeningAddress: Sendable, Hashable {
  /// An address of this machine; 127.0.0.1 if none is written.
  package let host: String
  /// 0 picks a free port.
  package let port: UInt16

  /// - Parameters:
  ///   - text: host and port.
  ///   - scheme: what is written before them and a colon.
  ///   - subject: how errors begin, such as `The target`.
  /// - Throws: `SafelightError(.invalidValue)`.
  package init(_ text: String, scheme: String, subject: String) throws {
    var host = SinkSpecification.loopback
    var port = text
    if let colon = text.lastIndex(of: ":") {
      host = String(text[..<colon])
      port = String(text[text.index(after: colon)...])
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        throw SafelightError(
          .invalidValue,
          "\(subject) “\(scheme):\(text)” holds an IPv6 address that cannot be told from its port",
          remedy: "write \(scheme):[ADDRESS]:PORT")
      }
    }
    guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(port) else {
      throw SafelightError(
        .invalidValue, "The port of “\(scheme):\(text)” is not a number in 0…65535",
        remedy: "write \(scheme):8080, or \(scheme):0 for any free port")
    }
    guard !host.isEmpty else {
      throw SafelightError(
        .invalidValue, "\(subject) “\(scheme):\(text)” names no host before its port",
        remedy:
          "write \(scheme):\(number) for this machine only, or \(scheme):0.0.0.0:\(number) for the network")
    }
    self.host = host == "localhost" ? SinkSpecification.loopback : host
    self.port = number
  }
}
