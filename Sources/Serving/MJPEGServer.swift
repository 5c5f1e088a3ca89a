import FrameCore
import LiveVideo
import PhotoIO
import WebServer

/// Serves live pictures as MJPEG over HTTP: `/` is a page, `/stream.mjpg` the stream, `/snapshot.jpg` the next
/// frame, `/stats.json` statistics.
///
/// A frame is encoded once for all clients, and only while somebody watches. Each client gets the newest frame
/// when it has received the previous one; a slow client skips frames and delays nobody.
package final class MJPEGServer: AnnouncingSink, @unchecked Sendable {
  package let name: String
  /// The port that clients connect to, also if 0 was requested.
  var port: UInt16 { address.port }

  private let server: WebServer
  private let address: ServedAddress
  private let hub = StreamHub()
  private let encoder: JPEGFrameEncoder
  private let hasShutter: Bool
  private var pool = WebPartPool()
  /// The number of encoded frames in memory. Must not be read while `write` runs.
  var frameCount: Int { pool.count }
  private var isOpen = false

  /// The bytes of all frames being sent to clients: a hundred or more of 1080p, tens of 4K.
  private static let frameLimit = 64 << 20

  /// Binds the port, so that a port in use is detected before anything else is started.
  ///
  /// - Parameters:
  ///   - host: an address of this machine; 0.0.0.0 opens the stream to the network.
  ///   - port: the port; 0 picks a free one.
  ///   - quality: the JPEG quality, 1…100.
  ///   - places: the limits on the number of clients.
  ///   - frameLimit: the bytes of the frames being sent to clients; beyond this, the slowest clients are
  ///     disconnected.
  ///   - shutter: takes photos for the page; nil if nobody may.
  /// - Throws: `SafelightError`.
  init(
    host: String = SinkSpecification.loopback, port: UInt16, quality: Int = 85,
    places: WebServerSettings.Places = .init(), frameLimit: Int = MJPEGServer.frameLimit,
    shutter: RemoteShutter? = nil
  ) throws {
    hasShutter = shutter != nil
    name = SinkSpecification.stream(host: host, port: port).description
    encoder = try JPEGFrameEncoder(quality: quality)
    var settings = WebServerSettings(
      serving: "stream", host: host, port: port, scheme: "stream", places: places, hasScript: hasShutter)
    settings.limits.parts = frameLimit
    let site = StreamSite(hub: hub, shutter: shutter.map(ShutterAnswers.init), places: places.long)
    server = try WebServer(settings, site: site)
    address = try server.take(host)
  }

  /// Creates a server with the default limits on clients and on frames being sent to them.
  package convenience init(host: String, port: UInt16, shutter: RemoteShutter? = nil) throws {
    try self.init(host: host, port: port, quality: 85, shutter: shutter)
  }

  deinit { close() }

  package var announcement: String? {
    (hasShutter ? "Stream with a shutter at " : "Stream at ") + "\(address)"
  }

  package func open(_ format: SinkFormat) throws {
    hub.begin(size: format.size)
    try server.start()
    isOpen = true
  }

  package func write(_ frame: RenderedFrame) throws {
    guard isOpen, hub.isWatched else { return }
    let part = pool.take()
    try encoder.encode(frame.picture) { jpeg in
      hub.publish(EncodedFrame(jpeg, time: frame.time, in: part), size: frame.picture.size)
    }
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    hub.end()
    server.stop()
  }
}
