import Libc
import Safelight

/// What somebody wants to see in a studio.
public enum StudioTarget: Sendable, Equatable {
  /// A photo or a folder, as an absolute path.
  case path(String)
  /// A camera or the scene, as it is named; a clip, as an absolute path.
  case camera(String)

  /// - Parameter source: as it was given on the command line.
  public init(_ source: String, isCamera: Bool) {
    guard isCamera else {
      self = .path(FileContents.absolute(source))
      return
    }
    switch try? LiveSource(source) {
    case .video?, .pictures?: self = .camera(FileContents.absolute(source))
    case .defaultCamera?, .camera?, .cameraWithID?, .synthetic?, .syntheticPages?, nil: self = .camera(source)
    }
  }
}

extension FileContents {
  /// A path that means the same to programs that run elsewhere.
  static func absolute(_ path: String) -> String {
    let folder = path.hasPrefix("/") ? nil : workingFolder
    return folder.map { FolderListing.path(path, in: $0) } ?? path
  }
}

/// Hands what is to be seen over to a studio of the same user that runs already, if it can show that.
///
/// Each studio listens at a socket of its own in a folder that only its user can reach. Without such a folder
/// (`XDG_RUNTIME_DIR`) every studio is by itself.
public final class StudioHandover: Sendable {
  /// A studio that shows what was asked for.
  public struct Place: Sendable {
    /// With its secret.
    public let address: String
    public let process: Int
    fileprivate let socket: String
    fileprivate let joins: Int
  }

  private let folder: HandoverFolder
  /// Until the studio of this program listens, or it is clear that it will not.
  private let lock = Monitor<FileLock?>(nil)
  private let listener = Monitor<HandoverListener?>(nil)

  /// Returns nil where there is no place for it.
  public convenience init?() {
    guard let folder = HandoverFolder() else { return nil }
    self.init(folder)
  }

  init(_ folder: HandoverFolder) { self.folder = folder }

  // MARK: Asking

  /// Asks the studios that run, until one can show something.
  ///
  /// Other programs that ask wait from here on, until this one listens itself or lets go.
  ///
  /// - Returns: nil if none can.
  public func place(for target: StudioTarget) -> Place? {
    let held = folder.lock()
    lock.update { $0 = held }
    for socket in folder.sockets {
      guard let answer = Self.ask(["open": target.json], at: socket) else { continue }
      if case .string(let address)? = answer["address"], case .number(let process)? = answer["process"],
        case .number(let joins)? = answer["joins"]
      {
        letOthersAsk()
        return Place(address: address, process: Int(process), socket: socket, joins: Int(joins))
      }
    }
    return nil
  }

  /// Waits until one more page has joined than when the place was found: then the browser no longer needs the link.
  ///
  /// - Parameter seconds: to wait at most.
  public func waitForPage(at place: Place, seconds: Double) {
    let end = Timestamp.now.advanced(bySeconds: seconds)
    while Timestamp.now < end {
      guard let answer = Self.ask([:], at: place.socket), case .number(let joins)? = answer["joins"],
        Int(joins) <= place.joins
      else { return }
      usleep(100_000)
    }
  }

  /// Lets other programs ask that wait.
  public func letOthersAsk() { lock.update { $0 = nil } }

  /// - Returns: nil if nobody answers there; a socket that was left by a program that was killed is removed.
  private static func ask(_ request: [String: JSONValue], at socket: String) -> [String: JSONValue]? {
    do {
      let line = try LocalSocket.connected(to: socket)
      try line.send(JSONValue.object(request).line)
      guard case .object(let answer) = try JSONValue(parsing: Array(line.line().utf8), file: "answer") else {
        return nil
      }
      return answer
    } catch {
      let process = socket.split(separator: "-").last.flatMap { Int32($0) } ?? 0
      if process > 0, kill(process, 0) != 0, errno == ESRCH { unlink(socket) }
      return nil
    }
  }

  // MARK: Listening

  /// Shows what other programs ask for from now on. A system that grants no socket or thread only costs the hand-over.
  public func listen(for studio: StudioServer) {
    let made = try? HandoverListener(folder.socket(of: getpid())) { studio.answer(handedOver: $0) }
    listener.update { $0 = made }
    letOthersAsk()
  }

  /// Ends listening.
  public func close() {
    listener.update { listener in
      listener?.close()
      listener = nil
    }
    letOthersAsk()
  }
}

/// Listens at a socket on a thread of its own.
final class HandoverListener: Sendable {
  private let path: String
  private let socket: SharedSocket
  private let isOpen: Monitor<Bool>
  private let thread: Joinable

  private final class SharedSocket: Sendable {
    let socket: LocalSocket
    init(_ socket: consuming LocalSocket) { self.socket = socket }
  }

  /// - Parameter answer: makes the answer to a request, on the listener's thread.
  /// - Throws: `SafelightError` if the system grants no socket or thread.
  init(
    _ path: String, answer: @escaping @Sendable ([String: JSONValue]) -> [String: JSONValue]
  ) throws {
    // Of an earlier process with this number.
    unlink(path)
    let socket = SharedSocket(try LocalSocket.listening(at: path))
    let isOpen = Monitor(true)
    self.path = path
    self.socket = socket
    self.isOpen = isOpen
    thread = Joinable(
      try WorkerThread(name: "handover") {
        while isOpen.read({ $0 }) {
          guard let peer = socket.socket.accepted() else {
            // A system without a free descriptor has none a moment later, either.
            usleep(10_000)
            continue
          }
          guard let text = try? peer.line(),
            case .object(let request)? = try? JSONValue(parsing: Array(text.utf8), file: "request")
          else { continue }
          try? peer.send(JSONValue.object(answer(request)).line)
        }
      })
  }

  func close() {
    isOpen.update { $0 = false }
    socket.socket.stop()
    thread.join()
    unlink(path)
  }
}

extension StudioTarget {
  var json: JSONValue {
    switch self {
    case .path(let path): .object(["path": .string(path)])
    case .camera(let name): .object(["camera": .string(name)])
    }
  }

  /// The initializer returns nil for anything else.
  init?(_ json: JSONValue?) {
    guard case .object(let fields)? = json else { return nil }
    if case .string(let path)? = fields["path"], path.hasPrefix("/") {
      self = .path(path)
    } else if case .string(let name)? = fields["camera"] {
      self = .camera(name)
    } else {
      return nil
    }
  }
}
