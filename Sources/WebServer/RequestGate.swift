import NIOCore
import NIOHTTP1

/// Decides which requests reach the site. Its order is that of the checks: who is addressed, by which page, to do
/// what, with which right.
struct RequestGate: Sendable {
  let settings: WebServerSettings
  let names: OwnNames
  let site: any WebSite
  /// The names by which everybody may use the server; nil where the token is asked for.
  let localNames: LocalNames?

  enum Verdict {
    /// The request is answered by the server.
    ///
    /// - isAttempt: whether it had a wrong token, and is answered late.
    case refuse(WebResponse, isAttempt: Bool = false)
    /// The body is to be read, at most so many bytes, then the site answers.
    ///
    /// - isLong: whether the answer needs a place of its own.
    case pass(WebRequest, bodyLimit: Int, expectsContinue: Bool, isLong: Bool)
    case openSocket
  }

  /// - Parameter address: the address of this machine that the client has connected to.
  func judge(_ head: HTTPRequestHead, connectedTo address: String?) -> Verdict {
    let fields = WebFields(head.headers.map { (name: $0.name, value: $0.value) })
    guard let method = WebMethod.known.first(where: { $0.rawValue == head.method.rawValue }) else {
      return Self.refuse(501, "This server does not know the method.")
    }
    guard head.uri.utf8.count <= settings.limits.target else {
      return Self.refuse(414, "The address is longer than \(settings.limits.target) bytes.")
    }
    guard let target = RequestTarget(head.uri) else { return Self.refuse(400, "The address is malformed.") }
    if let localNames { return judge(head, method, target, fields, localNames) }
    guard let host = fields.single("Host"), OwnNames.isHost(host),
      target.authority == nil || target.authority == host.utf8.map(WebFields.lowercased)
    else { return Self.refuse(400, "A request needs one well-formed Host field.") }
    guard names.allows(host: host, connectedTo: address) else {
      return Self.refuse(
        421, "This server is not known by that name; open it as localhost or by this machine's address.")
    }
    let request = WebRequest(method, target, head.uri, fields)
    let token = bearer(in: fields)
    if let refusal = refusalOfPage(request, isSafe: method.isSafe, host: host, token: token) {
      return refusal
    }
    guard token != .wrong else { return .refuse(Self.unauthorized("The token is wrong."), isAttempt: true) }
    let route = site.route(of: request)
    guard token == .right || (route?.isOpen ?? !request.isForAPI) else {
      return .refuse(
        Self.unauthorized("This address needs the token: open the link that the program printed."))
    }
    guard let route else { return .refuse(.notFound) }
    guard route.methods.contains(request.method) else { return .refuse(Self.wrongMethod(route)) }
    if route.isSocket { return socketVerdict(fields, method) }
    return bodyVerdict(request, method: method, route)
  }

  /// Judges a request to a server that everybody may use. What an address takes is said before who may ask.
  private func judge(
    _ head: HTTPRequestHead, _ method: WebMethod, _ target: RequestTarget, _ fields: WebFields,
    _ localNames: LocalNames
  ) -> Verdict {
    // RFC 9112, §3.2: exactly one valid `Host`; the host of an absolute URL takes precedence.
    let stated = fields.all("Host").map { Array($0.utf8) } + [target.authority].compactMap { $0 }
    let hosts = stated.map { WebHost($0) }
    let isOld = head.version.major == 1 && head.version.minor == 0
    guard fields.all("Host").count <= 1, isOld || fields.contains("Host"), !hosts.contains(nil) else {
      return Self.refuse(400, "A request needs one well-formed Host field.")
    }
    var request = WebRequest(method, target, head.uri, fields)
    request.host = hosts.last ?? nil
    guard let route = site.route(of: request) else { return .refuse(.notFound) }
    guard route.methods.contains(request.method) else { return .refuse(Self.wrongMethod(route)) }
    if let reason = localNames.refusal(of: request.host, fields) { return Self.refuse(403, reason) }
    if route.isSocket { return socketVerdict(fields, method) }
    return bodyVerdict(request, method: method, route)
  }

  /// Refuses what pages of other sites ask for. Sources: W3C, “Fetch Metadata Request Headers”; RFC 6454, §7.
  private func refusalOfPage(
    _ request: WebRequest, isSafe: Bool, host: String, token: Bearer
  ) -> Verdict? {
    let fields = request.fields
    // A user who follows a link opens the page himself; nothing else is opened from elsewhere.
    let isVisit =
      isSafe && request.path.isEmpty && fields.all("Sec-Fetch-Mode") == ["navigate"]
      && fields.all("Sec-Fetch-Dest") == ["document"]
    let isOurs = fields.all("Sec-Fetch-Site").allSatisfy { $0 == "same-origin" || $0 == "none" }
    guard isOurs || isVisit else { return Self.refuse(403, "Pages of other sites may not use this server.") }
    let origins = fields.all("Origin")
    guard origins.count <= 1 else { return Self.refuse(400, "A request has at most one Origin field.") }
    if let origin = origins.first {
      return names.allows(origin: origin, host: host)
        ? nil : Self.refuse(403, "Pages of other sites may not use this server.")
    }
    let isUpgrade = fields.list("Upgrade", has: "websocket")
    // Browsers always state the origin here; programs state the token instead.
    guard isSafe && !isUpgrade || token != .missing else {
      return .refuse(
        Self.unauthorized("Without an Origin field, such a request needs the token as Authorization: Bearer.")
      )
    }
    return nil
  }

  private enum Bearer { case missing, wrong, right }

  private func bearer(in fields: WebFields) -> Bearer {
    let values = fields.all("Authorization")
    guard let value = values.first else { return .missing }
    let scheme = "Bearer "
    guard values.count == 1, WebFields.areSame(value.prefix(scheme.count), scheme) else { return .wrong }
    return settings.token.matches(String(value.dropFirst(scheme.count))) ? .right : .wrong
  }

  private func bodyVerdict(_ request: WebRequest, method: WebMethod, _ route: WebRoute) -> Verdict {
    let fields = request.fields
    let isChunked = fields.contains("Transfer-Encoding")
    // The parser has seen to it that these are digits.
    let length = fields.single("Content-Length").map { Int($0) ?? .max }
    if method.needsLength, !route.isBodyOptional, !isChunked, length == nil {
      return Self.refuse(411, "State the length of the body as Content-Length.")
    }
    let limit = min(route.bodyLimit, settings.limits.body)
    guard length ?? 0 <= limit else { return Self.refuse(413, "The body is larger than \(limit) bytes.") }
    let expectations = fields.all("Expect")
    guard expectations.allSatisfy({ WebFields.areSame($0, "100-continue") }) else {
      return Self.refuse(417, "This server knows no expectation but 100-continue.")
    }
    let hasBody = isChunked || length ?? 0 > 0
    return .pass(
      request, bodyLimit: limit, expectsContinue: !expectations.isEmpty && hasBody, isLong: route.isLong)
  }

  /// Source: RFC 6455, §4.2.1.
  private func socketVerdict(_ fields: WebFields, _ method: WebMethod) -> Verdict {
    guard method == .get, fields.list("Upgrade", has: "websocket"), fields.list("Connection", has: "upgrade")
    else {
      return .refuse(Self.upgradeRequired)
    }
    guard fields.all("Sec-WebSocket-Version") == ["13"] else { return .refuse(Self.upgradeRequired) }
    // 16 bytes as base64.
    guard let key = fields.single("Sec-WebSocket-Key"), key.utf8.count == 24, key.hasSuffix("==") else {
      return Self.refuse(400, "The Sec-WebSocket-Key field is malformed.")
    }
    guard !fields.contains("Transfer-Encoding"), fields.single("Content-Length") ?? "0" == "0" else {
      return Self.refuse(400, "A request for a WebSocket has no body.")
    }
    return .openSocket
  }

  private static func refuse(_ status: Int, _ detail: String) -> Verdict {
    .refuse(.problem(status, detail: detail))
  }

  private static func unauthorized(_ detail: String) -> WebResponse {
    var response = WebResponse.problem(401, detail: detail)
    response.fields.add("WWW-Authenticate", "Bearer")
    return response
  }

  private static func wrongMethod(_ route: WebRoute) -> WebResponse {
    let methods = route.methods.flatMap { $0 == .get ? [WebMethod.get, .head] : [$0] }.map(\.rawValue)
    let allowed = methods.joined(separator: ", ")
    var response = WebResponse.problem(405, detail: "This address takes \(allowed).")
    response.fields.add("Allow", allowed)
    return response
  }

  private static let upgradeRequired: WebResponse = {
    var response = WebResponse.problem(426, detail: "This address opens WebSockets, version 13.")
    response.fields.add("Upgrade", "websocket")
    response.fields.add("Sec-WebSocket-Version", "13")
    return response
  }()
}

extension WebRequest {
  fileprivate init(_ method: WebMethod, _ target: RequestTarget, _ text: String, _ fields: WebFields) {
    self.init(
      method: method == .head ? .get : method, path: target.path, query: target.query, fields: fields)
    isHead = method == .head
    rawQuery = text.firstIndex(of: "?").map { String(text[text.index(after: $0)...]) } ?? ""
  }
}
