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

  /// - Throws: `SafelightError(.invalidValue)` that names the port or the address and a remedy.
  init(host: String, port: Int) throws {
    guard
      let wanted = try? SocketAddress(ipAddress: host == "localhost" ? "127.0.0.1" : host, port: port),
      let text = wanted.ipAddress
    else {
      throw SafelightError(
        .invalidValue, "“\(NearestName.shortened(host))” is no address to listen on",
        remedy: "write 127.0.0.1 for this machine only, or 0.0.0.0 for the network")
    }
    let family = wanted.protocol == .inet6 ? AF_INET6 : AF_INET
    let number = socket(
      family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard number >= 0 else { throw Self.failure(errno, host: host, port: port) }
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isBound = wanted.withSockAddr { pointer, size in bind(number, pointer, socklen_t(size)) == 0 }
    guard isBound, listen(number, 128) == 0 else {
      let code = errno
      Libc.close(number)
      throw Self.failure(code, host: host, port: port)
    }
    (descriptor, address, self.port) = (number, text, Self.port(of: number) ?? port)
  }

  /// Gives the port up, if nothing else has taken it over.
  func close() { _ = Libc.close(descriptor) }

  private static func port(of descriptor: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        // IPv4 and IPv6 addresses have the port at the same offset.
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
  }

  private static func failure(_ code: Int32, host: String, port: Int) -> SafelightError {
    switch code {
    case EADDRINUSE:
      SafelightError(
        .invalidValue, "Port \(port) is taken by another program",
        remedy: "choose another one, or --port 0 for any free port")
    case EACCES:
      SafelightError(
        .invalidValue, "Port \(port) requires privileges",
        remedy: "choose one from 1024 up, or --port 0 for any free port")
    case EADDRNOTAVAIL:
      SafelightError(
        .invalidValue, "\(host) is not an address of this machine",
        remedy: "write 127.0.0.1 for this machine only, or 0.0.0.0 for the network")
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      SafelightError(.noResources, "Cannot serve on port \(port): \(errorText(code))")
    default:
      SafelightError(
        .invalidValue, "Cannot serve on port \(port): \(errorText(code))", remedy: "choose another port")
    }
  }
}
