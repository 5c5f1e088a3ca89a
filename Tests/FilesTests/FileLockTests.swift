import FrameCore
import Libc
import TestSupport
import Testing

@testable import Files

@Suite("Locks on files")
struct FileLockTests {
  @Test("Who closes a file releases its lock, although a program that is being started has it open too")
  func released() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "lock")
    let locked = open(scratch("lock"), O_RDONLY | O_CLOEXEC)
    try #require(locked >= 0 && flock(locked, LOCK_EX | LOCK_NB) == 0)
    // What a program has between fork and exec.
    let inherited = dup(locked)
    defer { close(inherited) }
    #expect(throws: FileLock.Occupied.self) { try FileLock(scratch("lock"), until: .now) }
    closeLocked(locked)
    #expect(try FileLock(scratch("lock"), until: .now) != nil)
  }
}
