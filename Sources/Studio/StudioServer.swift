import Libc
import Safelight
import Synchronization
import WebServer

/// A page in the browser on which photos are edited.
///
///     let studio = try StudioServer("shoot/")
///     print(try studio.start())   // http://localhost:8555/#token=…
public final class StudioServer: Sendable {
  /// Where the page is served.
  public struct Settings: Sendable {
    /// An address of this machine; all others but loopback let other machines in, who need the token.
    public var host = "127.0.0.1"
    /// 0 takes any free port. Nil takes 8555 or, if other programs have that, the first of those behind it that is free:
    /// what a browser keeps for a page belongs to its port, too.
    public var port: Int?
    /// The origin of a proxy with TLS in front of the server: `https://photos.example`.
    public var publicOrigin: String?
    /// What the camera shows at first, as `LiveSource` reads it: `default`, `/dev/video0`, a camera's id, `synthetic`, a
    /// clip. Nil begins with the photos; the cameras of this machine can be opened all the same.
    public var camera: String?
    /// Where the camera's photos and movies go, made when it is needed; nil takes the folder of the photos if there is
    /// one, and `Safelight` in the user's folder of pictures otherwise.
    public var output: String?
    /// What the page can show photos as reproduced by, such as a printer; it does so from the start. Nil for nothing.
    public var proof: SoftProof?
    /// Whether a folder may have no photos: the page then says so, and offers the camera.
    public var mayBeEmpty = false
    /// Receives a line for each refusal, without text of clients.
    public var note: @Sendable (String) -> Void = { _ in }

    public init() {}
  }

  private let room: StudioRoom
  /// Nil until it serves.
  private let server = Mutex<WebServer?>(nil)
  private let token = AccessToken()
  private let settings: Settings
  private let photos: StudioPhotos
  /// Nil until it serves.
  private let address = Mutex<String?>(nil)
  /// The number of photos that can be opened now.
  public var photoCount: Int { photos.entries.count }

  /// - Parameter path: a photo, or a folder of photos; nil takes the folder that the camera's photos go to.
  /// - Throws: `SafelightError` if the path cannot be read or has no photos, if there is no such camera, or if a setting
  ///   is wrong.
  public init(_ path: String?, _ settings: Settings = Settings()) throws {
    let output = settings.output ?? CameraFolder.usual
    // Of a source and of what is written, that which is not there is named before anything else.
    let sources = try CameraSources(settings.camera)
    photos = try StudioPhotos(
      path ?? output, isToBeFilled: path == nil || settings.camera != nil || settings.mayBeEmpty)
    self.settings = settings
    let folder = settings.output ?? photos.folderPath ?? output
    room = try StudioRoom(
      photos, camera: StudioRoom.CameraPlace(sources: sources, folder: folder), proof: settings.proof)
    do {
      // What is wrong with the settings is said before anything is started.
      _ = try server(at: settings.port ?? Self.ports.lowerBound)
    } catch {
      room.close()
      throw error
    }
  }

  private static let ports = 8555...8574

  private func server(at port: Int) throws -> WebServer {
    var web = WebServerSettings(token: token)
    (web.host, web.port, web.publicOrigin) = (settings.host, port, settings.publicOrigin)
    web.note = settings.note
    return try WebServer(web, site: StudioSite(room, photos))
  }

  /// Whether a text names what a camera shows rather than photos.
  ///
  /// - Throws: `SafelightError` if it is neither, nor a file that is there.
  public static func isCamera(_ text: String) throws -> Bool {
    switch FileContents.kind(of: text) {
    case .folder: return false
    case .file:
      if StudioPhotos.isPhoto(StudioPhotos.name(of: text)) || (try? PhotoHeader.read(text)) != nil {
        return false
      }
    case .missing: break
    }
    do {
      switch try LiveSource(text) {
      case .defaultCamera, .camera, .cameraWithID, .synthetic, .syntheticPages, .video: return true
      // A photo is edited, not played.
      case .pictures: return text.contains("*")
      }
    } catch is SafelightError {
      throw SafelightError(
        .file, "There is no “\(text)”: no such photo or folder, and no camera with this id",
        remedy: "see “safelight devices”, or open the drawn scene with “safelight studio synthetic”")
    }
  }

  /// What the camera shows at first; nil if it begins with the photos.
  public var cameraName: String? { room.camera?.sources.start?.name }

  /// Where the camera's photos and movies go.
  public var outputFolder: String { room.camera?.folder ?? "" }

  /// Starts to serve.
  ///
  /// - Returns: the address of the page. Whoever has it can edit the photos: the part behind `#` is a secret that
  ///   browsers do not send, and a new one with every start.
  /// - Throws: `SafelightError` if the port is taken.
  @discardableResult
  public func start() throws -> String {
    let ports = settings.port.map { $0...$0 } ?? Self.ports
    var refusal: (any Error)?
    for port in ports {
      do {
        let server = try server(at: port)
        let place = try server.start()
        let address = address(at: place)
        self.server.withLock { $0 = server }
        self.address.withLock { $0 = address }
        return address
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? SafelightError(.invalidValue, "There is no port to serve at")
  }

  private func address(at place: (host: String, port: Int)) -> String {
    let isLocal = place.host.hasPrefix("127.") || place.host == "::1"
    let isEverywhere = place.host == "0.0.0.0" || place.host == "::"
    let name =
      isLocal || isEverywhere ? "localhost" : place.host.contains(":") ? "[\(place.host)]" : place.host
    let origin = settings.publicOrigin ?? "http://\(name):\(place.port)"
    return "\(origin)/#token=\(token.text)"
  }

  /// Whether all pages have been closed for so many seconds; without any page so far, for ten times as long.
  public func isDeserted(seconds: Double) -> Bool { room.isDeserted(seconds: seconds) }

  /// Ends all connections, once the edits are saved.
  public func stop() {
    server.withLock { $0 }?.stop()
    room.close()
  }

  // MARK: Hand-over

  /// Answers another program of the same user, which would rather have something shown here than serve it itself.
  ///
  /// A photo is shown if it is in this studio's folder, or if this studio has single photos. Another folder is not: the
  /// page has one folder.
  ///
  /// - Parameter request: `open`, a `StudioTarget`; without it nothing is opened.
  /// - Returns: `joins`, the number of pages that there have been; with `address` and `process` if it can be shown.
  func answer(handedOver request: [String: JSONValue]) -> [String: JSONValue] {
    var answer: [String: JSONValue] = ["joins": .number(room.joins)]
    guard let target = StudioTarget(request["open"]), let address = address.withLock({ $0 }), shows(target)
    else {
      return answer
    }
    room.expectPage()
    answer["address"] = .string(address)
    answer["process"] = .number(Int(getpid()))
    return answer
  }

  private func shows(_ target: StudioTarget) -> Bool {
    switch target {
    case .camera: return settings.camera.map { StudioTarget($0, isCamera: true) } == target
    case .path(let path):
      if let folder = photos.folderPath, FileContents.areSame(folder, path) { return true }
      guard let own = photos.path(handedOver: path) else { return false }
      room.open(own)
      return true
    }
  }
}
