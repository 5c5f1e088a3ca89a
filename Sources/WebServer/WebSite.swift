/// What a server serves.
public protocol WebSite: Sendable {
  /// Returns what is at the path of a request, or nil for nothing (404; under `/api` 401 without the token).
  ///
  /// Called before the body is read, on the network's thread: it must be quick.
  func route(of request: WebRequest) -> WebRoute?

  /// Returns what is sent instead of a refusal of the server's own: in the site's words, or its own format. The refusal
  /// itself unless a site does otherwise.
  func worded(_ refusal: WebResponse) -> WebResponse

  /// Answers a request whose route is no socket. Runs on a thread of the server's pool, never on the network's; it
  /// may block that thread.
  func respond(to request: WebRequest) async -> WebResponse

  /// Returns the token in the first message of a WebSocket, or nil if it has none. The server compares it.
  func token(inFirstMessage text: String) -> String?

  /// Takes a WebSocket whose first message had the right token, and returns what receives its messages, that first
  /// one included. Runs on a thread of the pool.
  func open(_ socket: WebSocketPeer) -> any WebSocketHandler
}

extension WebSite {
  public func worded(_ refusal: WebResponse) -> WebResponse { refusal }

  // Of sites without sockets.
  public func token(inFirstMessage text: String) -> String? { nil }
  public func open(_ socket: WebSocketPeer) -> any WebSocketHandler {
    socket.close(code: WebSocketCode.policyViolation)
    return NoSocket()
  }
}

private struct NoSocket: WebSocketHandler {
  func receive(text: String) {}
  func receive(binary: [UInt8]) {}
  func closed() {}
}

/// What is at a path, and what it needs.
public struct WebRoute: Sendable {
  /// Without HEAD, which GET implies. Others are answered with 405.
  public var methods: [WebMethod]
  /// Whether it is for everybody who can reach the server: the files of a page, which hold nothing private. A socket
  /// is open in this sense, as its first message carries the token.
  public var isOpen: Bool
  /// The most bytes of a body.
  public var bodyLimit: Int
  /// Whether a request may leave the length of its body out if it has none.
  public var isBodyOptional = false
  /// Whether the answer takes time, as a stream does, and needs a place of its own: `WebServerSettings.Places`.
  public var isLong = false
  /// Whether WebSockets are opened here.
  public private(set) var isSocket: Bool

  /// - Parameters:
  ///   - bodyLimit: 1 MiB unless stated; at most `WebServerSettings.Limits.body`.
  public init(_ methods: WebMethod..., isOpen: Bool = false, bodyLimit: Int = 1 << 20) {
    (self.methods, self.isOpen, self.bodyLimit, isSocket) = (methods, isOpen, bodyLimit, false)
  }

  private init(socket: Void) { (methods, isOpen, bodyLimit, isSocket) = ([.get], true, 0, true) }

  /// A place where WebSockets are opened.
  public static var socket: WebRoute { WebRoute(socket: ()) }
}

/// Receives what a WebSocket's client sends: in order, one call at a time, on threads of the server's pool.
///
/// While a call runs, at most 4 MiB wait for the next ones; then the client is not read.
public protocol WebSocketHandler: Sendable {
  func receive(text: String)
  func receive(binary: [UInt8])
  /// The connection has ended, whoever ended it. Called once, last.
  func closed()
}
