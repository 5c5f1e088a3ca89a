import FrameCore
import Libc
import TestSupport
import Testing

@testable import Capture

@Suite("The lock for configuration")
struct ConfigurationLockTests {
  private func message(_ path: String) -> String {
    do {
      _ = try ConfigurationLock(path: path, name: "Cam", patience: 0)
      return "locked"
    } catch { return "\(error)" }
  }

  @Test("One holder at a time in this program, until it unlocks or is gone")
  func own() throws {
    let scratch = try Scratch()
    let path = scratch("video0")
    close(open(path, O_CREAT | O_RDWR, 0o600))
    let lock = try ConfigurationLock(path: path, name: "Cam", patience: 0)
    #expect(
      message(path)
        == "Cam (\(path)) is being configured by another part of this program; unlock it there first.")
    lock.release()
    lock.release()
    #expect(message(path) == "locked", "the one before it went with its last reference")
    #expect(message(path) == "locked")
  }

  @Test("Another program's lock is waited for, and then named")
  func others() throws {
    let scratch = try Scratch()
    let path = scratch("video0")
    // As another program: flock(2) belongs to the open file, not to the process.
    let other = open(path, O_CREAT | O_RDWR, 0o600)
    #expect(flock(other, LOCK_EX) == 0)
    #expect(
      message(path) == "Cam (\(path)) is being configured by another program; try again when it is done.")
    close(other)
    #expect(message(path) == "locked")
  }

  @Test("A device that is gone is no lock that is held")
  func missing() {
    #expect(
      message("/dev/none") == "There is no device Cam (/dev/none); connect it or name another one.")
  }
}
