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

  static func page(headOnly: Bool) -> [UInt8] {
    make(
      "200 OK", type: "text/html; charset=utf-8",
      headers: ["Content-Security-Policy: default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"],
      pageText, headOnly: headOnly)
  }

  private static let pageText = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark">
    <title>Safelight</title>
    <style>
      html, body { height: 100%; margin: 0; background: #111; color: #aaa; font: 14px system-ui, sans-serif }
      body { display: grid; grid-template-rows: minmax(0, 1fr) auto }
      img { width: 100%; height: 100%; object-fit: contain }
      footer { padding: 8px 12px }
      a { color: #ddd }
    </style>
    <img src="/stream.mjpg" alt="Live picture">
    <footer>Safelight · <a href="/stream.mjpg">stream</a> · <a href="/snapshot.jpg">snapshot</a></footer>
    </html>

    """
}
