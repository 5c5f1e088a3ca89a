import FrameCore
import Libc

/// A TCP port that clients connect to.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  /// The port; if 0 was requested, the one that was assigned.
  let port: UInt16
  /// Whether only this machine can connect.
  let isLoopback: Bool

  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address of this machine, or 0.0.0.0 or :: for all of them.
  ///   - scheme: what precedes host and port on the command line.
  /// - Throws: `SafelightError(.invalidValue)` that names the port and a remedy.
  init(host: String, port: UInt16, scheme: String = "stream") throws {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
      throw SafelightError(
        .invalidValue, "“\(host.prefix(60))” is not an address to listen on",
        remedy: "write \(scheme):\(port) for this machine only, or \(scheme):0.0.0.0:\(port) for the network")
    }
    defer { freeaddrinfo(found) }
    let number = socket(
      address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw Self.failure(errno, host: host, port: port, scheme) }
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(number, address.ai_addr, address.ai_addrlen) == 0, listen(number, SOMAXCONN) == 0 else {
      let code = errno
      close(number)
      throw Self.failure(code, host: host, port: port, scheme)
    }
    descriptor = number
    let bound = Self.localAddress(number)
    self.port = bound.port ?? port
    isLoopback = bound.address?.isLoopback ?? false
  }

  deinit { close(descriptor) }

  /// The address that a browser opens, and who can.
  ///
  /// - Parameter host: as given to `init`.
  func address(of host: String) -> String {
    let written = host.contains(":") ? "[\(host)]" : host
    if isLoopback { return "http://\(written):\(port)/, for this machine only" }
    // 0.0.0.0 is not an address to connect to.
    let isEvery = host == "0.0.0.0" || host == "::"
    return "http://\(isEvery ? StreamAccess.ownName ?? "0.0.0.0" : written):\(port)/, open to the network"
  }

  private static func localAddress(_ descriptor: Int32) -> (address: SocketAddress?, port: UInt16?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return (nil, nil) }
        // IPv4 and IPv6 addresses have the port at the same offset.
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          (SocketAddress(pointer.pointee), UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }

  private static func failure(_ code: Int32, host: String, port: UInt16, _ scheme: String) -> SafelightError {
    switch code {
    case EADDRINUSE:
      SafelightError(
        .invalidValue, "Port \(port) is taken by another program",
        remedy: "choose another one, or \(scheme):0 for any free port")
    case EACCES:
      SafelightError(
        .invalidValue, "Port \(port) requires privileges",
        remedy: "choose one from 1024 up, or \(scheme):0 for any free port")
    case EADDRNOTAVAIL:
      SafelightError(
        .invalidValue, "\(host) is not an address of this machine",
        remedy: "write \(scheme):\(port) for this machine only, or \(scheme):0.0.0.0:\(port) for the network")
    default:
      SafelightError(
        .invalidValue, "Cannot serve on port \(port): \(errorText(code))",
        remedy: "choose another port")
    }
  }
}
