import FrameCore
import Libc

/// One connection: its request, and the data still to be sent. Used by the network thread.
final class StreamClient {
  enum Phase {
    /// Its request is not complete yet.
    case asking
    /// It receives every frame that it is ready for.
    case watching
    /// It receives the next frame, after which the connection ends.
    case awaitingSnapshot
    /// It receives the report of its photo, after which the connection ends.
    case awaitingPhoto
    /// The remaining data is still being sent.
    case ending
    /// All data has been sent. The client's data is still read: closing with unread bytes would reset the
    /// connection and lose the answer (RFC 9112, §9.6).
    case closing
  }

  /// Timeouts in seconds: for a request to be complete, for a snapshot to be taken, for a photo to be written, without
  /// any progress in sending, and for the client to close its end.
  static let (requestTime, snapshotTime, photoTime, sendTime, closingTime) = (10.0, 5.0, 60.0, 30.0, 1.0)
  /// The bytes read from a client per turn: one that keeps sending delays nobody.
  static let bytesPerTurn = 2048
  /// The limits on received bytes. A client that sends more than this before its answer is complete, or while it
  /// watches, is disconnected.
  private static let maximumReceived = (
    watching: HTTPRequest.maximumBytes, ending: 8 * HTTPRequest.maximumBytes
  )
  /// The unsent bytes that the kernel queues. Queued data is outdated by the time it is sent: this bounds how late
  /// a slow client's picture is.
  private static let maximumUnsent: Int32 = 1 << 17

  let id: StreamPlaces.ClientID
  /// The network of its address.
  let network: [UInt8]
  let descriptor: Int32
  private(set) var phase = Phase.asking
  private var request: [UInt8] = []
  private var receivedCount = 0
  /// Bytes to be sent before `frame`.
  private var head: [UInt8] = []
  private var headSent = 0
  private var file: ServedFile?
  private var fileSent = 0
  /// The number of the press whose photo it waits for.
  private(set) var photoNumber = 0
  private var frame: EncodedFrame?
  private var frameSent = 0
  /// The number of the newest frame that this client was given, or that existed when its request came.
  private var lastNumber: UInt64 = 0
  private var deadline: Timestamp
  /// Whether its sending side is closed; it may still wait for an answer.
  private(set) var hasInputEnded = false
  /// Whether the kernel may accept bytes; false from when it accepts no more until poll reports that it does.
  var canSend = true
  /// Whether the connection is to be removed.
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
  /// Whether it is receiving a frame.
  var hasFrame: Bool { frame != nil }
  /// The frame that it is receiving.
  var taking: FramesOnTheirWay.Taking? {
    frame.map { FramesOnTheirWay.Taking(client: id, number: $0.number, bytes: $0.byteCount) }
  }
  var hasOutput: Bool { headSent < head.count || frame != nil || file != nil }
  /// Whether its deadline has passed. A watcher that waits for the next frame has none.
  func isOverdue(_ now: Timestamp) -> Bool { (phase != .watching || hasOutput) && now > deadline }

  enum Received {
    case nothing
    /// A request is complete, or has become too long.
    case request(HTTPRequest.Parsing)
    /// The client has gone, or sends unexpected data.
    case gone
  }

  /// Reads some of the received data.
  ///
  /// - Parameter chunk: memory to read into.
  func receive(into chunk: inout [UInt8]) -> Received {
    let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .gone }
    if count == 0 {
      hasInputEnded = true
      // A watcher that closes its end is gone; a client that waits for one answer may have closed only its sending
      // side.
      return [.ending, .awaitingSnapshot, .awaitingPhoto].contains(phase) ? .nothing : .gone
    }
    receivedCount += count
    guard phase == .asking else {
      // A press may bring a body that nobody needs.
      let isEnding = [.ending, .closing, .awaitingPhoto].contains(phase)
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
    case .photo(let number):
      photoNumber = number
      phase = .awaitingPhoto
      deadline = .now.advanced(bySeconds: Self.photoTime)
    case .file(let bytes, let opened):
      (head, file) = (bytes, opened.length > 0 ? opened : nil)
      phase = .ending
    }
  }

  /// Ends the wait for a photo.
  func answer(_ bytes: [UInt8]) {
    head = bytes
    phase = .ending
    canSend = true
    deadline = .now.advanced(bySeconds: Self.sendTime)
  }

  /// Gives up waiting for a frame.
  func refuseSnapshot() {
    head = HTTPResponse.make("503 Service Unavailable", "No frame has arrived.\n")
    phase = .ending
    deadline = .now.advanced(bySeconds: Self.sendTime)
  }

  /// Takes the newest frame if the previous one is sent, skipping those in between. Returns false if it takes
  /// none.
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

  /// Sends as much as the kernel accepts; false if the connection has ended.
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
    if let file, !send(file) { return false }
    guard phase == .ending, file == nil else { return true }
    phase = .closing
    deadline = .now.advanced(bySeconds: Self.closingTime)
    shutdown(descriptor, Int32(SHUT_WR))
    return !hasInputEnded
  }

  /// The bytes of a file read at a time, and those sent per turn: a fast client delays nobody.
  private static let (fileChunk, filePerTurn) = (1 << 16, 1 << 20)

  /// Sends a part of the file; false if the connection has ended, or the file has become shorter.
  private func send(_ file: ServedFile) -> Bool {
    var rest = Self.filePerTurn
    while fileSent < file.length, rest > 0 {
      let sent = withUnsafeTemporaryAllocation(byteCount: Self.fileChunk, alignment: 16) { memory in
        let count = file.read(into: memory, at: fileSent)
        return count > 0 ? send(UnsafeRawBufferPointer(memory)[..<min(count, file.length - fileSent)]) : -1
      }
      guard sent > 0 else { return sent == 0 }
      fileSent += sent
      rest -= sent
    }
    if fileSent == file.length { self.file = nil }
    return true
  }

  /// Returns the number of bytes sent, 0 if the kernel accepts none now, negative if the client has gone.
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
