import FrameCore
import PhotoIO

/// Answers to requests about photos: a press, the shutter's state, and what was taken.
struct ShutterAnswers: Sendable {
  /// The header that a press must have. Browsers let pages of other origins send it only if the server agrees, which
  /// this one never does.
  static let header = "X-Safelight"

  let shutter: RemoteShutter

  /// Whether the path is one of a shutter's; others are not answered here.
  static func has(_ path: String) -> Bool {
    ["/photo", "/shutter.json", "/shutter.js"].contains(path) || path.hasPrefix("/photo/")
  }

  /// - Parameter request: one that may see the page, for a path of a shutter's.
  func answer(_ request: HTTPRequest, now: Timestamp) -> StreamAnswers.Answer {
    if request.path == "/photo" { return press(request, now: now) }
    guard request.method != "POST" else {
      return .bytes(HTTPResponse.make("405 Method Not Allowed", headers: ["Allow: GET, HEAD"], "Use GET.\n"))
    }
    let headOnly = request.method == "HEAD"
    switch request.path {
    case "/shutter.js":
      return .bytes(
        HTTPResponse.make(
          "200 OK", type: "text/javascript; charset=utf-8", ShutterPage.script, headOnly: headOnly))
    case "/shutter.json":
      return .bytes(
        HTTPResponse.make("200 OK", type: "application/json", state(now: now), headOnly: headOnly))
    default: return photo(request, headOnly: headOnly)
    }
  }

  // MARK: A press

  private func press(_ request: HTTPRequest, now: Timestamp) -> StreamAnswers.Answer {
    guard request.method == "POST" else {
      return .bytes(
        HTTPResponse.make("405 Method Not Allowed", headers: ["Allow: POST"], "POST takes a photo.\n"))
    }
    guard request.isFromOwnOrigin else {
      return .bytes(HTTPResponse.make("403 Forbidden", "Pages of other origins may not take photos.\n"))
    }
    guard request.hasOwnHeader else {
      return .bytes(
        HTTPResponse.make(
          "403 Forbidden",
          "A press needs the header “\(Self.header): 1”, which pages of other sites cannot send.\n"))
    }
    do {
      let press = try PressRequest(query: request.query)
      switch shutter.press(at: try press.moment(now: now), now: now) {
      case .success(let number): return press.waits ? .photo(number) : .bytes(Self.accepted(number))
      case .failure(RefusedPress(reason: .ended)):
        return .bytes(HTTPResponse.make("503 Service Unavailable", "No photos are taken at the moment.\n"))
      case .failure:
        return .bytes(
          HTTPResponse.make(
            "429 Too Many Requests", headers: ["Retry-After: 1"],
            "Earlier photos are still being written; press again in a second.\n"))
      }
    } catch {
      return .bytes(HTTPResponse.make("400 Bad Request", "\(error)\n"))
    }
  }

  /// The answer to a press whose photo is not there yet.
  static func accepted(_ number: Int) -> [UInt8] {
    HTTPResponse.make(
      "202 Accepted", type: "application/json", headers: ["Location: /photo/\(number)"],
      "{\"photo\":\(number)}\n")
  }

  /// The answer to a press that has ended: the report of its photo, or the list of its photos' reports. Nil while it
  /// is under way.
  func result(of number: Int) -> [UInt8]? {
    switch shutter.outcome(of: number) {
    case .underWay?: nil
    case .taken(let photos)?:
      HTTPResponse.make(
        "201 Created", type: "application/json", headers: ["Location: /photo/\(number)"], Self.report(photos))
    case .failed(let sentence)?: HTTPResponse.make("500 Internal Server Error", sentence + "\n")
    case nil: HTTPResponse.make("500 Internal Server Error", "The photo is not known any more.\n")
    }
  }

  private static func report(_ photos: [RemoteShutter.Photo]) -> String {
    photos.count == 1 ? photos[0].report + "\n" : "[" + photos.map(\.report).joined(separator: ",\n") + "]\n"
  }

  // MARK: The state

  /// `clock` is the time on CLOCK_MONOTONIC in milliseconds, `photo` the newest press that became a photo.
  private func state(now: Timestamp) -> String {
    let micros = String(now.nanoseconds / 1000 % 1000)
    let clock =
      "\(now.nanoseconds / 1_000_000)." + String(repeating: "0", count: 3 - micros.utf8.count) + micros
    return "{\"clock\":\(clock),\"photo\":\(shutter.newest.map(String.init) ?? "null"),"
      + "\"readiness\":\"\(shutter.readiness.rawValue)\"}\n"
  }

  // MARK: Photos

  /// `/photo/N`, `/photo/N.json`, `/photo/N/thumbnail`.
  private func photo(_ request: HTTPRequest, headOnly: Bool) -> StreamAnswers.Answer {
    let rest = request.path.dropFirst("/photo/".count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard digits.count <= 18, let number = Int(digits), let outcome = shutter.outcome(of: number),
      ["", ".json", "/thumbnail"].contains(rest.dropFirst(digits.count))
    else { return .bytes(Self.missing(headOnly)) }
    let photos: [RemoteShutter.Photo]
    switch outcome {
    case .underWay: return .bytes(Self.accepted(number))
    case .failed(let sentence):
      return .bytes(HTTPResponse.make("404 Not Found", sentence + "\n", headOnly: headOnly))
    case .taken(let taken): photos = taken
    }
    guard let photo = photos.first else { return .bytes(Self.missing(headOnly)) }
    switch rest.dropFirst(digits.count) {
    case ".json":
      return .bytes(
        HTTPResponse.make("200 OK", type: "application/json", Self.report(photos), headOnly: headOnly))
    case "/thumbnail":
      guard let thumbnail = photo.thumbnail else { return .bytes(Self.missing(headOnly)) }
      return .bytes(HTTPResponse.make("200 OK", type: "image/jpeg", bytes: thumbnail, headOnly: headOnly))
    default: return Self.file(photo, number, headOnly: headOnly)
    }
  }

  private static func file(_ photo: RemoteShutter.Photo, _ number: Int, headOnly: Bool)
    -> StreamAnswers.Answer
  {
    guard let file = ServedFile(photo.path, photo.identity) else {
      return .bytes(HTTPResponse.make("410 Gone", "The photo is not there any more.\n", headOnly: headOnly))
    }
    let format = photo.path.lastIndex(of: ".").map { photo.path[photo.path.index(after: $0)...] }
      .flatMap { PhotoFileFormat(pathExtension: String($0)) }
    let isDNG = photo.path.lowercased().hasSuffix(".dng")
    let name = "photo-\(number).\(isDNG ? "dng" : format?.pathExtensions.first ?? "bin")"
    let head = HTTPResponse.head(
      "200 OK", type: isDNG ? "image/x-adobe-dng" : format?.mediaType ?? "application/octet-stream",
      headers: ["Content-Length: \(file.length)", "Content-Disposition: inline; filename=\"\(name)\""])
    return headOnly ? .bytes(head) : .file(head, file)
  }

  private static func missing(_ headOnly: Bool) -> [UInt8] {
    HTTPResponse.make(
      "404 Not Found", "There is no such photo; the newest \(ShutterDesk.mostKept) of this run are here.\n",
      headOnly: headOnly)
  }
}

extension PhotoFileFormat {
  /// The media type that browsers know the format by.
  fileprivate var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .tiff: "image/tiff"
    case .webp: "image/webp"
    case .heic: "image/heic"
    case .avif: "image/avif"
    case .jxl: "image/jxl"
    }
  }
}
