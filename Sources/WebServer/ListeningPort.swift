import FrameCore
import Libc
import NIOCore

/// A TCP port that clients connect to, before the network's thread takes it over.
struct ListeningPort {
  let descriptor: Int32
  /// The address in its usual form, such as `127.0.0.1` or `::1`.
  let address: String
  /// The port; if 0 was asked for, the one that the system has chosen.
  let port: Int

  /// Whether only this machine can connect.
  var isLoopback: Bool { IPAddress(address)?.isLoopback ?? false }

  /// - Throws: `SafelightError(.invalidValue)` that names the port or the address and a remedy.
  init(host: String, port: Int, _ remedies: WebServerSettings.Remedies) throws {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let numeric = host == "localhost" ? "127.0.0.1" : host
    guard getaddrinfo(numeric, String(port), &hints, &found) == 0, let wanted = found?.pointee else {
      throw SafelightError(
        .invalidValue, "“\(NearestName.shortened(host))” is not an address to listen on",
        remedy: remedies.host)
    }
    defer { freeaddrinfo(found) }
    let number = socket(
      wanted.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw Self.failure(errno, host: host, port: port, remedies) }
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(number, wanted.ai_addr, wanted.ai_addrlen) == 0, listen(number, SOMAXCONN) == 0 else {
      let code = errno
      Libc.close(number)
      throw Self.failure(code, host: host, port: port, remedies)
    }
    let bound = Self.localAddress(of: number)
    (descriptor, address, self.port) = (number, bound?.ipAddress ?? numeric, bound?.port ?? port)
  }

  /// Gives the port up, if nothing else has taken it over.
  func close() { _ = Libc.close(descriptor) }

  private static func localAddress(of descriptor: Int32) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        return switch Int32(address.pointee.sa_family) {
        case AF_INET:
          address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
        case AF_INET6:
          address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
        default: nil
        }
      }
    }
  }

  private static func failure(
    _ code: Int32, host: String, port: Int, _ remedies: WebServerSettings.Remedies
  ) -> SafelightError {
    switch code {
    case EADDRINUSE:
      SafelightError(
        .invalidValue, "Port \(port) is taken by another program",
        remedy: remedies.port)
    case EACCES:
      SafelightError(
        .invalidValue, "Port \(port) requires privileges",
        remedy: remedies.privileges)
    case EADDRNOTAVAIL:
      SafelightError(
        .invalidValue, "\(host) is not an address of this machine",
        remedy: remedies.host)
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      SafelightError(.noResources, "Cannot serve on port \(port): \(errorText(code))")
    default:
      SafelightError(
        .invalidValue, "Cannot serve on port \(port): \(errorText(code))", remedy: "choose another port")
    }
  }
}

extension SocketAddress {
  /// The address without the port; of an IPv4 client of an IPv6 socket, the IPv4 one.
  var plainAddress: String? {
    guard let ipAddress else { return nil }
    let mapped = "::ffff:"
    return ipAddress.hasPrefix(mapped) && ipAddress.contains(".")
      ? String(ipAddress.dropFirst(mapped.count)) : ipAddress
  }
}
