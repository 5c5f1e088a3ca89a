import FrameCore
import LiveVideo

/// Serves a page with a shutter button over HTTP, as `MJPEGServer` serves a stream: `POST /photo` takes a photo.
package final class ShutterServer {
  private let socket: ListeningSocket
  private let host: String
  private let shutter: RemoteShutter
  private let places: StreamPlaces
  /// The port that clients connect to, also if 0 was requested.
  var port: UInt16 { socket.port }
  private var running: (hub: StreamHub, thread: WorkerThread)?

  /// Binds the port.
  ///
  /// - Parameters:
  ///   - host: an address of this machine; 0.0.0.0 opens the page to the network.
  ///   - port: the port; 0 picks a free one.
  /// - Throws: `SafelightError`.
  package convenience init(host: String, port: UInt16, shutter: RemoteShutter) throws {
    try self.init(host: host, port: port, shutter: shutter, places: StreamPlaces())
  }

  /// - Parameter places: the limits on the number of clients.
  init(
    host: String = SinkSpecification.loopback, port: UInt16, shutter: RemoteShutter, places: StreamPlaces
  ) throws {
    (self.host, self.shutter, self.places) = (host, shutter, places)
    socket = try ListeningSocket(host: host, port: port, scheme: "http")
  }

  deinit { close() }

  /// Where the page is: `http://127.0.0.1:8080/, for this machine only`.
  package var address: String { socket.address(of: host) }

  /// Begins to answer.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads or descriptors.
  package func open() throws {
    // No frames will come.
    let hub = try StreamHub(size: PixelSize(width: 0, height: 0))
    let (socket, places, shutter) = (socket, places, shutter)
    shutter.addWake { hub.wake() }
    let thread = try WorkerThread(name: "shutter-server") {
      StreamLoop(socket, hub, places, frameLimit: 0, hasStream: false, shutter: shutter).run()
    }
    running = (hub, thread)
  }

  /// Ends all connections, once answers about photos are sent.
  package func close() {
    guard let (hub, thread) = running else { return }
    running = nil
    hub.stop()
    thread.join()
  }
}
