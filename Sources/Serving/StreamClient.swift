import FrameCore
import Libc

/// One connection: what it has asked for, and what is still to be sent. Used by the network thread.
final class StreamClient {
  enum Phase {
    /// Its request has not come whole yet.
    case asking
    /// It takes every frame that it is in time for.
    case watching
    /// It takes the next frame and goes.
    case awaitingSnapshot
    /// What is still to be sent is all.
    case ending
    /// All has been sent. We still read what it sends: closing with unread bytes would reset the connection
    /// and lose the answer (RFC 9112, §9.6).
    case closing
  }

  /// Seconds for a request to come whole, for a snapshot to be taken, without any progress in sending, and for the
  /// client to close its end.
  static let (requestTime, snapshotTime, sendTime, closingTime) = (10.0, 5.0, 30.0, 1.0)
  /// Bytes that are read in one turn: one that keeps sending keeps nobody waiting.
  static let bytesPerTurn = 2048
  /// A client that has said more than this before its answer is whole, or while it watches, is of no use to anybody.
  private static let maximumReceived = (
    watching: HTTPRequest.maximumBytes, ending: 8 * HTTPRequest.maximumBytes
  )
  /// Unsent bytes that the kernel takes. What is queued there is old by the time it leaves: this bounds how late a
  /// slow client's picture is.
  private static let maximumUnsent: Int32 = 1 << 17

  let id: StreamPlaces.ClientID
  /// The network that its address belongs to.
  let network: [UInt8]
  let descriptor: Int32
  private(set) var phase = Phase.asking
  private var request: [UInt8] = []
  private var receivedCount = 0
  /// Bytes to be sent before `frame`.
  private var head: [UInt8] = []
  private var headSent = 0
  private var frame: EncodedFrame?
  private var frameSent = 0
  /// The number of the newest frame that this client was given, or that was old when it came.
  private var lastNumber: UInt64 = 0
  private var deadline: Timestamp
  /// Whether it sends nothing any more; it may still wait for an answer.
  private(set) var hasInputEnded = false
  /// Whether the kernel may take bytes; false from when it takes no more until poll says that it does.
  var canSend = true
  /// Whether it has lost its place and is to be forgotten.
  var isGone = false

  init(adopting descriptor: Int32, id: StreamPlaces.ClientID, network: [UInt8]) {
    (self.descriptor, self.id, self.network) = (descriptor, id, network)
    deadline = .now.advanced(bySeconds: Self.requestTime)
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    var unsent = Self.maximumUnsent
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  var isWatching: Bool { phase == .watching || phase == .awaitingSnapshot }
  /// Whether it is taking a frame.
  var hasFrame: Bool { frame != nil }
  /// The frame that it is taking.
  var taking: FramesOnTheirWay.Taking? {
    frame.map { FramesOnTheirWay.Taking(client: id, number: $0.number, bytes: $0.byteCount) }
  }
  var hasOutput: Bool { headSent < head.count || frame != nil }
  /// A watcher that waits for the next frame may wait for ever.
  func isOverdue(_ now: Timestamp) -> Bool { (phase != .watching || hasOutput) && now > deadline }

  enum Received {
    case nothing
    /// A request has come whole, or become too long.
    case request(HTTPRequest.Parsing)
    /// The client has gone, or says what nobody asked for.
    case gone
  }

  /// Reads some of what has come.
  ///
  /// - Parameter chunk: memory to read into.
  func receive(into chunk: inout [UInt8]) -> Received {
    let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .gone }
    if count == 0 {
      hasInputEnded = true
      // Whoever watches and closes its end is gone; whoever asked for one thing may have closed only that end.
      return phase == .ending || phase == .awaitingSnapshot ? .nothing : .gone
    }
    receivedCount += count
    guard phase == .asking else {
      let isEnding = phase == .ending || phase == .closing
      let limit = isEnding ? Self.maximumReceived.ending : Self.maximumReceived.watching
      return receivedCount > limit ? .gone : .nothing
    }
    request += chunk[..<count]
    let parsing = HTTPRequest.parse(request)
    return parsing != .incomplete || request.count > HTTPRequest.maximumBytes ? .request(parsing) : .nothing
  }

  func begin(_ answer: StreamAnswers.Answer, newest: EncodedFrame?) {
    request = []
    lastNumber = newest?.number ?? 0
    deadline = .now.advanced(bySeconds: Self.sendTime)
    switch answer {
    case .bytes(let bytes):
      head = bytes
      phase = .ending
    case .stream:
      head = HTTPResponse.streamHead
      phase = .watching
    case .snapshot:
      phase = .awaitingSnapshot
      deadline = .now.advanced(bySeconds: Self.snapshotTime)
    }
  }

  /// Gives up waiting for a frame.
  func refuseSnapshot() {
    head = HTTPResponse.make("503 Service Unavailable", "No frame has come.\n")
    phase = .ending
    deadline = .now.advanced(bySeconds: Self.sendTime)
  }

  /// Takes the newest frame where the last one is out; those between are skipped. False where it takes none.
  func offer(_ newest: EncodedFrame) -> Bool {
    guard isWatching, frame == nil, newest.number > lastNumber else { return false }
    lastNumber = newest.number
    frame = newest
    frameSent = 0
    deadline = .now.advanced(bySeconds: Self.sendTime)
    if phase == .awaitingSnapshot {
      head = HTTPResponse.head(
        "200 OK", type: "image/jpeg", headers: ["Content-Length: \(newest.jpeg.count)"])
      headSent = 0
    }
    return true
  }

  /// Sends what the kernel takes; false where the connection is at its end.
  func send() -> Bool {
    while headSent < head.count {
      let sent = head.withUnsafeBytes { send($0[headSent...]) }
      guard sent > 0 else { return sent == 0 }
      headSent += sent
    }
    while let frame {
      let bytes = phase == .watching ? frame.part : frame.jpeg
      let sent = send(bytes[frameSent...])
      guard sent > 0 else { return sent == 0 }
      frameSent += sent
      guard frameSent == bytes.count else { continue }
      self.frame = nil
      if phase == .awaitingSnapshot { phase = .ending }
    }
    guard phase == .ending else { return true }
    phase = .closing
    deadline = .now.advanced(bySeconds: Self.closingTime)
    shutdown(descriptor, Int32(SHUT_WR))
    return !hasInputEnded
  }

  /// Bytes sent, 0 where the kernel takes none now, negative where the client has gone.
  private func send(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let rest = UnsafeRawBufferPointer(rebasing: bytes)
    let sent = systemSend(descriptor, rest.baseAddress, rest.count)
    if sent > 0 {
      deadline = .now.advanced(bySeconds: Self.sendTime)
      return sent
    }
    canSend = false
    return sent < 0 && errno != EAGAIN && errno != EINTR ? -1 : 0
  }
}

/// send(2) that neither waits nor raises SIGPIPE; methods of this name hide it above.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  send(descriptor, bytes, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
}
