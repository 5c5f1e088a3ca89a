import NIOHTTP1

/// NIO's parser of requests, as this server uses it.
enum RequestParser {
  static func decoder(_ limits: WebServerSettings.Limits) -> HTTPRequestDecoder {
    var configuration = NIOHTTPDecoderLimitConfiguration()
    configuration.maxHeaderFieldSize = limits.header
    configuration.maxHeaderListSize = limits.header
    configuration.maxHeaderFieldCount = 100
    return HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: configuration)
  }

  /// What a client is told whose request the parser does not take: a status and a sentence. Nil if nobody waits for
  /// them, because the request just ended early or the connection itself is broken.
  ///
  /// - Parameter firstLine: the bytes of the request's first line.
  static func refusal(_ error: any Error, firstLine: Int, _ limits: WebServerSettings.Limits) -> (
    status: Int, detail: String
  )? {
    switch error as? HTTPParserError {
    case .headerOverflow? where firstLine > limits.header:
      (414, "The address is longer than \(limits.target) bytes.")
    case .headerOverflow?:
      (431, "The header is longer than \(limits.header) bytes, or has more than 100 fields.")
    case .invalidMethod?: (501, "This server does not know the method.")
    case .invalidVersion?: (505, "This server speaks HTTP/1.1.")
    case .invalidEOFState?, nil: nil
    case .some: (400, "The request is malformed.")
    }
  }
}
