import FrameCore

/// Where a server listens, who may use it, and its limits.
public struct WebServerSettings: Sendable {
  /// An IPv4 or IPv6 address of this machine, or 0.0.0.0 or :: for all of them; `localhost` means 127.0.0.1.
  public var host = "127.0.0.1"
  /// 0…65535; 0 takes any free port.
  public var port = 0
  /// Who may use the server.
  public var access = Access.token
  /// The secret that requests must carry, except where the site needs none.
  public var token: AccessToken
  /// The origin that a TLS proxy in front of this server has, such as `https://photos.example`; nil without one.
  public var publicOrigin: String?
  /// More names that this server is called by, as `Host` headers give them: `booth.local:8080`.
  public var extraHosts: [String] = []
  public var limits = Limits()
  public var times = Times()
  /// The places that clients share; nil where `Limits.connections` alone bounds them.
  public var places: Places?
  public var protections = Protections()
  /// Whether a connection may carry more than one request.
  public var keepsConnections = true
  public var remedies = Remedies()
  /// The threads that run the site's code, 1…64.
  public var threads = 4
  /// Receives a line for each refusal and failure. Lines hold no text of clients and no secrets. It may be called on
  /// any thread, and must be quick.
  public var note: @Sendable (String) -> Void = { _ in }

  public init(token: AccessToken = AccessToken()) { self.token = token }

  /// Who may use a server.
  public enum Access: Sendable {
    /// The server's own page, and programs that hold the token.
    case token
    /// Everybody who reaches the server by a name that nobody else can assign, and pages of such names: no token is
    /// asked for. Routes need not be open.
    ///
    /// - subject: what is served, for refusals: “This `stream` is for this machine only”.
    case everybody(subject: String)
  }

  /// How many clients there may be. Answers that take time have places of their own, so that connections without a
  /// request take nothing from them.
  public struct Places: Sendable {
    /// For connections without a request, and for answers that are sent at once, 1…4096. If all are taken, the client
    /// that has had one longest leaves.
    public var short: Int
    /// For answers of routes that are `isLong`, 1…4096. If all are taken, a client leaves that has not received its
    /// part of a stream for `patience`; otherwise one from the network with the most places, if it has at least two
    /// more than the newcomer's. Otherwise there is none for the newcomer.
    public var long: Int
    /// The seconds within which a part of a stream should be received if somebody else waits for the place.
    public var patience: Double

    public init(short: Int = 64, long: Int = 64, patience: Double = 2) {
      (self.short, self.long, self.patience) = (short, long, patience)
    }
  }

  /// What every response says to browsers.
  public struct Protections: Sendable {
    /// The value of `Content-Security-Policy`. Unless changed, a page loads scripts, styles and pictures from this
    /// server alone, and no other page may frame it.
    public var contentPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
      + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    /// Whether pages of other ports of the same host may embed what is served.
    public var isForSameSite = false

    public init() {}
  }

  /// What is to be done where the server cannot listen, for its errors.
  public struct Remedies: Sendable {
    public var port = "choose another one, or --port 0 for any free port"
    public var privileges = "choose one from 1024 up, or --port 0 for any free port"
    public var host = "write 127.0.0.1 for this machine only, or 0.0.0.0 for the network"

    public init() {}
  }

  /// Sizes, in bytes, and numbers.
  public struct Limits: Sendable {
    /// The first line and the header fields of a request: their names and values together.
    public var header = 16 << 10
    /// The target (path and query) of a request.
    public var target = 8 << 10
    /// The body of a request, whatever a route allows.
    public var body = 256 << 20
    /// A message that a client sends over a WebSocket; all its fragments together.
    public var message = 1 << 20
    /// The bytes that wait for one WebSocket client, above which it is disconnected with code 1013.
    public var waiting = 64 << 20
    /// The parts of streams that are on their way to clients, counted once however many receive one. Above it those
    /// are disconnected that have been receiving theirs longest.
    public var parts = 64 << 20
    /// What is read from a client whose last response is sent, and thrown away.
    public var drained = 8 << 20
    /// Connections at a time. If all are taken, the one that has been idle the longest is closed for a new one, or
    /// one that has not shown what it wants; if all are busy, the new one is closed.
    public var connections = 256

    public init() {}
  }

  /// How long the server waits for clients.
  public struct Times: Sendable {
    /// For a request's header to be complete, from its first byte.
    public var header = Duration.seconds(10)
    /// Between requests, and without progress in a body or in sending. A body has to arrive at 16 KiB/s on average
    /// beyond this.
    public var idle = Duration.seconds(30)
    /// For the first message of a WebSocket, which carries the token.
    public var authentication = Duration.seconds(5)
    /// Between pings; a client that misses two is disconnected.
    public var ping = Duration.seconds(20)
    /// For a client to close its end.
    public var closing = Duration.seconds(2)
    /// Before a wrong token is answered.
    public var refusal = Duration.milliseconds(250)

    public init() {}
  }

  /// - Throws: `SafelightError(.invalidValue)` for a value out of its range.
  func validate() throws {
    func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
      guard range.contains(value) else {
        throw SafelightError(
          .invalidValue, "The \(name) of the server is \(value)",
          remedy: "choose \(range.lowerBound)…\(range.upperBound)")
      }
    }
    try check("port", port, 0...65535)
    try check("number of threads", threads, 1...64)
    try check("limit on headers", limits.header, 256...1 << 20)
    try check("limit on targets", limits.target, 16...1 << 20)
    try check("limit on bodies", limits.body, 0...1 << 40)
    try check("limit on messages", limits.message, 125...1 << 30)
    try check("limit on waiting bytes", limits.waiting, 1...1 << 40)
    try check("limit on connections", limits.connections, 1...4096)
    try check("limit on parts of streams", limits.parts, 0...1 << 40)
    try check("limit on drained bytes", limits.drained, 0...1 << 40)
    if let places {
      try check("number of short places", places.short, 1...4096)
      try check("number of long places", places.long, 1...4096)
    }
    for time in [times.header, times.idle, times.authentication, times.ping, times.closing] {
      guard time > .zero, time <= .seconds(86_400) else {
        throw SafelightError(
          .invalidValue, "A time of the server is \(time)", remedy: "choose more than 0 s, at most a day")
      }
    }
  }
}
