import NIOCore
import NIOWebSocket

/// A connection that carries a WebSocket.
final class WebSocketConnection: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let share: ServerShare
  private let outbox: WebSocketOutbox
  private var inbox: WebSocketInbox?
  private var context: ChannelHandlerContext?
  private var assembly: MessageAssembly
  /// For the first message, then none.
  private var admission: Deadline?
  private var ping: Deadline?
  /// For the client to answer a close.
  private var closing: Deadline?
  /// Since when the first message is waited for; nil once it has had the token.
  private(set) var unknownSince: NIODeadline? = NIODeadline.now()
  private var missedPings = 0
  private var isReading = true
  private var isRejected = false
  private var isCloseSent = false
  /// The newest ping of the client that is unanswered as long as the client takes nothing.
  private var unanswered: ByteBuffer?

  init(_ share: ServerShare) {
    self.share = share
    outbox = WebSocketOutbox(limit: share.settings.limits.waiting)
    assembly = MessageAssembly(limit: share.settings.limits.message)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let channel = context.channel
    let peer = WebSocketPeer(id: share.socketNumber(), channel: channel, outbox: outbox)
    inbox = WebSocketInbox(share, peer) { channel.triggerUserOutboundEvent($0, promise: nil) }
    admission = Deadline(on: context.eventLoop) { [unowned self] in
      share.note("A WebSocket gave no token in time.")
      close(code: WebSocketCode.policyViolation, reason: "The token did not come in time.")
    }
    ping = Deadline(on: context.eventLoop) { [unowned self] in sendPing() }
    closing = Deadline(on: context.eventLoop) { [unowned self] in self.context?.close(promise: nil) }
    admission?.set(in: share.settings.times.authentication)
    ping?.set(in: share.settings.times.ping)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    for deadline in [admission, ping, closing] { deadline?.clear() }
    (admission, ping, closing, context) = (nil, nil, nil, nil)
    outbox.end()
    _ = inbox?.put(.closed)
    inbox = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    // After our close only the client's is of interest.
    guard !isCloseSent || frame.opcode == .connectionClose else { return }
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return close(code: WebSocketCode.protocolError, reason: "A frame is malformed.")
    }
    switch frame.opcode {
    case .ping: answer(frame.unmaskedData)
    case .pong: missedPings = 0
    case .connectionClose: takeClose(frame.unmaskedData)
    case .text, .binary, .continuation: take(frame)
    default: close(code: WebSocketCode.protocolError, reason: "The kind of a frame is unknown.")
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error as? NIOWebSocketError {
    case .invalidFrameLength?: close(code: WebSocketCode.tooLarge, reason: "The message is too long.")
    case .some: close(code: WebSocketCode.protocolError, reason: "A frame is malformed.")
    case nil: context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let event = event as? WebSocketEvent else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
    switch event {
    case .outbox:
      outbox.look()
      // A client that takes nothing does not see the close either.
      if outbox.farewell != nil { closing?.set(in: share.settings.times.closing) }
      sendWaiting()
    case .admitted:
      unknownSince = nil
      admission?.clear()
    case .rejected: reject()
    case .resume: setReading(true)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    sendWaiting()
    context.fireChannelWritabilityChanged()
  }

  /// Ends the connection without regard to what waits.
  func close(code: UInt16, reason: String) {
    guard let context, !isCloseSent else { return }
    isCloseSent = true
    outbox.end()
    context.writeAndFlush(Self.wrapOutboundOut(WebSocketFrames.close(code, reason)), promise: nil)
    admission?.clear()
    ping?.clear()
    closing?.set(in: share.settings.times.closing)
    setReading(true)
  }

  private func take(_ frame: WebSocketFrame) {
    guard !isRejected else { return }
    switch assembly.take(frame.opcode, isLast: frame.fin, frame.unmaskedData) {
    case .incomplete: break
    case .text(let text): deliver(.text(text))
    case .binary(let bytes): deliver(.binary(bytes))
    case .failure(let code): close(code: code, reason: "A message is malformed or too long.")
    }
  }

  private func deliver(_ message: WebSocketInbox.Message) {
    if inbox?.put(message) == false { setReading(false) }
  }

  /// A wrong token is answered late, while other connections go on.
  private func reject() {
    guard let context, !isCloseSent else { return }
    share.countAttempt()
    isRejected = true
    admission?.clear()
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(share.settings.times.refusal)) {
      self.close(code: WebSocketCode.policyViolation, reason: "The token is wrong.")
    }
  }

  private func sendWaiting() {
    guard let context, !isCloseSent else { return }
    var hasWritten = false
    if let data = unanswered, context.channel.isWritable {
      unanswered = nil
      answer(data)
    }
    while context.channel.isWritable, let frame = outbox.next() {
      let (count, outbox) = (frame.readableBytes, outbox)
      context.write(Self.wrapOutboundOut(frame)).whenComplete { _ in outbox.finished(count) }
      hasWritten = true
    }
    if hasWritten { context.flush() }
    if context.channel.isWritable, let farewell = outbox.farewell {
      close(code: farewell.code, reason: farewell.reason)
    }
  }

  private func answer(_ ping: ByteBuffer) {
    guard let context else { return }
    // One that never reads cannot make pongs pile up: the newest is enough (RFC 6455, §5.5.3).
    guard context.channel.isWritable else {
      unanswered = ping
      return
    }
    context.writeAndFlush(Self.wrapOutboundOut(WebSocketFrames.control(.pong, ping)), promise: nil)
  }

  private func sendPing() {
    guard let context, !isCloseSent else { return }
    if missedPings >= 2 {
      share.note("A WebSocket answered no pings.")
      return context.close(promise: nil)
    }
    // While it is not read, its pongs are not seen.
    if isReading {
      missedPings += 1
      context.writeAndFlush(Self.wrapOutboundOut(WebSocketFrames.control(.ping)), promise: nil)
    }
    ping?.set(in: share.settings.times.ping)
  }

  /// Source: RFC 6455, §5.5.1 and §7.1.
  private func takeClose(_ payload: ByteBuffer) {
    guard let context else { return }
    var payload = payload
    guard !isCloseSent else { return context.close(promise: nil) }
    let size = payload.readableBytes
    let code = payload.readInteger(as: UInt16.self)
    guard size != 1, code.map(WebSocketCode.isSendable) ?? true else {
      return close(code: WebSocketCode.protocolError, reason: "The code of the close is malformed.")
    }
    guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else {
      return close(code: WebSocketCode.invalidText, reason: "The reason of the close is no UTF-8.")
    }
    close(code: code ?? WebSocketCode.normal, reason: "")
    let loop = context.eventLoop
    let bound = NIOLoopBound(context, eventLoop: loop)
    // Behind the close frame, if that can be sent at all.
    context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer())).whenComplete { _ in
      bound.value.close(promise: nil)
    }
  }

  private func setReading(_ isOn: Bool) {
    guard let context, isReading != isOn else { return }
    isReading = isOn
    try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    if isOn { context.read() }
  }
}
