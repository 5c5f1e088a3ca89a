import NIOCore

/// The server's end of a WebSocket. All methods may be called on any thread, and none waits.
public final class WebSocketPeer: Sendable {
  /// A number that no other WebSocket of the server has.
  public let id: Int
  private let channel: any Channel
  private let outbox: WebSocketOutbox

  init(id: Int, channel: any Channel, outbox: WebSocketOutbox) {
    (self.id, self.channel, self.outbox) = (id, channel, outbox)
  }

  /// The bytes given to `send` that the kernel has not taken yet, whole messages counted until their last byte: a site
  /// that sends frames holds newer ones back while it is not 0. Above the limit of the settings, 64 MiB unless stated,
  /// they are dropped and the client is disconnected with code 1013.
  public var bytesWaiting: Int { outbox.waiting }

  /// Whether messages are still accepted; false once the connection ends or is asked to.
  public var isOpen: Bool { outbox.isOpen }

  public func send(text: String) { wake(outbox.put(WebSocketFrames.text(text))) }

  /// Sends one binary message: the pieces, one behind the other.
  public func send(binary pieces: [[UInt8]]) { wake(outbox.put(WebSocketFrames.binary(pieces))) }

  /// Ends the connection once the messages that wait are sent, or after the closing time of the settings.
  ///
  /// - Parameters:
  ///   - code: one of `WebSocketCode`, or 3000…4999; others become 1000.
  ///   - reason: for the page; at most 123 bytes of UTF-8, more are cut.
  public func close(code: UInt16 = WebSocketCode.normal, reason: String = "") {
    let code = WebSocketCode.isSendable(code) ? code : WebSocketCode.normal
    wake(outbox.close(.init(code: code, reason: reason)))
  }

  private func wake(_ isNeeded: Bool) {
    if isNeeded { channel.triggerUserOutboundEvent(WebSocketEvent.outbox, promise: nil) }
  }
}

/// What other threads tell the connection of a WebSocket.
enum WebSocketEvent: Sendable {
  /// Something waits to be sent.
  case outbox
  /// The first message had the token, or had not.
  case admitted, rejected
  /// Messages may be read again.
  case resume
}
