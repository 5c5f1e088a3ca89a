import Libc
import NIOCore

/// The bytes of a response up to its body: the status line and the fields.
struct ResponseHead {
  /// How the connection goes on, as the `Connection` field says.
  enum Connection: String {
    case close, keepAlive = "keep-alive", upgrade
  }

  /// What every response carries, so that no other site can show, read or run anything of this one.
  static func protections(_ settings: WebServerSettings.Protections) -> [(String, String)] {
    [
      ("Content-Security-Policy", settings.contentPolicy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", settings.isForSameSite ? "same-site" : "same-origin"),
    ]
  }

  /// The names, in lower case, of fields that a site does not set: the server does, or nobody may.
  private static let reserved: Set<String> = Set(protections(.init()).map { $0.0.lowercased() }).union([
    "cache-control", "connection", "content-length", "date", "keep-alive", "server", "set-cookie",
    "transfer-encoding", "upgrade",
  ])

  /// The server's own fields of an upgrade, which its responses may have.
  private static let upgradeFields: Set<String> = ["upgrade"]

  /// - Parameters:
  ///   - isStored: whether a browser may keep the response and ask whether it is still valid.
  ///   - isOwn: whether the server made it, rather than the site.
  static func bytes(
    of response: WebResponse, connection: Connection, isStored: Bool, isOwn: Bool = false,
    _ settings: WebServerSettings.Protections
  ) -> ByteBuffer {
    var text = "HTTP/1.1 \(response.status) \(StatusText.of(response.status))\r\n"
    for field in response.fields.fields where isAllowed(field, isOwn: isOwn) {
      text += "\(field.name): \(field.value)\r\n"
    }
    if response.status >= 200, response.hasBody, let length = response.length {
      text += "Content-Length: \(length)\r\n"
    }
    text += "Connection: \(connection.rawValue)\r\nDate: \(HTTPDate.now)\r\n"
    text += "Cache-Control: \(isStored ? "no-cache" : "no-store")\r\n"
    for (name, value) in protections(settings) { text += "\(name): \(value)\r\n" }
    return ByteBuffer(string: text + "\r\n")
  }

  /// Whether a field is well-formed, so that it ends no line, and not one of the server's own.
  private static func isAllowed(_ field: WebFields.Field, isOwn: Bool) -> Bool {
    let name = field.name.lowercased()
    return !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
      && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }
      && (!reserved.contains(name) || isOwn && upgradeFields.contains(name))
      && !name.hasPrefix("access-control-")
  }

  /// Source: RFC 9110, §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

/// The time as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110, §5.6.7.
enum HTTPDate {
  static var now: String { text(of: time(nil)) }

  static func text(of seconds: time_t) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
      + "\(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
  }
}
