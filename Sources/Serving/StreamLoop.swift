import FrameCore
import Synchronization
import Libc

/// The network thread: waits for connections, requests, frames and room to send, and serves them in turn.
///
/// A turn is short whatever clients do: first frames are sent, then every client is read once, then a few
/// connections are accepted.
final class StreamLoop {
  /// The maximum number of connections accepted per turn.
  private static let acceptsPerTurn = 32

  private let socket: ListeningSocket
  private let hub: StreamHub
  private let answers: StreamAnswers
  /// The limit on the bytes of the frames being sent to clients.
  private let frameLimit: Int
  private var places: StreamPlaces
  private var clients: [StreamClient] = []
  private var nextID: StreamPlaces.ClientID = 0
  private var polls: [pollfd] = []
  private var chunk = [UInt8](repeating: 0, count: StreamClient.bytesPerTurn)
  /// When to accept again: without free descriptors a waiting connection would wake the loop continuously.
  private var acceptAgain = Timestamp(nanoseconds: 0)

  /// - Parameters:
  ///   - hasStream: whether frames will come.
  ///   - shutter: what takes photos for the page; nil if nothing does.
  init(
    _ socket: ListeningSocket, _ hub: StreamHub, _ places: StreamPlaces, frameLimit: Int,
    hasStream: Bool = true, shutter: RemoteShutter? = nil
  ) {
    self.socket = socket
    self.hub = hub
    self.places = places
    self.frameLimit = frameLimit
    var access = StreamAccess(isLoopback: socket.isLoopback)
    if !hasStream { access.subject = "page" }
    answers = StreamAnswers(access: access, hasStream: hasStream, shutter: shutter.map(ShutterAnswers.init))
  }

  /// The time, in seconds, for answers about photos that are on their way when the server stops.
  private static let farewellTime = 1.0

  /// Runs until the hub is stopped, and closes all connections.
  func run() {
    turn { hub.isStopping }
    if answers.shutter != nil {
      let end = Timestamp.now.advanced(bySeconds: Self.farewellTime)
      turn { Timestamp.now >= end || !clients.contains { $0.phase == .awaitingPhoto || $0.phase == .ending } }
    }
    hub.watchers.store(0, ordering: .relaxed)
    clients = []
  }

  private func turn(until isOver: () -> Bool) {
    while !isOver() {
      wait()
      hub.clearWake()
      let now = Timestamp.now
      // The polled clients follow the loop's own two descriptors, in order; new ones come last.
      let ready = zip(clients, polls.dropFirst(2).map(\.revents))
      for (client, events) in ready where events & Int16(POLLOUT) != 0 { client.canSend = true }
      serve(now)
      for (client, events) in ready where events & Int16(POLLIN | POLLHUP | POLLERR) != 0 && !client.isGone {
        receive(from: client, now)
      }
      if polls[0].revents != 0 { acceptClients(now) }
      clients.removeAll(where: \.isGone)
      hub.watchers.store(clients.reduce(0) { $0 + ($1.isWatching ? 1 : 0) }, ordering: .relaxed)
    }
  }

  private func wait() {
    polls.removeAll(keepingCapacity: true)
    let canAccept = Timestamp.now >= acceptAgain && !hub.isStopping
    polls.append(pollfd(fd: canAccept ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0))
    polls.append(pollfd(fd: hub.wakeDescriptor, events: Int16(POLLIN), revents: 0))
    for client in clients {
      let events = (client.hasInputEnded ? 0 : Int16(POLLIN)) | (client.hasOutput ? Int16(POLLOUT) : 0)
      polls.append(pollfd(fd: client.descriptor, events: events, revents: 0))
    }
    // A timeout, because clients have deadlines.
    let time: Int32 = hub.isStopping ? 50 : clients.isEmpty && canAccept ? -1 : 500
    let ready = poll(&polls, nfds_t(polls.count), time)
    if ready < 0 { for index in polls.indices { polls[index].revents = 0 } }
  }

  /// Offers the newest frame to the clients and sends what can be sent.
  private func serve(_ now: Timestamp) {
    let newest = hub.newest
    for client in clients where !client.isGone {
      if let newest, client.offer(newest) {
        places.offered(client.id, at: now)
        client.canSend = true
      }
      if client.phase == .awaitingPhoto { answerPhoto(of: client, now) }
      if client.hasOutput || client.phase == .ending, client.canSend { send(to: client, now) }
      guard !client.isGone, client.isOverdue(now) else { continue }
      if client.phase == .awaitingSnapshot, !client.hasOutput {
        client.refuseSnapshot()
      } else {
        forget(client)
      }
    }
    boundMemory(newest)
  }

  /// Tells a client of its photo, if it is written, or if that takes too long to wait for.
  private func answerPhoto(of client: StreamClient, _ now: Timestamp) {
    if let result = answers.shutter?.result(of: client.photoNumber) {
      client.answer(result)
    } else if client.isOverdue(now) {
      client.answer(ShutterAnswers.accepted(client.photoNumber))
    }
  }

  /// Disconnects the slowest clients if the frames being sent take too much memory.
  private func boundMemory(_ newest: EncodedFrame?) {
    guard let newest else { return }
    let taking = clients.compactMap { $0.isGone ? nil : $0.taking }
    for id in FramesOnTheirWay.leaving(taking, newest: newest.number, atMost: frameLimit) { forget(id) }
  }

  private func send(to client: StreamClient, _ now: Timestamp) {
    guard client.send() else { return forget(client) }
    if !client.hasFrame { places.took(client.id) }
    // A snapshot that has been sent no longer needs its long place.
    if client.phase == .closing { place(client, in: .short, now) }
  }

  private func acceptClients(_ now: Timestamp) {
    for _ in 0..<Self.acceptsPerTurn {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let number = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(socket.descriptor, $0, &length) }
      }
      guard number >= 0 else {
        let code = errno
        if code == EINTR || code == ECONNABORTED { continue }
        if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) { makeRoom(now) }
        return
      }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      nextID += 1
      let client = StreamClient(
        adopting: number, id: nextID, network: SocketAddress(address)?.network ?? [])
      clients.append(client)
      // Most requests have arrived by now; a client that has sent one needs no place among those that have not.
      receive(from: client, now)
      if client.phase == .asking, !client.isGone { place(client, in: .short, now) }
    }
  }

  /// No more descriptors: disconnects a client, or lets the next connection wait.
  private func makeRoom(_ now: Timestamp) {
    if let oldest = places.oldestShort { forget(oldest) } else { acceptAgain = now.advanced(bySeconds: 1) }
  }

  private func receive(from client: StreamClient, _ now: Timestamp) {
    switch client.receive(into: &chunk) {
    case .nothing: break
    case .gone: forget(client)
    case .request(let parsing):
      var answer = answers.answer(parsing) { statistics }
      if answer.isLong, !place(client, in: .long, now) {
        // The press is taken all the same.
        if case .photo(let number) = answer {
          answer = .bytes(ShutterAnswers.accepted(number))
        } else {
          answer = .bytes(StreamAnswers.full(places.limits[.long] ?? 0))
        }
      }
      client.begin(answer, newest: hub.newest)
      // Short answers are sent before anybody else needs the place.
      if client.phase == .ending {
        if !answer.isLong { place(client, in: .short, now) }
        send(to: client, now)
      }
    }
  }

  /// Gives the client a place; false if it is refused, when it keeps the one it had.
  @discardableResult
  private func place(_ client: StreamClient, in kind: StreamPlaces.Kind, _ now: Timestamp) -> Bool {
    switch places.give(kind, to: client.id, of: client.network, at: now) {
    case .granted: return true
    case .grantedInstead(let other):
      forget(other)
      return true
    case .refused: return false
    }
  }

  /// Removes a client; its connection closes at the end of the turn.
  private func forget(_ client: StreamClient) {
    client.isGone = true
    places.leave(client.id)
  }

  private func forget(_ id: StreamPlaces.ClientID) {
    places.leave(id)
    clients.first { $0.id == id }?.isGone = true
  }

  /// The text of `/stats.json`.
  private var statistics: String {
    let size = hub.size
    let watching = clients.count { $0.phase == .watching && !$0.isGone }
    return "{\"width\":\(size.width),\"height\":\(size.height),\"encoded\":\(hub.newest?.number ?? 0),"
      + "\"watching\":\(watching)}\n"
  }
}
