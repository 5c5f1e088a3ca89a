import FrameCore
import Libc
import Synchronization

/// The lock that whoever configures a device holds; released with its last reference at the latest.
///
/// It is flock(2) on a descriptor of its own, so it excludes other parts of this program as well as other
/// programs of Safelight, and ends with the process. It excludes nobody who does not ask for it, such as
/// v4l2-ctl, nor a program that sees the device through another node, as in a container with a /dev of its
/// own.
final class ConfigurationLock: Sendable {
  private let descriptor: Int32
  private let isHeld = Mutex(true)
  /// Nodes that this program configures, to tell who holds a lock.
  private static let own = Mutex<Set<[UInt64]>>([])
  /// The node as flock(2) distinguishes it: its file system and inode.
  private let node: [UInt64]

  /// Waits for the lock of `path`.
  ///
  /// - Parameter name: the device's name, for errors.
  /// - Throws: `CaptureFailure` if somebody else holds it for longer than `patience`, in seconds.
  init(path: String, name: String, patience: Double) throws {
    descriptor = path.withCString { open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw DeviceErrors.failure(opening: path, name: name, errno: errno) }
    var status = stat()
    node = fstat(descriptor, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : []
    let deadline = Timestamp.now.advanced(bySeconds: patience)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, Timestamp.now < deadline else {
        close(descriptor)
        isHeld.withLock { $0 = false }
        throw Self.busy(path, name, isOwn: Self.own.withLock { [node] in $0.contains(node) })
      }
      usleep(10_000)
    }
    Self.own.withLock { [node] in _ = $0.insert(node) }
  }

  deinit { release() }

  func release() {
    isHeld.withLock { isHeld in
      guard isHeld else { return }
      isHeld = false
      Self.own.withLock { [node] in _ = $0.remove(node) }
      // Closing alone may not release it yet: a program that is just being started has the descriptor too.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  private static func busy(_ path: String, _ name: String, isOwn: Bool) -> CaptureFailure {
    let label = DeviceErrors.label(name, path)
    return CaptureFailure(
      .busy,
      isOwn
        ? SafelightError(
          .device, "\(label) is being configured by another part of this program",
          remedy: "unlock it there first")
        : SafelightError(
          .device, "\(label) is being configured by another program", remedy: "try again when it is done"))
  }
}

extension CaptureDevice {
  /// The time that `lockForConfiguration` waits for another holder, in seconds.
  static let configurationPatience = 1.0

  /// Takes the only access to the device's controls that there is at a time.
  ///
  /// The lock excludes other parts of this program and, as an advisory lock on the device node, other
  /// programs of Safelight; the kernel releases it if the program ends. Programs that do not ask for it, such
  /// as v4l2-ctl, can change controls all the same. Streaming neither needs the lock nor is hindered by it.
  ///
  /// - Throws: `CaptureFailure` if the device cannot be opened, or if another holder keeps it for more than a
  ///   second.
  public func lockForConfiguration() throws -> DeviceConfiguration {
    try lockForConfiguration(patience: Self.configurationPatience)
  }

  func lockForConfiguration(patience: Double) throws -> DeviceConfiguration {
    let node = try open()
    return DeviceConfiguration(
      self, node, try ConfigurationLock(path: node.path, name: name, patience: patience))
  }

  /// Changes controls under the lock of `lockForConfiguration`.
  ///
  /// - Throws: what `lockForConfiguration` and `body` throw.
  public func configure<Result>(_ body: (borrowing DeviceConfiguration) throws -> Result) throws -> Result {
    let configuration = try lockForConfiguration()
    let result = try body(configuration)
    configuration.unlock()
    return result
  }

  /// What the device has of each of the field's settings, and why it lacks the others.
  ///
  /// - Throws: `CaptureFailure`.
  public func capabilities() throws -> [CameraCapability] { try ControlSet(try open()).capabilities }

  /// The present values of the camera's controls, for metadata. Reads only the controls concerned.
  ///
  /// - Throws: `CaptureFailure`.
  public func cameraValues() throws -> CameraValues {
    let node = try open()
    return CameraValues(ControlSet(try CameraValues.controlIDs.compactMap { try node.control($0) }))
  }

  /// Runs `body` and puts all controls back as they were before it, whatever happens in it.
  ///
  /// `body` configures the device itself, with `configure`; the lock is not held in between. If the device is
  /// reconnected afterwards, a stream sets what was set before `body`. Nothing can be put back if the program
  /// is killed.
  ///
  /// - Throws: what `body` throws; otherwise `SafelightError` or `CaptureFailure` if controls could not be put back.
  public func restoringControls<Result>(_ body: () async throws -> Result) async throws -> Result {
    let snapshot = try configure { try $0.snapshot() }
    let result: Result
    do {
      result = try await body()
    } catch {
      // What went wrong first is told.
      try? putBack(snapshot)
      throw error
    }
    try putBack(snapshot)
    return result
  }

  private func putBack(_ snapshot: CameraControlSnapshot) throws {
    do {
      try configure { try $0.restore(snapshot) }
    } catch {
      // It may be gone, or locked; when it is back, it gets its former values.
      remembered.withLock { $0 = snapshot.remembered }
      throw error
    }
  }
}
