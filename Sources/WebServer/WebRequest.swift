import FrameCore

/// What a request wants to be done.
public struct WebMethod: RawRepresentable, Sendable, Hashable {
  /// In upper case, as on the wire.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let get = WebMethod(rawValue: "GET")
  public static let head = WebMethod(rawValue: "HEAD")
  public static let post = WebMethod(rawValue: "POST")
  public static let put = WebMethod(rawValue: "PUT")
  public static let patch = WebMethod(rawValue: "PATCH")
  public static let delete = WebMethod(rawValue: "DELETE")
  public static let options = WebMethod(rawValue: "OPTIONS")

  public static let trace = WebMethod(rawValue: "TRACE")
  public static let query = WebMethod(rawValue: "QUERY")

  /// All methods that the server understands; what it does not know is answered with 501, what a place does not allow
  /// with 405.
  static let known: [WebMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .query]
  /// Whether it is one that changes nothing.
  var isSafe: Bool { self == .get || self == .head }
  /// Whether it comes with a body, whose length must be known.
  var needsLength: Bool { [.post, .put, .patch, .query].contains(self) }
}

/// A request that the server has found sound.
public struct WebRequest: Sendable {
  /// The method; HEAD is given as GET, whose body the server leaves out.
  public internal(set) var method: WebMethod
  /// The parts of the path, percent-decoded: `/api/v1/a%20b` is `["api", "v1", "a b"]`, and `/` has none. No part is
  /// `.` or `..`, and none has a slash, a backslash or a control character.
  public internal(set) var path: [String]
  public internal(set) var query: [QueryItem]
  public internal(set) var fields: WebFields
  /// What follows the question mark of the target, as it came; empty if nothing does.
  public internal(set) var rawQuery = ""
  /// Empty while a route is chosen.
  public internal(set) var body: [UInt8] = []
  /// Whether the method was HEAD.
  public internal(set) var isHead = false
  /// When its header was complete.
  public internal(set) var arrival = Timestamp.now
  /// Whether there is a place for an answer that takes time. Without one, a site says so at once (503).
  public internal(set) var hasPlace = true
  /// The host that it is addressed to, where the server knows more than its own names.
  var host: WebHost?

  /// The media type of the body, in lower case and without parameters; nil if it is not stated once.
  public var mediaType: String? {
    fields.single("Content-Type")?.split(separator: ";").first.map { WebFields.trimmed($0).lowercased() }
  }

  public struct QueryItem: Sendable, Hashable {
    public var name: String
    /// Empty if there is no equals sign.
    public var value: String
  }

  /// The value of the query item of a name; nil if it is missing or repeated.
  public func query(_ name: String) -> String? {
    let values = query.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Whether the path is under `/api`, where nothing is stored by browsers.
  var isForAPI: Bool { path.first == "api" }
}
