import Safelight
import StudioPage
import Synchronization
import WebServer

/// What the studio's server serves: the page, its socket, and lists for scripts.
struct StudioSite: WebSite {
  private let room: StudioRoom
  private let photos: StudioPhotos
  private let files: [String: StaticContent]

  init(_ room: StudioRoom, _ photos: StudioPhotos) {
    (self.room, self.photos, files) = (room, photos, Self.page)
  }

  // MARK: Routes

  private enum Place {
    case file(StaticContent)
    case socket
    case list(String)
    case firstPicture
    case preset(String)
    case script(ScriptPlace)
  }

  private func place(of path: [String]) -> Place? {
    switch path {
    case [], [""]: files["index.html"].map { .file($0) }
    case ["api", "v1", "socket"]: .socket
    case ["api", "v1", "filters"], ["api", "v1", "presets"], ["api", "v1", "photos"],
      ["api", "openapi.json"]:
      .list(path[path.count - 1])
    case ["api", "v1", "first-picture"]: .firstPicture
    case _ where path.count == 4 && path.starts(with: ["api", "v1", "presets"]): .preset(path[3])
    case _ where path.starts(with: ["api", "v1"]): ScriptPlace(path.dropFirst(2)).map { .script($0) }
    default: path.first == "studio" ? files[path.dropFirst().joined(separator: "/")].map { .file($0) } : nil
    }
  }

  func route(of request: WebRequest) -> WebRoute? {
    switch place(of: request.path) {
    // The page itself is no secret, and loads before it can show the token.
    case .file: WebRoute(.get, isOpen: true)
    case .socket: .socket
    case .list, .firstPicture: WebRoute(.get)
    case .preset: WebRoute(.put, .delete, bodyLimit: PresetRequests.bodyLimit)
    case .script(let place): place.route
    case nil: nil
    }
  }

  func respond(to request: WebRequest) async -> WebResponse {
    switch place(of: request.path) {
    case .file(let file): return file.response(to: request)
    case .list("openapi.json"): return .json(StudioAPI.description)
    case .list(let name): return .json((StudioWelcome(photos).fields[name] ?? .array([])).text)
    case .firstPicture: return await firstPicture(request)
    case .preset(let name):
      let presets = PresetRequests(room: room)
      return request.method == .delete ? presets.delete(name) : presets.put(name, request)
    case .script(let place):
      do {
        return await room.answer(try ScriptRequest(place, request))
      } catch {
        return ScriptRefusal.response(to: error)
      }
    case .socket, nil: return .notFound
    }
  }

  private func firstPicture(_ request: WebRequest) async -> WebResponse {
    do {
      let picture = try FirstPicture(request.query)
      // What a camera sees comes over the socket alone.
      let showsCamera = room.camera?.sources.start != nil && !photos.isFirstChosen
      return showsCamera ? FirstPicture.none : await room.answer(picture)
    } catch {
      return ScriptRefusal.response(to: error)
    }
  }

  // MARK: Socket

  func token(inFirstMessage text: String) -> String? {
    guard case .object(let fields)? = try? JSONValue(parsing: Array(text.utf8), file: "message"),
      fields["type"] == .string("hello"), case .string(let token)? = fields["token"]
    else { return nil }
    return token
  }

  func open(_ socket: WebSocketPeer) -> any WebSocketHandler {
    room.join(ConnectedPage(socket: socket))
    return PageMessages(room: room, peer: socket.id)
  }

  // MARK: Files

  /// The scripts that browsers start, which are joined with all modules that they need.
  static let scripts = ["start.js", "main.js", "core/line.js"]

  /// All files as they are, but for the page's modules and styles, which are joined.
  private static let page: [String: StaticContent] = {
    var files: [String: [UInt8]] = [:]
    for index in 0..<studio_file_count() {
      guard let row = studio_file_at(index)?.pointee else { continue }
      files[String(cString: row.path)] = Array(UnsafeBufferPointer(start: row.bytes, count: row.length))
    }
    let bundle = PageBundle(files: files.mapValues { String(decoding: $0, as: UTF8.self) })
    let joined = bundle.joiningStyles(of: bundle.files["index.html"] ?? "")
    files["index.html"] = Array(joined.html.utf8)
    files["style.css"] = Array(joined.styles.utf8)
    // A test sees to it that all modules can be joined; if they could not, they would work all the same.
    for entry in scripts {
      files[entry] = (try? bundle.script(from: entry)).map { Array($0.utf8) } ?? files[entry]
    }
    return Dictionary(
      uniqueKeysWithValues: files.map { ($0.key, StaticContent($0.value, type: mediaType(of: $0.key))) })
  }()

  private static func mediaType(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}

/// A page at the other end of a WebSocket.
private struct ConnectedPage: StudioPeer {
  let socket: WebSocketPeer
  var id: Int { socket.id }
  var bytesWaiting: Int { socket.bytesWaiting }

  func send(_ text: String) { socket.send(text: text) }
  func send(_ pieces: [[UInt8]]) { socket.send(binary: pieces) }
  func close(_ reason: String) { socket.close(reason: reason) }
}

/// Passes a page's messages on.
private final class PageMessages: WebSocketHandler {
  private let room: StudioRoom
  private let peer: Int
  /// Whether the first message has come, which only showed the token.
  private let isGreeted = Atomic(false)

  init(room: StudioRoom, peer: Int) { (self.room, self.peer) = (room, peer) }

  func receive(text: String) {
    if isGreeted.exchange(true, ordering: .relaxed) { room.receive(text, from: peer) }
  }

  func receive(binary: [UInt8]) { room.receive("", from: peer) }

  func closed() { room.leave(peer) }
}
