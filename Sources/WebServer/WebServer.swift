import FrameCore
import Libc
import NIOCore
import NIOPosix
import Synchronization

/// A small web server with HTTP/1.1, endless streams and WebSockets, for pages that belong to this program.
///
/// One thread serves the network, some others run the site's code. Whatever reaches the site has passed `RequestGate`:
/// addressed to this server by name, and asked for by its own page with the token where one is needed, or by whoever
/// `WebServerSettings.Access` says.
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
  /// The port that is taken and not yet served.
  private let bound = Mutex<ListeningPort?>(nil)

  /// - Throws: `SafelightError(.invalidValue)` for a setting out of its range.
  public init(_ settings: WebServerSettings, site: any WebSite) throws {
    try settings.validate()
    _ = try OwnNames(settings, address: "127.0.0.1", port: 0)
    (self.settings, self.site) = (settings, site)
  }

  deinit { bound.withLock { $0?.close() } }

  /// Clients that gave a wrong token since the server was started.
  public var failedAttempts: Int {
    running.withLock { $0?.share.failedAttempts.load(ordering: .relaxed) } ?? 0
  }

  /// Takes the port, so that one that is taken is known before anything else is begun. Clients that connect wait until
  /// `start`.
  ///
  /// - Returns: the address that is listened on, its port, and whether only this machine can connect.
  /// - Throws: as `start`.
  @discardableResult
  public func bind() throws -> (host: String, port: Int, isLoopback: Bool) {
    try bound.withLock { bound in
      let port = try bound ?? ListeningPort(host: settings.host, port: settings.port, settings.remedies)
      bound = port
      return (port.address, port.port, port.isLoopback)
    }
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
      try bind()
      guard let port = bound.withLock({ $0.take() }) else {
        throw SafelightError(.invalidValue, "The server is being started already")
      }
      let names: OwnNames
      do {
        names = try OwnNames(settings, address: port.address, port: port.port)
      } catch {
        port.close()
        throw error
      }
      let localNames: LocalNames? =
        switch settings.access {
        case .token: nil
        case .everybody(let subject): LocalNames(isLoopback: port.isLoopback, subject: subject)
        }
      let gate = RequestGate(settings: settings, names: names, site: site, localNames: localNames)
      let share = ServerShare(gate: gate, pool: WorkPool(threads: settings.threads))
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      do {
        let loop = group.next()
        let settings = settings
        let connections = try loop.submit { NIOLoopBound(Connections(settings), eventLoop: loop) }.wait()
        let listener = try Self.bootstrap(group, share, connections).withBoundSocket(port.descriptor).wait()
        running = Running(group: group, listener: listener, share: share, connections: connections)
        return (port.address, port.port)
      } catch {
        try? share.pool.stop()
        try? group.syncShutdownGracefully()
        throw SafelightError(
          .noResources, "Cannot serve on port \(port.port): \(error)", remedy: settings.remedies.port)
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
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          // Without a free descriptor a waiting client would be tried again continuously.
          let pause = AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in
            connections.value.makeRoom() ? .milliseconds(1) : .seconds(1)
          }
          try channel.pipeline.syncOperations.addHandler(pause)
        }
      }
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
    channel.closeFuture.assumeIsolated().whenComplete { _ in connections.remove(entry) }
    try http.install(in: channel)
  }
}
