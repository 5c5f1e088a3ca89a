/// The heads and small bodies of this server's responses.
enum HTTPResponse {
  /// Returns a complete response, after which the connection is closed.
  static func make(
    _ status: String, type: String = "text/plain; charset=utf-8", headers: [String] = [], _ body: String,
    headOnly: Bool = false
  ) -> [UInt8] {
    head(status, type: type, headers: headers + ["Content-Length: \(body.utf8.count)"])
      + (headOnly ? [] : Array(body.utf8))
  }

  /// As above, for a body of bytes.
  static func make(
    _ status: String, type: String, headers: [String] = [], bytes: [UInt8], headOnly: Bool = false
  ) -> [UInt8] {
    head(status, type: type, headers: headers + ["Content-Length: \(bytes.count)"]) + (headOnly ? [] : bytes)
  }

  static func head(_ status: String, type: String, headers: [String]) -> [UInt8] {
    let lines = [
      "HTTP/1.1 \(status)", "Content-Type: \(type)", "Cache-Control: no-store", "Connection: close",
      "X-Content-Type-Options: nosniff",
      // Pages of other sites must not embed the camera's picture.
      "Cross-Origin-Resource-Policy: same-site",
    ]
    return Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The head of the endless stream response, and the boundary before its first part.
  static let streamHead = streamHeadOnly + Array("--\(EncodedFrame.boundary)\r\n".utf8)
  static let streamHeadOnly =
    head("200 OK", type: "multipart/x-mixed-replace; boundary=\(EncodedFrame.boundary)", headers: [])

  /// - Parameter hasScript: whether the page has the shutter's script, which asks this server.
  static func page(_ text: String, hasScript: Bool = false, headOnly: Bool) -> [UInt8] {
    let script = hasScript ? "; script-src 'self'; connect-src 'self'" : ""
    return make(
      "200 OK", type: "text/html; charset=utf-8",
      headers: [
        "Content-Security-Policy: default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; "
          + "frame-ancestors 'none'" + script
      ], text, headOnly: headOnly)
  }
}
