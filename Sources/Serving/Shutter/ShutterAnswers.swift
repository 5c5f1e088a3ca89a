import FrameCore
import PhotoIO
import WebServer

/// Answers to requests about photos: a press, the shutter's state, and what was taken.
struct ShutterAnswers: Sendable {
  /// The header that a press must have. Browsers let pages of other origins send it only if the server agrees, which
  /// this one never does.
  static let header = "X-Safelight"
  /// How long an answer waits for its photo.
  private static let photoTime = Duration.seconds(60)

  let shutter: RemoteShutter

  /// Whether the path is one of a shutter's; others are not answered here.
  static func has(_ path: [String]) -> Bool {
    [["photo"], ["shutter.json"], ["shutter.js"]].contains(path) || path.count > 1 && path[0] == "photo"
  }

  /// Whether the answer takes time: a press that waits for its photo, and the file of a photo.
  func isLong(_ request: WebRequest) -> Bool {
    if request.path == ["photo"] { return (try? PressRequest(query: request.rawQuery))?.waits ?? false }
    return request.path.count == 2 && !request.isHead && !request.path[1].hasSuffix(".json")
  }

  /// - Parameter request: one that may see the page, for a path of a shutter's, with the method of that.
  func answer(_ request: WebRequest) async -> WebResponse {
    switch request.path {
    case ["photo"]: return await press(request)
    case ["shutter.js"]:
      return WebResponse(type: "text/javascript; charset=utf-8", Array(ShutterPage.script.utf8))
    case ["shutter.json"]: return .json(state(now: .now))
    default: return photo(request)
    }
  }

  // MARK: A press

  private func press(_ request: WebRequest) async -> WebResponse {
    guard request.isFromOwnOrigin else {
      return .text("Pages of other origins may not take photos.\n", status: 403)
    }
    guard request.fields.contains(Self.header) else {
      return .text(
        "A press needs the header “\(Self.header): 1”, which pages of other sites cannot send.\n", status: 403
      )
    }
    do {
      let press = try PressRequest(query: request.rawQuery)
      switch shutter.press(at: try press.moment(now: request.arrival), now: request.arrival) {
      case .success(let number):
        // Without a place to wait in, the press is taken all the same.
        return press.waits && request.hasPlace ? await result(of: number) : Self.accepted(number)
      case .failure(RefusedPress(reason: .ended)):
        return .text("No photos are taken at the moment.\n", status: 503)
      case .failure:
        var response = WebResponse.text(
          "Earlier photos are still being written; press again in a second.\n", status: 429)
        response.fields.add("Retry-After", "1")
        return response
      }
    } catch {
      return .text("\(error)\n", status: 400)
    }
  }

  /// The answer to a press whose photo is not there yet.
  private static func accepted(_ number: Int) -> WebResponse {
    located(.json("{\"photo\":\(number)}\n", status: 202), number)
  }

  private static func located(_ response: WebResponse, _ number: Int) -> WebResponse {
    var response = response
    response.fields.add("Location", "/photo/\(number)")
    return response
  }

  /// The answer to a press once it has ended: the report of its photo, or the list of its photos' reports. If that
  /// takes too long to wait for, where it will be.
  private func result(of number: Int) async -> WebResponse {
    switch await shutter.end(of: number, within: Self.photoTime) {
    case .taken(let photos)?: Self.located(.json(Self.report(photos), status: 201), number)
    case .failed(let sentence)?: .text(sentence + "\n", status: 500)
    case .underWay?: Self.accepted(number)
    case nil:
      shutter.outcome(of: number) == nil
        ? .text("The photo is not known any more.\n", status: 500) : Self.accepted(number)
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
  private func photo(_ request: WebRequest) -> WebResponse {
    let name = request.path[1]
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    let rest = ([String(name.dropFirst(digits.count))] + request.path.dropFirst(2)).joined(separator: "/")
    guard digits.count <= 18, let number = Int(digits), let outcome = shutter.outcome(of: number),
      ["", ".json", "/thumbnail"].contains(rest)
    else { return Self.missing }
    let photos: [RemoteShutter.Photo]
    switch outcome {
    case .underWay: return Self.accepted(number)
    case .failed(let sentence): return .text(sentence + "\n", status: 404)
    case .taken(let taken): photos = taken
    }
    guard let photo = photos.first else { return Self.missing }
    switch rest {
    case ".json": return .json(Self.report(photos))
    case "/thumbnail":
      return photo.thumbnail.map { WebResponse(type: "image/jpeg", $0) } ?? Self.missing
    default: return Self.file(photo, number, request)
    }
  }

  private static func file(_ photo: RemoteShutter.Photo, _ number: Int, _ request: WebRequest) -> WebResponse
  {
    guard let file = ServedFile(photo.path, photo.identity) else {
      return .text("The photo is not there any more.\n", status: 410)
    }
    guard request.hasPlace else {
      var response = WebResponse.text("All places are taken.\n", status: 503)
      response.fields.add("Retry-After", "5")
      return response
    }
    let format = photo.path.lastIndex(of: ".").map { photo.path[photo.path.index(after: $0)...] }
      .flatMap { PhotoFileFormat(pathExtension: String($0)) }
    let isDNG = photo.path.lowercased().hasSuffix(".dng")
    let name = "photo-\(number).\(isDNG ? "dng" : format?.pathExtensions.first ?? "bin")"
    var response = WebResponse(
      type: isDNG ? "image/x-adobe-dng" : format?.mediaType ?? "application/octet-stream",
      from: .pieces(length: file.length) { file.next() })
    response.fields.add("Content-Disposition", "inline; filename=\"\(name)\"")
    return response
  }

  private static var missing: WebResponse {
    .text(
      "There is no such photo; the newest \(ShutterDesk.mostKept) of this run are here.\n", status: 404)
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
