import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The change of a connection from HTTP to WebSocket. Source: RFC 6455, §4.2.2.
enum WebSocketHandshake {
  /// Returns the bytes of the response to a request that the gate has let pass.
  ///
  /// - Throws: if the request's key or version is repeated or malformed.
  static func response(
    to head: HTTPRequestHead, on channel: any Channel, _ settings: WebServerSettings.Protections
  )
    throws -> ByteBuffer
  {
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    // NIO is used for the hash of the key alone, which it computes at once.
    var found: Result<HTTPHeaders, any Error>?
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: [:])
      .assumeIsolated().whenComplete { found = $0 }
    guard let fields = try found?.get(), let key = fields.first(name: "Sec-WebSocket-Accept") else {
      throw NIOWebSocketUpgradeError.invalidUpgradeHeader
    }
    let response = WebResponse(status: 101, fields: ["Upgrade": "websocket", "Sec-WebSocket-Accept": key])
    return ResponseHead.bytes(of: response, connection: .upgrade, isStored: false, isOwn: true, settings)
  }

  static func decoder(_ limits: WebServerSettings.Limits) -> ByteToMessageHandler<WebSocketFrameDecoder> {
    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.message))
  }
}
