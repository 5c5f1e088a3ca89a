import Safelight
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The network thread: waits for connections, requests, frames and room to send, and serves them all in turn.
final class StreamLoop {
  /// Further clients are told to come back later.
  static let maximumClients = 64

  private let socket: ListeningSocket
  private let hub: StreamHub
  private var clients: [StreamClient] = []
  private var polls: [pollfd] = []
  /// Without free descriptors a waiting connection would wake the loop for ever.
  private var acceptAgain = Timestamp(nanoseconds: 0)

  init(_ socket: ListeningSocket, _ hub: StreamHub) {
    self.socket = socket
    self.hub = hub
  }

  /// Returns once the hub is stopped; all connections are closed then.
  func run() {
    while !hub.isStopping {
      wait()
      hub.clearWake()
      let now = Timestamp.now
      // The polled clients come after the two descriptors of our own, in order; new ones follow.
      for (client, poll) in zip(clients, polls.dropFirst(2)) where poll.revents != 0 {
        if poll.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
          if !client.receive({ answer($0) }, newest: hub.newest) { remove(client) }
        }
      }
      if polls[0].revents != 0 { acceptClients(now) }
      serve(now)
      hub.watchers.store(clients.reduce(0) { $0 + ($1.isWatching ? 1 : 0) }, ordering: .relaxed)
    }
    hub.watchers.store(0, ordering: .relaxed)
    clients = []
  }

  private func wait() {
    polls.removeAll(keepingCapacity: true)
    let canAccept = Timestamp.now >= acceptAgain
    polls.append(pollfd(fd: canAccept ? socket.descriptor : -1, events: Int16(POLLIN), revents: 0))
    polls.append(pollfd(fd: hub.wakeDescriptor, events: Int16(POLLIN), revents: 0))
    for client in clients {
      let events = (client.hasInputEnded ? 0 : Int16(POLLIN)) | (client.hasOutput ? Int16(POLLOUT) : 0)
      polls.append(pollfd(fd: client.descriptor, events: events, revents: 0))
    }
    // Clients have deadlines.
    let ready = poll(&polls, nfds_t(polls.count), clients.isEmpty && canAccept ? -1 : 500)
    if ready < 0 { for index in polls.indices { polls[index].revents = 0 } }
  }

  private func acceptClients(_ now: Timestamp) {
    while true {
      let number = accept(socket.descriptor, nil, nil)
      guard number >= 0 else {
        if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
          acceptAgain = now.advanced(bySeconds: 1)
        }
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      clients.append(StreamClient(adopting: number))
    }
  }

  /// Hands out the newest frame and sends what can be sent.
  private func serve(_ now: Timestamp) {
    let newest = hub.newest
    for client in clients {
      if let newest { client.offer(newest) }
      if client.hasOutput || client.phase == .ending, !client.send() {
        remove(client)
      } else if client.isOverdue(now) {
        if client.phase == .awaitingSnapshot, !client.hasOutput {
          client.refuseSnapshot()
        } else {
          remove(client)
        }
      }
    }
  }

  private func remove(_ client: StreamClient) { clients.removeAll { $0 === client } }

  private func answer(_ parsing: HTTPRequest.Parsing) -> StreamClient.Answer {
    guard case .complete(let request) = parsing else {
      return .bytes(
        parsing == .incomplete
          ? HTTPResponse.make("431 Request Header Fields Too Large", "The request is too long.\n")
          : HTTPResponse.make("400 Bad Request", "This is no HTTP request.\n"))
    }
    let headOnly = request.method == "HEAD"
    guard headOnly || request.method == "GET" else {
      return .bytes(
        HTTPResponse.make("405 Method Not Allowed", headers: ["Allow: GET, HEAD"], "Use GET.\n"))
    }
    // A page on the web whose name leads to this machine (DNS rebinding) must not see through the camera.
    if let reason = StreamAccess(isLoopback: socket.isLoopback).refusal(of: request) {
      return .bytes(HTTPResponse.make("403 Forbidden", reason + "\n", headOnly: headOnly))
    }
    guard clients.count <= Self.maximumClients else {
      return .bytes(
        HTTPResponse.make(
          "503 Service Unavailable", headers: ["Retry-After: 5"],
          "All \(Self.maximumClients) places are taken.\n",
          headOnly: headOnly))
    }
    switch request.path {
    case "/": return .bytes(HTTPResponse.page(headOnly: headOnly))
    case "/stream.mjpg": return headOnly ? .bytes(HTTPResponse.streamHeadOnly) : .stream
    case "/snapshot.jpg":
      return headOnly ? .bytes(HTTPResponse.head("200 OK", type: "image/jpeg", headers: [])) : .snapshot
    case "/stats.json":
      let size = hub.size
      let watching = clients.count { $0.phase == .watching }
      return .bytes(
        HTTPResponse.make(
          "200 OK", type: "application/json",
          "{\"width\":\(size.width),\"height\":\(size.height),\"encoded\":\(hub.newest?.number ?? 0),"
            + "\"watching\":\(watching)}\n", headOnly: headOnly))
    default:
      return .bytes(
        HTTPResponse.make(
          "404 Not Found", "There are /, /stream.mjpg, /snapshot.jpg and /stats.json.\n", headOnly: headOnly))
    }
  }
}
