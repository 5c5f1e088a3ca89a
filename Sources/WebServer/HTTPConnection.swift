import NIOCore
import NIOHTTP1

/// A connection that carries HTTP: one request at a time, each answered before the next is looked at.
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case waiting
    /// The request has no body and is to be refused once it is complete.
    case refusing(WebResponse, isAttempt: Bool)
    case body(WebRequest, limit: Int)
    case upgrading(HTTPRequestHead)
    case answering, sending, streaming, draining
  }

  private let share: ServerShare
  private let connections: Connections
  private let entry: Connections.Entry
  private var watch: ConnectionWatch?
  private var context: ChannelHandlerContext?
  private var phase = Phase.waiting
  /// What has arrived of the body.
  private var body: [UInt8] = []
  private var isKeptAlive = true
  private var isHead = false
  private var isForAPI = false
  /// Parts of later requests, at most what one read brings: none is read before the response is sent.
  private var later = CircularBuffer<HTTPServerRequestPart>()
  private var laterError: (any Error)?
  private var isReadHeld = false
  private var hasInputEnded = false

  init(_ share: ServerShare, _ connections: Connections, _ entry: Connections.Entry) {
    (self.share, self.connections, self.entry) = (share, connections, entry)
  }

  /// Since when nothing, or only a part of a header, has been asked for; nil while a request is served.
  var unasked: (isIdle: Bool, since: NIODeadline)? {
    guard case .waiting = phase, let watch else { return nil }
    return (watch.phase == .idle, watch.began)
  }

  /// Puts the handlers of HTTP into a new connection.
  func install(in channel: any Channel) throws {
    let watch = ConnectionWatch(share.settings) { [unowned self] in
      fail(408, "The request took too long to arrive.")
    }
    self.watch = watch
    let decoder = RequestParser.decoder(share.settings.limits)
    try channel.pipeline.syncOperations.addHandlers([watch, ByteToMessageHandler(decoder), self])
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { (self.context, watch) = (nil, nil) }

  func channelInactive(context: ChannelHandlerContext) {
    phase = .draining
    later.removeAll()
    body = []
    // At once, or its place would be taken for a little longer.
    connections.remove(entry)
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    switch phase {
    case .answering, .sending: isReadHeld = true
    default: context.read()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    switch phase {
    case .answering, .sending: later.append(part)
    default: take(part, context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasInputEnded = true
    switch phase {
    // The client may have closed only its sending side.
    case .answering, .sending: break
    default: context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch phase {
    case .answering, .sending: laterError = error
    case .streaming, .draining: break
    default: fail(error)
    }
  }

  private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
    switch (part, phase) {
    case (.head(let head), .waiting): begin(head, context)
    case (.body(let bytes), .body(_, let limit)):
      guard body.count + bytes.readableBytes <= limit else {
        return fail(413, "The body is larger than \(limit) bytes.")
      }
      body.append(contentsOf: bytes.readableBytesView)
    case (.end, .body(var request, _)):
      swap(&request.body, &body)
      answer(request)
    case (.end, .refusing(let response, let isAttempt)): refuse(response, isAttempt: isAttempt)
    case (.end, .upgrading(let head)): upgrade(head, context)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    isHead = head.method == .HEAD
    // After a request for another protocol the parser reads no more.
    isKeptAlive =
      head.isKeepAlive && share.settings.keepsConnections && !head.headers.contains(name: "Upgrade")
      && head.method != .CONNECT
    isForAPI = head.uri.hasPrefix("/api")
    switch share.gate.judge(head, connectedTo: context.localAddress?.plainAddress) {
    case .refuse(let response, let isAttempt):
      share.note("\(response.status) \(StatusText.of(response.status))")
      let length = head.headers["Content-Length"]
      if head.headers.contains(name: "Transfer-Encoding") || !length.isEmpty && length != ["0"] {
        // Its body is not worth reading.
        isKeptAlive = false
        refuse(response, isAttempt: isAttempt)
      } else {
        phase = .refusing(response, isAttempt: isAttempt)
      }
    case .pass(var request, let limit, let expectsContinue, let isLong):
      body = []
      request.hasPlace = !isLong || connections.place(entry, .long)
      isForAPI = request.isForAPI
      phase = .body(request, limit: limit)
      watch?.enter(.body)
      guard expectsContinue else { return }
      context.writeAndFlush(
        Self.wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    case .openSocket: phase = .upgrading(head)
    }
  }

  /// Answers with a refusal; late after a wrong token, while other connections go on.
  private func refuse(_ response: WebResponse, isAttempt: Bool) {
    guard isAttempt, let context else { return send(response, isOwn: true) }
    share.countAttempt()
    phase = .answering
    watch?.enter(.answering)
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(share.settings.times.refusal)) {
      self.send(response, isOwn: true)
    }
  }

  private func answer(_ request: WebRequest) {
    guard let context else { return }
    phase = .answering
    watch?.enter(.answering)
    let (loop, site) = (context.eventLoop, share.site)
    let connection = NIOLoopBound(self, eventLoop: loop)
    let share = share
    share.answers.add(1, ordering: .relaxed)
    Task(executorPreference: share.pool) {
      let response = await site.respond(to: request)
      // An answer that is too late for the server's end has no thread to go to.
      if !share.hasStopped.load(ordering: .acquiring) { loop.execute { connection.value.finish(response) } }
      share.answers.subtract(1, ordering: .releasing)
    }
  }

  private func finish(_ response: WebResponse) {
    if (200...599).contains(response.status) { return send(response) }
    share.note("The site answered with the status \(response.status).")
    send(.problem(500, detail: "The server made a mistake."), isOwn: true)
  }

  private func fail(_ error: any Error) {
    if let refusal = RequestParser.refusal(error, firstLine: watch?.firstLine ?? 0, share.settings.limits) {
      fail(refusal.status, refusal.detail)
    } else {
      context?.close(promise: nil)
    }
  }

  private func fail(_ status: Int, _ detail: String) {
    share.note("\(status) \(StatusText.of(status))")
    send(.problem(status, detail: detail), isLast: true, isOwn: true)
  }

  private func send(_ response: WebResponse, isLast: Bool = false, isOwn: Bool = false) {
    guard let context, context.channel.isActive else { return }
    let response = isOwn ? share.site.worded(response) : response
    if isLast || response.length == nil || hasInputEnded || connections.isStopping { isKeptAlive = false }
    phase = .sending
    watch?.enter(.sending)
    var bytes = ResponseHead.bytes(
      of: response, connection: isKeptAlive ? .keepAlive : .close, isStored: !isForAPI && response.isStorable,
      isOwn: isOwn, share.settings.protections)
    if !isHead, response.hasBody {
      if let source = response.source { return pull(source, after: bytes, context) }
      if let body = response.body { bytes.writeBytes(body) }
    }
    let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(bytes)).whenComplete { result in
      if case .success = result { connection.value.sent() }
    }
  }

  /// Sends a body piece by piece.
  private func pull(_ body: WebBody, after head: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let watch else { return }
    let sender = BodySender(body, share, connections, entry, watch, context) { [unowned self] in sent() }
    entry.sender = sender
    if sender.stream != nil {
      phase = .streaming
      later.removeAll()
      watch.ignoreInput()
      // A client that has only closed its sending side cannot be told from one that has gone.
      if hasInputEnded { return context.close(promise: nil) }
      if isReadHeld {
        isReadHeld = false
        context.read()
      }
    }
    sender.begin(after: head)
  }

  private func sent() {
    guard let context else { return }
    entry.sender = nil
    connections.place(entry, .short)
    phase = isKeptAlive ? .waiting : .draining
    if isKeptAlive {
      watch?.enter(.idle)
      takeLater(context)
    } else {
      later.removeAll()
      watch?.enter(.draining)
      if hasInputEnded { return context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
    }
    guard isReadHeld else { return }
    switch phase {
    case .answering, .sending: break
    default:
      isReadHeld = false
      context.read()
    }
  }

  private func takeLater(_ context: ChannelHandlerContext) {
    while true {
      switch phase {
      case .answering, .sending, .draining: return
      default: break
      }
      guard let part = later.popFirst() else { break }
      if case .waiting = phase { watch?.enter(.header) }
      take(part, context)
    }
    if let laterError {
      self.laterError = nil
      fail(laterError)
    } else if hasInputEnded {
      context.close(promise: nil)
    }
  }

  /// Hands the connection over to a WebSocket.
  private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let operations = context.pipeline.syncOperations
    do {
      let response = try WebSocketHandshake.response(
        to: head, on: context.channel, share.settings.protections)
      let socket = WebSocketConnection(share)
      let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try operations.addHandlers(
        [WebSocketHandshake.decoder(share.settings.limits), socket], position: .after(self))
      context.writeAndFlush(Self.wrapOutboundOut(response), promise: nil)
      (entry.http, entry.socket) = (nil, socket)
      phase = .draining
      if let watch { operations.removeHandler(watch, promise: nil) }
      // It forwards the bytes that have come after the request.
      operations.removeHandler(decoder, promise: nil)
      operations.removeHandler(context: context, promise: nil)
      if connections.isStopping { socket.close(code: WebSocketCode.goingAway, reason: "The server stops.") }
    } catch {
      fail(400, "The request for a WebSocket is malformed.")
    }
  }
}
