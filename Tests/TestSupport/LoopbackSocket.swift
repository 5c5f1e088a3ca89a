import Libc

/// Why a server on this machine was not reached.
package struct ConnectionRefused: Error {
  package var reason: String
}

/// Connects to a server on this machine, and returns the socket.
///
/// - Parameters:
///   - patience: seconds after which reading and writing fail: a test that waits for what never comes must not hang.
///   - receiveBuffer: bytes that the kernel keeps for a client that does not read; nil leaves its choice.
/// - Throws: `ConnectionRefused`.
package func connectToLoopback(port: UInt16, patience: Int = 30, receiveBuffer: Int32? = nil) throws -> Int32
{
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  if var size = receiveBuffer {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }
  var limit = timeval(tv_sec: patience, tv_usec: 0)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
  }
  guard status == 0 else {
    let reason = String(cString: strerror(errno))
    close(descriptor)
    throw ConnectionRefused(reason: reason)
  }
  return descriptor
}
