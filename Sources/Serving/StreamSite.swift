import FrameCore
import WebServer

/// What is served: a page, and the stream or the shutter on it, or both.
struct StreamSite: WebSite {
  /// Nil where there is no stream.
  let hub: StreamHub?
  /// Nil where pages take no photos.
  let shutter: ShutterAnswers?
  /// The number of clients that may watch at a time, for messages.
  let places: Int

  /// The bytes of a body that nobody needs.
  private static let ignoredBody = 64 << 10

  func route(of request: WebRequest) -> WebRoute? {
    var route = WebRoute(.get, bodyLimit: Self.ignoredBody)
    if let shutter, ShutterAnswers.has(request.path) {
      route.methods = request.path == ["photo"] ? [.post] : [.get]
      route.isLong = shutter.isLong(request)
    } else if hub != nil, !request.isHead {
      route.isLong = [["stream.mjpg"], ["snapshot.jpg"]].contains(request.path)
    }
    route.isBodyOptional = true
    return route
  }

  func respond(to request: WebRequest) async -> WebResponse {
    if let shutter, ShutterAnswers.has(request.path) { return await shutter.answer(request) }
    if request.path.isEmpty { return .html(page) }
    guard let hub else { return missing }
    switch request.path.joined(separator: "/") {
    case "stream.mjpg":
      guard request.hasPlace else { return full }
      return WebResponse(
        type: EncodedFrame.streamType, from: .stream(hub.stream, start: EncodedFrame.streamStart))
    case "snapshot.jpg":
      // Its length is only known once there is a frame.
      if request.isHead { return WebResponse(type: "image/jpeg", from: .stream(hub.stream)) }
      guard request.hasPlace else { return full }
      guard let frame = await hub.nextFrame() else { return .text("No frame has arrived.\n", status: 503) }
      return WebResponse(type: "image/jpeg", from: .part(frame.part, frame.jpeg))
    case "stats.json": return .json(statistics(hub))
    default: return missing
    }
  }

  private var page: String { hub == nil ? ShutterPage.text : StreamPage.text(hasShutter: shutter != nil) }

  private func statistics(_ hub: StreamHub) -> String {
    let (size, encoded) = (hub.size, hub.stream.newest?.number ?? 0)
    return "{\"width\":\(size.width),\"height\":\(size.height),\"encoded\":\(encoded),"
      + "\"watching\":\(hub.stream.clientCount)}\n"
  }

  private var missing: WebResponse {
    let stream = hub == nil ? [] : ["/stream.mjpg", "/snapshot.jpg", "/stats.json"]
    let photos = shutter == nil ? [] : ["/photo", "/photo/NUMBER", "/shutter.json"]
    let paths = ["/"] + stream + photos
    let known = paths.dropLast().joined(separator: ", ") + " and " + (paths.last ?? "")
    return .text("Available are \(known).\n", status: 404)
  }

  private var full: WebResponse {
    var response = WebResponse.text("All \(places) places are taken.\n", status: 503)
    response.fields.add("Retry-After", "5")
    return response
  }

  /// Refusals in plain text: their readers are programs such as curl, or people who see them in a browser.
  func worded(_ refusal: WebResponse) -> WebResponse {
    switch refusal.status {
    case 400, 501, 505: return .text("This HTTP request is not understood here.\n", status: 400)
    case 414, 431: return .text("The request is too long.\n", status: 431)
    case 405:
      let methods = refusal.fields.single("Allow") ?? ""
      var response = WebResponse.text(
        methods == "POST" ? "POST takes a photo.\n" : "Use \(methods.prefix { $0 != "," }).\n", status: 405)
      response.fields.add("Allow", methods)
      return response
    default: return .text("\(refusal.detail ?? "The request is refused.")\n", status: refusal.status)
    }
  }
}

extension WebResponse {
  fileprivate static func html(_ text: String) -> WebResponse {
    WebResponse(type: "text/html; charset=utf-8", Array(text.utf8))
  }
}

extension WebServerSettings {
  /// The settings of a server that everybody may use who reaches it by a name that nobody else can assign.
  ///
  /// - Parameters:
  ///   - subject: what is served, for messages.
  ///   - scheme: what precedes host and port on the command line.
  ///   - hasScript: whether the page has the shutter's script, which asks this server.
  init(
    serving subject: String, host: String, port: UInt16, scheme: String, places: Places, hasScript: Bool
  ) {
    self.init()
    (self.host, self.port, self.places) = (host, Int(port), places)
    access = .everybody(subject: subject)
    keepsConnections = false
    limits.header = 8192
    limits.target = 8192
    limits.drained = 64 << 10
    times.closing = .seconds(1)
    protections.contentPolicy =
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
      + (hasScript ? "; script-src 'self'; connect-src 'self'" : "")
    protections.isForSameSite = true
    remedies.port = "choose another one, or \(scheme):0 for any free port"
    remedies.privileges = "choose one from 1024 up, or \(scheme):0 for any free port"
    remedies.host =
      "write \(scheme):\(port) for this machine only, or \(scheme):0.0.0.0:\(port) for the network"
  }
}
