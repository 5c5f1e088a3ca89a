import FrameCore
import Libc

/// Where messages are published: `broker`, `broker:1883`, `[::1]:1883/home/door`.
public struct MQTTAddress: Sendable, Hashable {
  public let host: String
  public let port: UInt16
  /// The beginning of all topics, without a slash at its end; `safelight` if none is given.
  public let prefix: String

  /// - Throws: `SafelightError(.invalidValue)` if the text is no such address.
  public init(_ text: String) throws {
    func refuse(_ remedy: String) -> SafelightError {
      SafelightError(
        .invalidValue, "The broker “\(NearestName.shortened(text))” cannot be read", remedy: remedy)
    }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var place = parts[0][...]
    var port: UInt16 = 1883
    guard !text.contains("://") else { throw refuse("leave the scheme out: broker:1883") }
    let isBracketed = place.hasPrefix("[")
    guard isBracketed || place.count(where: { $0 == ":" }) <= 1 else {
      throw refuse("put an address of IPv6 in brackets: [::1]:1883")
    }
    if let colon = place.lastIndex(of: ":"), !isBracketed || place[..<colon].hasSuffix("]") {
      guard let number = UInt16(place[place.index(after: colon)...]), number > 0 else {
        throw refuse("give a port from 1 to 65535, such as broker:1883")
      }
      (port, place) = (number, place[..<colon])
    }
    if isBracketed, place.hasSuffix("]") { place = place.dropFirst().dropLast() }
    guard !place.isEmpty, place.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "@" }) else {
      throw refuse("write it like broker, broker:1883 or broker/home/door")
    }
    let prefix = parts.count > 1 ? parts[1] : "safelight"
    // `+` and `#` mean patterns of topics.
    guard !prefix.isEmpty, !prefix.hasPrefix("/"), !prefix.hasSuffix("/"), prefix.utf8.count <= 200,
      prefix.unicodeScalars.allSatisfy({ !"+#$".unicodeScalars.contains($0) && $0.value > 0x20 })
    else { throw refuse("give a prefix such as home/door, without blanks, +, # and $") }
    (host, self.port, self.prefix) = (String(place), port, prefix)
  }
}

/// A connection over TCP that never waits longer than it is told.
final class TCPSocket {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let descriptor: Int32

  init(_ host: String, _ port: UInt16, seconds: Double) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      throw Failure(description: "the name is not known (\(String(cString: gai_strerror(code))))")
    }
    defer { freeaddrinfo(list) }
    var reason = "there is no address"
    var next = list
    while let address = next?.pointee {
      next = address.ai_next
      let socket = socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard socket >= 0 else { continue }
      if connect(socket, address.ai_addr, address.ai_addrlen) == 0 || errno == EINPROGRESS {
        var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        if poll(&wait, 1, Int32(seconds * 1000)) > 0 {
          var (error, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
          getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length)
          if error == 0 {
            descriptor = socket
            return
          }
          reason = errorText(error).lowercased()
        } else {
          reason = "nobody answers"
        }
      } else {
        reason = errorText(errno).lowercased()
      }
      close(socket)
    }
    throw Failure(description: reason)
  }

  deinit { close(descriptor) }

  /// Returns what has come; empty if nothing has.
  func receive() throws -> [UInt8] {
    try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
      let count = recv(descriptor, bytes.baseAddress, bytes.count, 0)
      if count > 0 { return Array(bytes[..<count]) }
      guard count < 0 else { throw Failure(description: "the broker has closed the connection") }
      guard errno == EAGAIN || errno == EINTR else {
        throw Failure(description: errorText(errno).lowercased())
      }
      return []
    }
  }

  /// Sends as much as there is room for; returns how much that was.
  func send(_ bytes: [UInt8]) throws -> Int {
    guard !bytes.isEmpty else { return 0 }
    let count = bytes.withUnsafeBytes {
      Libc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    guard errno == EAGAIN || errno == EINTR else { throw Failure(description: errorText(errno).lowercased()) }
    return 0
  }

  /// Returns when something has come or can be sent, or after so many seconds.
  func wait(seconds: Double, toSend: Bool) {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0)
    _ = poll(&wait, 1, Int32(seconds * 1000))
  }
}
