import FrameCore
import LiveVideo
import WebServer

/// Serves a page with a shutter button over HTTP, as `MJPEGServer` serves a stream: `POST /photo` takes a photo.
package final class ShutterServer {
  private let server: WebServer
  /// The port that clients connect to, also if 0 was requested.
  var port: UInt16 { bound.port }
  private let bound: ServedAddress

  /// Binds the port.
  ///
  /// - Parameters:
  ///   - host: an address of this machine; 0.0.0.0 opens the page to the network.
  ///   - port: the port; 0 picks a free one.
  /// - Throws: `SafelightError`.
  package convenience init(host: String, port: UInt16, shutter: RemoteShutter) throws {
    try self.init(host: host, port: port, shutter: shutter, places: .init())
  }

  /// - Parameter places: the limits on the number of clients.
  init(
    host: String = SinkSpecification.loopback, port: UInt16, shutter: RemoteShutter,
    places: WebServerSettings.Places
  ) throws {
    let settings = WebServerSettings(
      serving: "page", host: host, port: port, scheme: "http", places: places, hasScript: true)
    // No frames will come.
    let site = StreamSite(hub: nil, shutter: ShutterAnswers(shutter: shutter), places: places.long)
    server = try WebServer(settings, site: site)
    bound = try server.take(host)
  }

  deinit { close() }

  /// Where the page is: `http://127.0.0.1:8080/, for this machine only`.
  package var address: String { "\(bound)" }

  /// Begins to answer.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads or descriptors.
  package func open() throws { try server.start() }

  /// Ends all connections, once answers about photos are sent.
  package func close() { server.stop() }
}
