import FrameCore

/// Chooses the answers to requests.
struct StreamAnswers: Sendable {
  enum Answer {
    case bytes([UInt8])
    case stream
    case snapshot
    /// The photo of a press, once it is written.
    case photo(Int)
    /// A head, and a file after it.
    case file([UInt8], ServedFile)

    /// Whether the answer takes time, rather than being sent at once.
    var isLong: Bool { if case .bytes = self { false } else { true } }
  }

  let access: StreamAccess
  /// Whether there is a stream.
  var hasStream = true
  /// Nil where pages take no photos.
  var shutter: ShutterAnswers?

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
    let isShutters = shutter != nil && ShutterAnswers.has(request.path)
    guard headOnly || request.method == "GET" || isShutters && request.method == "POST" else {
      let methods = isShutters && request.path == "/photo" ? "POST" : "GET, HEAD"
      return .bytes(
        HTTPResponse.make(
          "405 Method Not Allowed", headers: ["Allow: \(methods)"], "Use \(methods.prefix { $0 != "," }).\n"))
    }
    if let reason = access.refusal(of: request) {
      return .bytes(HTTPResponse.make("403 Forbidden", reason + "\n", headOnly: headOnly))
    }
    if isShutters, let shutter { return shutter.answer(request, now: .now) }
    switch request.path {
    case "/":
      let text = hasStream ? StreamPage.text(hasShutter: shutter != nil) : ShutterPage.text
      return .bytes(HTTPResponse.page(text, hasScript: shutter != nil, headOnly: headOnly))
    case "/stream.mjpg" where hasStream: return headOnly ? .bytes(HTTPResponse.streamHeadOnly) : .stream
    case "/snapshot.jpg" where hasStream:
      return headOnly ? .bytes(HTTPResponse.head("200 OK", type: "image/jpeg", headers: [])) : .snapshot
    case "/stats.json" where hasStream:
      return .bytes(
        HTTPResponse.make("200 OK", type: "application/json", statistics(), headOnly: headOnly))
    default:
      return .bytes(HTTPResponse.make("404 Not Found", "Available are \(known).\n", headOnly: headOnly))
    }
  }

  private var known: String {
    let stream = hasStream ? ["/stream.mjpg", "/snapshot.jpg", "/stats.json"] : []
    let photos = shutter == nil ? [] : ["/photo", "/photo/NUMBER", "/shutter.json"]
    let paths = ["/"] + stream + photos
    return paths.dropLast().joined(separator: ", ") + " and " + (paths.last ?? "")
  }

  /// The answer to a request that takes time when all places are taken.
  static func full(_ places: Int) -> [UInt8] {
    HTTPResponse.make(
      "503 Service Unavailable", headers: ["Retry-After: 5"], "All \(places) places are taken.\n")
  }
}
