import FrameCore
import Synchronization
import Libc

/// A descriptor that frames are written to: a pipe, a file or a socket. Used by one thread, except for
/// `interrupt`.
///
/// It never ends the process by SIGPIPE, does not block once interrupted, and allocates no memory after its first
/// write.
final class VideoPipe: Sendable {
  /// The maximum number of pieces per system call; Linux allows 1024 (UIO_MAXIOV).
  private static let maximumPieces = 1024
  /// How often a waiting write checks for `interrupt`, in milliseconds.
  private static let patience: Int32 = 100

  /// The name for error messages, such as `standard output`.
  let label: String
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let isSocket: Bool
  private let isInterrupted = Atomic(false)

  /// Creates or empties a file, or opens a named pipe or device.
  ///
  /// - Throws: `SafelightError(.file)`, also if a named pipe has no reader yet.
  convenience init(path: String) throws {
    // Without O_NONBLOCK, opening a named pipe would wait for its reader where `interrupt` has no effect.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
    var number = open(path, flags, 0o666)
    while number < 0, errno == EINTR { number = open(path, flags, 0o666) }
    guard number >= 0 else {
      if errno == ENXIO {
        throw SafelightError(
          .file, "Cannot write to \(path): nobody reads from it", remedy: "start its reader first")
      }
      throw Self.failure(errno, label: path)
    }
    self.init(adopting: number, label: path, ownsDescriptor: true, isSocket: false)
  }

  /// - Parameter descriptor: stays open for its owner. A FIFO is reopened if the system allows it, so that
  ///   non-blocking writes do not affect other programs that share it.
  convenience init(descriptor: Int32, label: String) throws {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
      throw SafelightError(
        .file, "Cannot write to \(label): it is closed, or not open for writing",
        remedy: "redirect it to a file or a pipe")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno, label: label) }
    // Only FIFOs: regular files must be written at the offset of the shell's descriptor, and a second description
    // would begin at zero.
    if status.st_mode & S_IFMT == S_IFIFO {
      let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if own >= 0 {
        self.init(adopting: own, label: label, ownsDescriptor: true, isSocket: false)
        return
      }
    }
    let isSocket = status.st_mode & S_IFMT == S_IFSOCK
    self.init(adopting: descriptor, label: label, ownsDescriptor: false, isSocket: isSocket)
  }

  private init(adopting descriptor: Int32, label: String, ownsDescriptor: Bool, isSocket: Bool) {
    self.descriptor = descriptor
    self.label = label
    self.ownsDescriptor = ownsDescriptor
    self.isSocket = isSocket
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Whether it is a terminal, which binary data would garble.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Makes a waiting write, and every later one, throw `SinkClosed`. Any thread may call it.
  func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

  /// Writes all of `pieces`, in order, and modifies them on the way.
  ///
  /// - Throws: `SinkClosed` if the reader has gone or after `interrupt`, `SafelightError(.file)` otherwise.
  func write(_ pieces: UnsafeMutableBufferPointer<iovec>) throws {
    let sigpipe = SIGPIPEBlock()
    defer { sigpipe.end() }
    var first = 0
    while first < pieces.count {
      if pieces[first].iov_len == 0 {
        first += 1
        continue
      }
      guard !isInterrupted.load(ordering: .relaxed) else { throw SinkClosed() }
      guard try isWritable() else { continue }
      let written = send(pieces.baseAddress.map { $0 + first }, min(pieces.count - first, Self.maximumPieces))
      if written < 0 {
        switch errno {
        case EINTR, EAGAIN: continue
        case EPIPE:
          sigpipe.consume()
          throw SinkClosed()
        default: throw Self.failure(errno, label: label)
        }
      }
      // A regular file writes nothing without an errno only if the disk is full.
      guard written > 0 else { throw Self.failure(ENOSPC, label: label) }
      first = Self.advance(pieces, from: first, by: written)
    }
  }

  private func send(_ pieces: UnsafeMutablePointer<iovec>?, _ count: Int) -> Int {
    // A socket cannot be reopened as non-blocking, but each call can ask for it.
    guard isSocket else { return writev(descriptor, pieces, Int32(count)) }
    var message = msghdr()
    message.msg_iov = pieces
    message.msg_iovlen = count
    return sendmsg(descriptor, &message, Int32(MSG_DONTWAIT))
  }

  /// Waits briefly for room; false if there is none yet.
  private func isWritable() throws -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let ready = poll(&request, 1, Self.patience)
    guard ready >= 0 else {
      guard errno == EINTR else { throw Self.failure(errno, label: label) }
      return false
    }
    // With POLLERR the write itself reports the error: EPIPE if the reader has gone.
    return ready > 0
  }

  /// Removes `count` written bytes from the pieces, starting at `first`; returns the first remaining piece.
  private static func advance(_ pieces: UnsafeMutableBufferPointer<iovec>, from first: Int, by count: Int)
    -> Int
  {
    var (index, left) = (first, count)
    while left > 0 {
      let taken = min(left, pieces[index].iov_len)
      pieces[index].iov_base = pieces[index].iov_base.map { $0 + taken }
      pieces[index].iov_len -= taken
      left -= taken
      if pieces[index].iov_len == 0 { index += 1 }
    }
    return index
  }

  static func failure(_ code: Int32, label: String) -> SafelightError {
    let problem = "Cannot write to \(label): "
    return switch code {
    case ENOSPC: SafelightError(.file, problem + "the disk is full", remedy: "free some space and try again")
    case EDQUOT:
      SafelightError(.file, problem + "your disk quota is used up", remedy: "free some space and try again")
    case EFBIG:
      SafelightError(
        .file, problem + "the file would exceed the limit for its size", remedy: "raise the limit (ulimit -f)"
      )
    case EISDIR: SafelightError(.file, problem + "it is a folder", remedy: "give the name of a file")
    case ENOENT, ENOTDIR:
      SafelightError(.file, problem + "its folder does not exist", remedy: "create it first")
    case EACCES, EPERM, EROFS:
      SafelightError(.file, problem + errorText(code), remedy: "choose another place")
    default: SafelightError(.file, problem + errorText(code), remedy: "check where it goes")
    }
  }
}

/// Blocks SIGPIPE on the calling thread during a write, without touching the process's signal handlers: a library
/// must not change those.
private struct SIGPIPEBlock {
  private var previous = sigset_t()
  private var sigpipe = sigset_t()
  private let wasPending: Bool

  init() {
    sigemptyset(&sigpipe)
    sigaddset(&sigpipe, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &sigpipe, &previous)
  }

  /// Consumes the signal raised by a write without a reader, unless one was already pending.
  func consume() {
    guard !wasPending else { return }
    var (set, now) = (sigpipe, timespec())
    while sigtimedwait(&set, nil, &now) < 0, errno == EINTR {}
  }

  func end() {
    var mask = previous
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}
