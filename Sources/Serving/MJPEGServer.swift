import FrameCore
import LiveVideo
import PhotoIO
import Synchronization
import Libc

/// Live pictures as MJPEG over HTTP: `/` is a page, `/stream.mjpg` the stream, `/snapshot.jpg` the next frame,
/// `/stats.json` a count.
///
/// A frame is encoded once for all clients, and only while somebody watches. Each client gets the newest frame when
/// it has taken the one before; a slow one skips frames and delays nobody.
///
/// The server is on plain sockets because that promise hangs on them: an HTTP library's own buffers would fill with
/// frames that are old before they leave. And the libraries at hand bring all of Foundation, eight times the program.
package final class MJPEGServer: AnnouncingSink, @unchecked Sendable {
  package let name: String
  /// The port that clients connect to, also where 0 was asked for.
  var port: UInt16 { socket.port }

  private let socket: ListeningSocket
  private let host: String
  private let encoder: JPEGFrameEncoder
  private let places: StreamPlaces
  private let frameLimit: Int
  private var pool = EncodedFramePool()
  /// Encoded frames in memory. Not to be asked while `write` runs.
  var frameCount: Int { pool.frameCount }
  private var running: (hub: StreamHub, thread: WorkerThread)?

  /// Takes the port: whether it is free shows before anything else is started.
  ///
  /// - Parameters:
  ///   - host: an address of this machine; 0.0.0.0 opens the stream to the network.
  ///   - port: 0 picks a free one.
  ///   - quality: of JPEG, 1…100.
  ///   - places: how many clients may stay.
  ///   - frameLimit: bytes of the frames that clients are taking; where they need more, the slowest leave.
  /// - Throws: `SafelightError`.
  init(
    host: String = SinkSpecification.loopback, port: UInt16, quality: Int = 85,
    places: StreamPlaces = StreamPlaces(), frameLimit: Int = FramesOnTheirWay.limit
  ) throws {
    self.host = host
    self.places = places
    self.frameLimit = frameLimit
    name = SinkSpecification.stream(host: host, port: port).description
    encoder = try JPEGFrameEncoder(quality: quality)
    socket = try ListeningSocket(host: host, port: port)
  }

  /// A server for as many clients, and as many frames on their way to them, as is usual.
  package convenience init(host: String, port: UInt16) throws {
    try self.init(host: host, port: port, quality: 85)
  }

  deinit { close() }

  package var announcement: String? {
    if socket.isLoopback {
      return "Stream at http://\(host.contains(":") ? "[\(host)]" : host):\(port)/, for this machine only"
    }
    // Nobody can connect to 0.0.0.0.
    let isEvery = host == "0.0.0.0" || host == "::"
    let address = isEvery ? StreamAccess.ownName ?? "0.0.0.0" : host.contains(":") ? "[\(host)]" : host
    return "Stream at http://\(address):\(port)/, open to the network"
  }

  package func open(_ format: SinkFormat) throws {
    let hub = try StreamHub(size: format.size)
    let (socket, places, frameLimit) = (socket, places, frameLimit)
    let thread = try WorkerThread(name: "mjpeg-server") {
      StreamLoop(socket, hub, places, frameLimit: frameLimit).run()
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
