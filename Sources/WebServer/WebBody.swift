import NIOCore

/// A body that is not in memory as a whole, or not for one client alone. Its connection pulls the next piece when the
/// one before has left for the socket, so that what a slow client has not read yet is not made yet.
public struct WebBody: Sendable {
  enum Kind {
    case part(WebPart, Range<Int>)
    case pieces(length: Int, next: @Sendable () -> [UInt8]?)
    case stream(WebStream, start: [UInt8])
  }

  let kind: Kind

  /// Some bytes of a part, which it shares with others.
  ///
  /// - Parameter range: within the part's bytes.
  public static func part(_ part: WebPart, _ range: Range<Int>) -> WebBody {
    WebBody(kind: .part(part, range))
  }

  /// A body of known length, made piece by piece.
  ///
  /// - Parameter next: returns the next bytes, at least one; nil if there are no more after all, upon which the
  ///   connection is closed. It runs on threads of the pool, one call at a time, and may block.
  public static func pieces(length: Int, next: @escaping @Sendable () -> [UInt8]?) -> WebBody {
    WebBody(kind: .pieces(length: length, next: next))
  }

  /// The parts of a stream, for as long as the client stays. It is read on, and sent away if it goes on talking.
  ///
  /// - Parameter start: what precedes the first part.
  public static func stream(_ stream: WebStream, start: [UInt8] = []) -> WebBody {
    WebBody(kind: .stream(stream, start: start))
  }

  /// Nil for one without an end.
  var length: Int? {
    switch kind {
    case .part(_, let range): range.count
    case .pieces(let length, _): length
    case .stream: nil
    }
  }
}

/// Sends a pulled body to one client. Belongs to its event loop.
final class BodySender {
  private let body: WebBody
  private let share: ServerShare
  private let connections: Connections
  private let watch: ConnectionWatch
  private let sent: () -> Void
  /// Nil once the connection has ended.
  private var context: ChannelHandlerContext?
  private unowned let entry: Connections.Entry
  /// The part that the client is being sent.
  private(set) var taking: WebPart?
  /// The number of the newest part that the client was given, or that existed when its request came.
  private var last: UInt64 = 0
  private var rest = 0
  private var hasJoined = false

  /// - Parameter sent: called when the whole body has left for the socket.
  init(
    _ body: WebBody, _ share: ServerShare, _ connections: Connections, _ entry: Connections.Entry,
    _ watch: ConnectionWatch, _ context: ChannelHandlerContext, sent: @escaping () -> Void
  ) {
    (self.body, self.share, self.connections, self.entry) = (body, share, connections, entry)
    (self.watch, self.context, self.sent) = (watch, context, sent)
  }

  var stream: WebStream? { if case .stream(let stream, _) = body.kind { stream } else { nil } }

  /// - Parameter head: what is sent before the body.
  func begin(after head: ByteBuffer) {
    switch body.kind {
    case .part(let part, let range):
      context?.write(HTTPConnection.wrapOutboundOut(head), promise: nil)
      taking = part
      let whole = part.bytes
      let bytes = whole.getSlice(at: whole.readerIndex + range.lowerBound, length: range.count)
      write(bytes ?? ByteBuffer()) { [unowned self] in finish() }
    case .pieces(let length, _):
      rest = length
      write(head) { [unowned self] in pull() }
    case .stream(let stream, let start):
      var head = head
      head.writeBytes(start)
      let (connections, loop) = (connections, entry.channel.eventLoop)
      let bound = NIOLoopBound(connections, eventLoop: loop)
      hasJoined = true
      last = stream.join { loop.execute { bound.value.serve(stream) } }
      write(head) { [unowned self] in
        watch.enter(.watching)
        offer(stream.newest)
      }
    }
  }

  /// Sends the newest part if the one before has left, skipping those in between.
  func offer(_ newest: WebPart?) {
    guard context != nil, watch.phase == .watching, let newest, newest.number > last else { return }
    last = newest.number
    taking = newest
    watch.enter(.sending)
    connections.offered(entry)
    write(newest.bytes) { [unowned self] in
      taking = nil
      connections.took(entry)
      watch.enter(.watching)
      offer(stream?.newest)
    }
  }

  /// The connection has ended.
  func end() {
    guard context != nil else { return }
    (context, taking) = (nil, nil)
    if hasJoined { stream?.leave() }
  }

  private func finish() {
    (context, taking) = (nil, nil)
    sent()
  }

  private func pull() {
    guard case .pieces(_, let next) = body.kind, context != nil else { return }
    guard rest > 0 else { return finish() }
    let (share, loop) = (share, entry.channel.eventLoop)
    let sender = NIOLoopBound(self, eventLoop: loop)
    share.answers.add(1, ordering: .relaxed)
    share.pool.run {
      let bytes = next()
      if !share.hasStopped.load(ordering: .acquiring) { loop.execute { sender.value.take(bytes) } }
      share.answers.subtract(1, ordering: .releasing)
    }
  }

  private func take(_ bytes: [UInt8]?) {
    guard let context else { return }
    guard let bytes, (1...rest).contains(bytes.count) else {
      share.note("A body did not have the length that it was to have.")
      return context.close(promise: nil)
    }
    rest -= bytes.count
    // The client has taken the piece before: its time begins anew.
    watch.enter(.sending)
    write(ByteBuffer(bytes: bytes)) { [unowned self] in pull() }
  }

  /// Writes bytes; `left` is called when all have left for the socket, which is never if the connection ends before.
  private func write(_ bytes: ByteBuffer, left: @escaping () -> Void) {
    guard let context else { return }
    context.writeAndFlush(HTTPConnection.wrapOutboundOut(bytes)).assumeIsolated().whenComplete {
      [weak self] result in
      guard case .success = result, let self, self.context != nil else { return }
      left()
    }
  }
}
