import Safelight
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
    /// 0 takes any free port.
    public var port = 8555
    /// The origin of a proxy with TLS in front of the server: `https://photos.example`.
    public var publicOrigin: String?
    /// Receives a line for each refusal, without text of clients.
    public var note: @Sendable (String) -> Void = { _ in }

    public init() {}
  }

  private let room: StudioRoom
  private let server: WebServer
  private let token = AccessToken()
  private let settings: Settings
  private let photos: StudioPhotos
  /// The number of photos that can be opened now.
  public var photoCount: Int { photos.entries.count }

  /// - Parameter path: a photo, or a folder of photos.
  /// - Throws: `SafelightError` if the path cannot be read or has no photos, or if a setting is wrong.
  public init(_ path: String, _ settings: Settings = Settings()) throws {
    photos = try StudioPhotos(path)
    self.settings = settings
    var web = WebServerSettings(token: token)
    (web.host, web.port, web.publicOrigin) = (settings.host, settings.port, settings.publicOrigin)
    web.note = settings.note
    room = try StudioRoom(photos)
    do {
      server = try WebServer(web, site: StudioSite(room, photos))
    } catch {
      room.close()
      throw error
    }
  }

  /// Starts to serve.
  ///
  /// - Returns: the address of the page. Whoever has it can edit the photos: the part behind `#` is a secret that
  ///   browsers do not send, and a new one with every start.
  /// - Throws: `SafelightError` if the port is taken.
  public func start() throws -> String {
    let place = try server.start()
    let isLocal = place.host.hasPrefix("127.") || place.host == "::1"
    let isEverywhere = place.host == "0.0.0.0" || place.host == "::"
    let name =
      isLocal || isEverywhere ? "localhost" : place.host.contains(":") ? "[\(place.host)]" : place.host
    let origin = settings.publicOrigin ?? "http://\(name):\(place.port)"
    return "\(origin)/#token=\(token.text)"
  }

  /// Ends all connections, once the edits are saved.
  public func stop() {
    server.stop()
    room.close()
  }
}
