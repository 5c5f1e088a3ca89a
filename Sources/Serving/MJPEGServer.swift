import FrameCore
import LiveVideo
import PhotoIO
import Synchronization
import Libc

/// Serves live pictures as MJPEG over HTTP: `/` is a page, `/stream.mjpg` the stream, `/snapshot.jpg` the next
/// frame, `/stats.json` statistics.
///
/// A frame is encoded once for all clients, and only while somebody watches. Each client gets the newest frame
/// when it has received the previous one; a slow client skips frames and delays nobody.
///
/// The server uses plain sockets because that guarantee depends on them: an HTTP library's own buffers would fill
/// with frames that are outdated before they are sent. The available libraries also require all of Foundation,
/// which is eight times the size of the program.
package final class MJPEGServer: AnnouncingSink, @unchecked Sendable {
  package let name: String
  /// The port that clients connect to, also if 0 was requested.
  var port: UInt16 { socket.port }

  private let socket: ListeningSocket
  private let host: String
  private let encoder: JPEGFrameEncoder
  private let places: StreamPlaces
  private let frameLimit: Int
  private let shutter: RemoteShutter?
  private var pool = EncodedFramePool()
  /// The number of encoded frames in memory. Must not be read while `write` runs.
  var frameCount: Int { pool.frameCount }
  private var running: (hub: StreamHub, thread: WorkerThread)?

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
    places: StreamPlaces = StreamPlaces(), frameLimit: Int = FramesOnTheirWay.limit,
    shutter: RemoteShutter? = nil
  ) throws {
    self.shutter = shutter
    self.host = host
    self.places = places
    self.frameLimit = frameLimit
    name = SinkSpecification.stream(host: host, port: port).description
    encoder = try JPEGFrameEncoder(quality: quality)
    socket = try ListeningSocket(host: host, port: port)
  }

  /// Creates a server with the default limits on clients and on frames being sent to them.
  package convenience init(host: String, port: UInt16, shutter: RemoteShutter? = nil) throws {
    try self.init(host: host, port: port, quality: 85, shutter: shutter)
  }

  deinit { close() }

  package var announcement: String? {
    (shutter == nil ? "Stream at " : "Stream with a shutter at ") + socket.address(of: host)
  }

  package func open(_ format: SinkFormat) throws {
    let hub = try StreamHub(size: format.size)
    let (socket, places, frameLimit, shutter) = (socket, places, frameLimit, shutter)
    shutter?.addWake { hub.wake() }
    let thread = try WorkerThread(name: "mjpeg-server") {
      StreamLoop(socket, hub, places, frameLimit: frameLimit, shutter: shutter).run()
    }
    running = (hub, thread)
  }

  package func write(_ frame: RenderedFrame) throws {
    guard let hub = running?.hub, hub.watchers.load(ordering: .relaxed) > 0 else { return }
    let encoded = pool.take()
    try encoder.encode(frame.picture) { encoded.fill($0, time: frame.time) }
    hub.publish(encoded, size: frame.picture.size)
  }

  package func close() {
    guard let (hub, thread) = running else { return }
    running = nil
    hub.stop()
    thread.join()
  }
}
