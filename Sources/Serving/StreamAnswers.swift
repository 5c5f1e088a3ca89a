/// Chooses the answers to requests.
struct StreamAnswers: Sendable {
  enum Answer {
    case bytes([UInt8])
    case stream
    case snapshot

    /// Whether the answer waits for frames, rather than being sent at once.
    var hasFrames: Bool { if case .bytes = self { false } else { true } }
  }

  let access: StreamAccess

  /// - Parameters:
  ///   - parsing: the parsed request; an incomplete one has become too long.
  ///   - statistics: the text of `/stats.json`.
  func answer(_ parsing: HTTPRequest.Parsing, statistics: () -> String) -> Answer {
    guard case .complete(let request) = parsing else {
      return .bytes(
        parsing == .incomplete
          ? HTTPResponse.make("431 Request Header Fields Too Large", "The request is too long.\n")
          : HTTPResponse.make("400 Bad Request", "This HTTP request is not understood here.\n"))
    }
    let headOnly = request.method == "HEAD"
    guard headOnly || request.method == "GET" else {
      return .bytes(HTTPResponse.make("405 Method Not Allowed", headers: ["Allow: GET, HEAD"], "Use GET.\n"))
    }
    if let reason = access.refusal(of: request) {
      return .bytes(HTTPResponse.make("403 Forbidden", reason + "\n", headOnly: headOnly))
    }
    switch request.path {
    case "/": return .bytes(HTTPResponse.page(headOnly: headOnly))
    case "/stream.mjpg": return headOnly ? .bytes(HTTPResponse.streamHeadOnly) : .stream
    case "/snapshot.jpg":
      return headOnly ? .bytes(HTTPResponse.head("200 OK", type: "image/jpeg", headers: [])) : .snapshot
    case "/stats.json":
      return .bytes(
        HTTPResponse.make("200 OK", type: "application/json", statistics(), headOnly: headOnly))
    default:
      return .bytes(
        HTTPResponse.make(
          "404 Not Found", "Available are /, /stream.mjpg, /snapshot.jpg and /stats.json.\n",
          headOnly: headOnly))
    }
  }

  /// The answer to a request for frames when all places are taken.
  static func full(_ places: Int) -> [UInt8] {
    HTTPResponse.make(
      "503 Service Unavailable", headers: ["Retry-After: 5"], "All \(places) places are taken.\n")
  }
}
