import Libc
import Safelight

/// A connection between programs of one user on this machine: one line to the server, one line back.
///
/// The socket is a file that only its user may open, and both ends ask the kernel who the other is.
struct LocalSocket: ~Copyable {
  private let descriptor: Int32
  /// Longer lines are refused: paths have at most 4096 bytes.
  private static let mostBytes = 64 << 10
  /// Seconds for which either end waits for the other.
  private static let patience = 2

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  // MARK: Making

  /// Listens under a path, where nothing may be.
  ///
  /// - Throws: `SafelightError` if the system grants no socket there.
  static func listening(at path: String) throws -> LocalSocket {
    let socket = try LocalSocket.new(path)
    let isBound = try socket.withAddress(path) { bind(socket.descriptor, $0, $1) == 0 }
    // Before anybody can connect.
    guard isBound, chmod(path, 0o600) == 0, listen(socket.descriptor, 16) == 0 else {
      throw failure(path, errno)
    }
    return socket
  }

  /// Connects to the program that listens under a path.
  ///
  /// - Throws: `SafelightError` if none does, or if it is another user's.
  static func connected(to path: String) throws -> LocalSocket {
    let socket = try LocalSocket.new(path)
    socket.limitWaiting()
    guard try socket.withAddress(path, { connect(socket.descriptor, $0, $1) == 0 }) else {
      throw failure(path, errno)
    }
    try socket.checkPeer(path)
    return socket
  }

  /// Waits for a program that connects; nil once `stop` was called, or if it is another user's.
  func accepted() -> LocalSocket? {
    let number = accept(descriptor, nil, nil)
    guard number >= 0 else { return nil }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    let socket = LocalSocket(descriptor: number)
    socket.limitWaiting()
    do { try socket.checkPeer("") } catch { return nil }
    return socket
  }

  /// Has `accepted` return nil, now and later.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  // MARK: Lines

  /// - Throws: `SafelightError` if the other end does not take it.
  func send(_ line: String) throws {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Libc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("", errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// - Throws: `SafelightError` if the other end sends none in time.
  func line() throws -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while text.last != UInt8(ascii: "\n") {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0, text.count + count <= Self.mostBytes else {
        throw Self.failure("", count < 0 ? errno : 0)
      }
      text += chunk.prefix(count)
    }
    return String(decoding: text.dropLast(), as: UTF8.self)
  }

  // MARK: Parts

  private static func new(_ path: String) throws -> LocalSocket {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = Libc.socket(AF_UNIX, type, 0)
    guard number >= 0 else { throw failure(path, errno) }
    return LocalSocket(descriptor: number)
  }

  private func limitWaiting() {
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) throws
    -> Bool
  {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Self.failure(path, ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// - Throws: `SafelightError` if the program at the other end is not this user's.
  private func checkPeer(_ path: String) throws {
    // Process, user and group: `struct ucred` of unix(7), which the Glibc module lacks.
    var peer: (pid: Int32, uid: UInt32, gid: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
    guard isKnown, peer.uid == geteuid() else { throw Self.failure(path, EACCES) }
  }

  private static func failure(_ path: String, _ code: Int32) -> SafelightError {
    let reason = code == 0 ? "the connection has ended" : errorText(code)
    return SafelightError(.noResources, "Cannot talk to the studio at \(path): \(reason)")
  }
}
