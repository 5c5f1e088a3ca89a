import FrameCore
import SyncObserver
import TestSupport
import Testing

@testable import Files
@testable import PhotoIO
import Libc

/// What survives a power cut: the order in which a file is written, synced and named.
@Suite("Files that must survive a power cut")
struct DurableOutputTests {
  /// What was found at a call of fsync.
  private struct Sync: Equatable {
    /// Of what was synced; nil for a folder.
    var bytes: Int?
    /// What stood under the name by then.
    var named: [UInt8]?
  }

  /// Calls of fsync while `body` runs on this thread.
  private final class Log {
    private(set) var calls: [Sync] = []
    private let named: () -> [UInt8]?
    private let failure: Int32

    /// - Parameter failure: with what every call fails; 0: none does.
    init(failure: Int32 = 0, named: @escaping () -> [UInt8]?) {
      self.named = named
      self.failure = failure
    }

    func watch(_ body: () throws -> Void) rethrows {
      let observer: sync_observer = { descriptor, context in
        guard let context else { return 0 }
        return Unmanaged<Log>.fromOpaque(context).takeUnretainedValue().add(descriptor)
      }
      sync_observer_set(observer, Unmanaged.passUnretained(self).toOpaque())
      defer { sync_observer_set(nil, nil) }
      try body()
    }

    private func add(_ descriptor: Int32) -> Int32 {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return errno }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      calls.append(Sync(bytes: isFolder ? nil : Int(status.st_size), named: named()))
      return failure
    }
  }

  @Test(
    "Bytes are on the disk before the file gets its name, and the name after that",
    arguments: [nil, [1, 2, 3]] as [[UInt8]?])
  func order(old: [UInt8]?) throws {
    let scratch = try Scratch()
    if let old { try scratch.write(old, to: "a") }
    let file = try OutputFile(path: scratch("a"), overwrite: true)
    let log = Log { try? scratch.read("a") }
    try log.watch {
      try file.write([9, 8, 7, 6, 5])
      try file.commit()
    }
    #expect(log.calls == [Sync(bytes: 5, named: old), Sync(bytes: nil, named: [9, 8, 7, 6, 5])])
  }

  @Test("What need not survive is not waited for")
  func notDurable() throws {
    let scratch = try Scratch()
    let file = try OutputFile(path: scratch("a"))
    let log = Log { try? scratch.read("a") }
    try log.watch {
      try file.write([1])
      try file.commit(durable: false)
    }
    #expect(log.calls.isEmpty)
    #expect(try scratch.read("a") == [1])
  }

  @Test("A disk that fails to take the bytes leaves what was there, and is an error")
  func failure() throws {
    let scratch = try Scratch()
    let path = try scratch.write([1, 2, 3], to: "a")
    let file = try OutputFile(path: path, overwrite: true)
    try file.write([9])
    Log(failure: ENOSPC, named: { nil }).watch {
      #expect(
        message { try file.commit() }
          == "Cannot write \(path): the disk is full; free some space and try again.")
    }
    #expect(try scratch.names == ["a"])
    #expect(try scratch.read("a") == [1, 2, 3])
  }

  @Test("Pictures are on the disk before they get their names")
  func pictures() throws {
    let scratch = try Scratch()
    let picture = try makeGradient(16, 16)
    for name in ["a.jpg", "a.png"] {
      let log = Log { (try? scratch.read(name)).map { $0.isEmpty ? [] : [1] } }
      try log.watch {
        let writer = try PhotoWriter(
          to: scratch(name), size: picture.size, bitsPerSample: 8, quality: 90, tags: picture.tags,
          metadata: PhotoMetadata(), alpha: picture.alpha)
        try writer.write(picture)
        try writer.finish()
      }
      let size = try scratch.read(name).count
      #expect(log.calls == [Sync(bytes: size, named: nil), Sync(bytes: nil, named: [1])], "\(name)")
    }
  }
}
