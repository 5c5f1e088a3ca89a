/// The answer to a request.
///
/// The server adds the length, the connection's fields, the date, `Cache-Control` and the fields that protect the
/// page; it leaves out what a site may not set: those, `Server`, cookies and CORS.
public struct WebResponse: Sendable {
  /// 200…599.
  public var status: Int
  public var fields: WebFields
  /// Nil for no body, as with 204 and 304.
  public var body: [UInt8]?
  /// What the body is pulled from, if not from memory.
  public var source: WebBody?
  /// What a problem says; nil for other responses.
  public private(set) var detail: String?

  public init(status: Int, fields: WebFields = [:], body: [UInt8]? = nil) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// A body that is pulled.
  public init(status: Int = 200, type: String, from source: WebBody) {
    self.init(status: status, fields: ["Content-Type": type])
    self.source = source
  }

  /// Whether a body follows its head, unless the request was for the head only.
  var hasBody: Bool { status != 204 && status != 304 }

  /// Whether a browser may keep it: without a tag it could not ask whether it is still valid.
  var isStorable: Bool { (status < 300 || status == 304) && fields.contains("ETag") }

  /// The length of the body in bytes; nil for one without an end.
  var length: Int? { source.map(\.length) ?? (body?.count ?? 0) }

  /// A body of a media type.
  public init(status: Int = 200, type: String, _ body: [UInt8]) {
    self.init(status: status, fields: ["Content-Type": type], body: body)
  }

  public static func json(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status: status, type: "application/json", Array(text.utf8))
  }

  public static func text(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status: status, type: "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// A problem, as RFC 9457 writes it.
  ///
  /// - Parameters:
  ///   - title: what kind of problem it is; empty takes the status's own name.
  ///   - detail: what is wrong in this case, and what to do about it.
  public static func problem(_ status: Int, title: String = "", detail: String) -> WebResponse {
    let title = title.isEmpty ? StatusText.of(status) : title
    let text = "{\"title\":\(quoted(title)),\"status\":\(status),\"detail\":\(quoted(detail))}"
    var response = WebResponse(status: status, type: "application/problem+json", Array(text.utf8))
    response.detail = detail
    return response
  }

  public static let noContent = WebResponse(status: 204)
  public static let notFound = problem(404, detail: "There is nothing at this address.")

  /// A text as a JSON string. Source: RFC 8259, §7.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The names of status codes. Source: RFC 9110, §15; RFC 6585.
enum StatusText {
  static func of(_ status: Int) -> String { known[status] ?? "Status \(status)" }

  private static let known = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
    204: "No Content",
    206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 426: "Upgrade Required",
    428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
