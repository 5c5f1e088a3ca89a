import FrameCore
import Libc
import NIOCore
import NIOPosix
import Synchronization

/// A small web server with HTTP/1.1 and WebSockets, for a page that belongs to this program alone.
///
/// One thread serves the network, some others run the site's code. Whatever reaches the site has passed `RequestGate`:
/// addressed to this server by name, asked for by its own page, with the token where one is needed.
public final class WebServer: Sendable {
  private struct Running: Sendable {
    var group: MultiThreadedEventLoopGroup
    var listener: any Channel
    var share: ServerShare
    var connections: NIOLoopBound<Connections>
  }

  private let settings: WebServerSettings
  private let site: any WebSite
  private let running = Mutex<Running?>(nil)

  /// - Throws: `SafelightError(.invalidValue)` for a setting out of its range.
  public init(_ settings: WebServerSettings, site: any WebSite) throws {
    try settings.validate()
    _ = try OwnNames(settings, address: "127.0.0.1", port: 0)
    (self.settings, self.site) = (settings, site)
  }

  /// Clients that gave a wrong token since the server was started.
  public var failedAttempts: Int {
    running.withLock { $0?.share.failedAttempts.load(ordering: .relaxed) } ?? 0
  }

  /// Starts to serve. Call `stop` in the end.
  ///
  /// - Returns: the address that the server listens on, and its port.
  /// - Throws: `SafelightError(.invalidValue)` if the port is taken, needs privileges, or the address is not of this
  ///   machine; `.noResources` if the system grants no socket.
  @discardableResult
  public func start() throws -> (host: String, port: Int) {
    try running.withLock { running in
      guard running == nil else { throw SafelightError(.invalidValue, "The server is running already") }
      let port = try ListeningPort(host: settings.host, port: settings.port)
      let names: OwnNames
      do {
        names = try OwnNames(settings, address: port.address, port: port.port)
      } catch {
        port.close()
        throw error
      }
      let gate = RequestGate(settings: settings, names: names, site: site)
      let share = ServerShare(gate: gate, pool: WorkPool(threads: settings.threads))
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      do {
        let loop = group.next()
        let limit = settings.limits.connections
        let connections = try loop.submit { NIOLoopBound(Connections(limit: limit), eventLoop: loop) }.wait()
        let listener = try Self.bootstrap(group, share, connections).withBoundSocket(port.descriptor).wait()
        running = Running(group: group, listener: listener, share: share, connections: connections)
        return (port.address, port.port)
      } catch {
        try? share.pool.stop()
        try? group.syncShutdownGracefully()
        throw SafelightError(
          .noResources, "Cannot serve on port \(port.port): \(error)", remedy: "choose another port")
      }
    }
  }

  /// Stops: no more connections are taken, responses that are on their way are sent within the closing time of the
  /// settings, WebSockets are closed with code 1001, and no thread of the pool runs the site's code when this returns.
  ///
  /// Do not call it from the site's code, which it waits for.
  public func stop() {
    let stopped = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let stopped else { return }
    try? stopped.listener.close().wait()
    let connections = stopped.connections
    let loop = connections.eventLoop
    try? loop.submit { connections.value.stop() }.wait()
    let end = NIODeadline.now() + TimeAmount(settings.times.closing)
    while NIODeadline.now() < end, (try? loop.submit { connections.value.isEmpty }.wait()) == false {
      usleep(2000)
    }
    try? loop.submit { connections.value.closeAll() }.wait()
    // What closing has put off, such as telling the site.
    try? loop.submit {}.wait()
    // Answers that are suspended have as long again; blocked threads of the pool are waited for.
    let answersEnd = NIODeadline.now() + TimeAmount(settings.times.closing)
    while NIODeadline.now() < answersEnd, stopped.share.answers.load(ordering: .acquiring) > 0 {
      usleep(2000)
    }
    try? stopped.share.pool.stop()
    stopped.share.hasStopped.store(true, ordering: .releasing)
    try? stopped.group.syncShutdownGracefully()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ share: ServerShare, _ connections: NIOLoopBound<Connections>
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      // Data that the kernel queues is outdated by the time it is sent, and is missing in `bytesWaiting`.
      .childChannelOption(
        ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT)),
        value: 1 << 17
      )
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(
        .writeBufferWaterMark, value: ChannelOptions.Types.WriteBufferWaterMark(low: 1 << 16, high: 1 << 18)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try accept(channel, share, connections.value) }
      }
  }

  private static func accept(_ channel: any Channel, _ share: ServerShare, _ connections: Connections) throws
  {
    // Programs that are started meanwhile must not inherit it; NIO sets no such flag.
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { descriptor in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    guard let entry = connections.add(channel) else {
      share.note("A connection was refused: all places are taken.")
      throw ChannelError.ioOnClosedChannel
    }
    let http = HTTPConnection(share, connections, entry)
    entry.http = http
    channel.closeFuture.assumeIsolated().whenComplete { _ in connections.remove(channel) }
    try http.install(in: channel)
  }
}
