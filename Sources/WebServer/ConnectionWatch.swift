import NIOCore

/// Stands before the parser of a connection: sees to it that no client takes forever, and swallows what still arrives
/// after the last response.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  enum Phase {
    /// Nothing of the next request has arrived.
    case idle
    case header, body
    /// The site works on its answer, which takes what it takes.
    case answering
    case sending
    /// The next part of a stream is waited for, which takes what it takes.
    case watching
    /// The last response is sent. The client's bytes are still read: closing with unread ones would reset the
    /// connection and lose the response (RFC 9112, §9.6).
    case draining
  }

  /// The slowest average rate of a body, in bytes per second.
  private static let bodyRate = Int64(16 << 10)

  private let times: WebServerSettings.Times
  /// How long nothing may arrive: a connection that carries one request has no reason to be idle before it.
  private let idleTime: Duration
  private let limits: WebServerSettings.Limits
  /// The bytes that a client of a stream may still send, which nobody looks at; nil where there is none.
  private var chatter: Int?
  /// Called in `header` and `body`, where a client can be told.
  private let tooSlow: () -> Void
  private(set) var phase = Phase.idle
  /// The bytes of the request's first line, as far as it has arrived.
  private(set) var firstLine = 0
  private var isFirstLineComplete = false
  /// Since when it is in its phase.
  private(set) var began = NIODeadline.now()
  private var deadline: Deadline?
  private var context: ChannelHandlerContext?
  private var received: Int64 = 0
  private var unsent = Int.max

  init(_ settings: WebServerSettings, tooSlow: @escaping () -> Void) {
    (times, limits, self.tooSlow) = (settings.times, settings.limits, tooSlow)
    idleTime = settings.keepsConnections ? times.idle : times.header
  }

  /// From now on nothing of the client is understood, as its stream has no end: it may say as much as a header.
  func ignoreInput() { chatter = limits.header }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    deadline = Deadline(on: context.eventLoop) { [unowned self] in passed() }
    enter(.idle)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadline?.clear()
    (deadline, self.context) = (nil, nil)
  }

  func enter(_ phase: Phase) {
    self.phase = phase
    began = .now()
    received = 0
    switch phase {
    case .idle:
      (firstLine, isFirstLineComplete) = (0, false)
      deadline?.set(in: idleTime)
    case .header:
      deadline?.clear()
      deadline?.set(in: times.header)
    case .body: deadline?.set(in: times.idle)
    case .answering: deadline?.clear()
    case .sending:
      unsent = .max
      deadline?.set(in: times.idle)
    // The deadline of sending looks whether it still counts.
    case .watching: break
    case .draining:
      deadline?.clear()
      deadline?.set(in: times.closing)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if let chatter {
      self.chatter = chatter - bytes.readableBytes
      if chatter < bytes.readableBytes { context.close(promise: nil) }
      return
    }
    if phase == .draining {
      received += Int64(bytes.readableBytes)
      if received > limits.drained { context.close(promise: nil) }
      return
    }
    if phase == .idle { enter(.header) }
    if phase == .header, !isFirstLineComplete {
      let line = bytes.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }
      firstLine += line.count
      isFirstLineComplete = line.count < bytes.readableBytes
    }
    if phase == .body {
      received += Int64(bytes.readableBytes)
      deadline?.set(in: times.idle)
      if bodyIsLate { return tooSlow() }
    }
    context.fireChannelRead(data)
  }

  private var bodyIsLate: Bool {
    let time = (NIODeadline.now() - began).nanoseconds / 1_000_000_000
    return time > times.idle.components.seconds + 1 + received / Self.bodyRate
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if phase == .draining || chatter != nil, let event = event as? ChannelEvent, event == .inputClosed {
      return context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func passed() {
    guard let context else { return }
    switch phase {
    case .header, .body: tooSlow()
    case .sending:
      // As long as the client takes something, it is only slow.
      let rest = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
      guard let rest, rest < unsent else { return context.close(promise: nil) }
      unsent = rest
      deadline?.set(in: times.idle)
    case .watching: break
    case .idle, .answering, .draining: context.close(promise: nil)
    }
  }
}
