import WebServer

/// Where a page is, and who can open it.
struct ServedAddress: Sendable, CustomStringConvertible {
  /// As on the command line.
  let host: String
  let port: UInt16
  /// Whether only this machine can connect.
  let isLoopback: Bool

  /// `http://127.0.0.1:8080/, for this machine only`.
  var description: String {
    let written = host.contains(":") ? "[\(host)]" : host
    if isLoopback { return "http://\(written):\(port)/, for this machine only" }
    // 0.0.0.0 is not an address to connect to.
    let isEvery = host == "0.0.0.0" || host == "::"
    return "http://\(isEvery ? WebServer.machineName ?? "0.0.0.0" : written):\(port)/, open to the network"
  }
}

extension WebServer {
  /// Takes the port.
  ///
  /// - Parameter host: as given to the settings.
  func take(_ host: String) throws -> ServedAddress {
    let bound = try bind()
    return ServedAddress(host: host, port: UInt16(bound.port), isLoopback: bound.isLoopback)
  }
}
