/// The first line and the host of an HTTP/1 request: all that this server needs to know.
struct HTTPRequest: Equatable {
  /// A longer head is refused.
  static let maximumBytes = 8192

  var method: String
  /// Without the query.
  var path: String
  /// The `Host` header without its port, in lower case; nil where there is none.
  var host: String?

  enum Parsing: Equatable {
    case incomplete
    case malformed
    case complete(HTTPRequest)
  }

  /// Source: RFC 9112, §2…§5. Lines may end in a bare line feed, as §2.2 allows.
  static func parse(_ bytes: [UInt8]) -> Parsing {
    guard let end = headEnd(bytes) else { return .incomplete }
    let lines = bytes[..<end].split(separator: 10, omittingEmptySubsequences: false).map {
      $0.last == 13 ? $0.dropLast() : $0
    }
    let words = (lines.first ?? []).split(separator: 32, omittingEmptySubsequences: false)
    guard words.count == 3, words[2].starts(with: "HTTP/1.".utf8), !words[0].isEmpty, words[1].first == 47
    else {
      return .malformed
    }
    let target = String(decoding: words[1], as: UTF8.self)
    var request = HTTPRequest(
      method: String(decoding: words[0], as: UTF8.self),
      path: String(target.prefix { $0 != "?" && $0 != "#" }), host: nil)
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: 58), colon > line.startIndex else { return .malformed }
      guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "host" else { continue }
      let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
      request.host = hostName(value)
    }
    return .complete(request)
  }

  /// Where the empty line stands.
  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    for index in bytes.indices where bytes[index] == 10 {
      if index >= 1, bytes[index - 1] == 10 { return index }
      if index >= 2, bytes[index - 1] == 13, bytes[index - 2] == 10 { return index }
    }
    return nil
  }

  private static func hostName(_ value: String) -> String {
    let trimmed = value.filter { $0 != " " && $0 != "\t" }.lowercased()
    if trimmed.hasPrefix("["), let end = trimmed.firstIndex(of: "]") {
      return String(trimmed[trimmed.index(after: trimmed.startIndex)..<end])
    }
    return String(trimmed.prefix { $0 != ":" })
  }
}
