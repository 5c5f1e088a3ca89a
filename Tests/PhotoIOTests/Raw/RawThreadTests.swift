import FoundationEssentials
import FrameCore
import Synchronization
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Threads that develop camera raws")
struct RawThreadTests {
  /// Larger than LibRaw's tiles, which have 512 pixels an edge, and full of edges.
  private func write(_ pattern: String, _ scratch: Scratch) throws -> String {
    var file = DNGFile(width: 620, height: 540) { x, y, channel in
      Double((x &* 31 &+ y &* 17 &+ x &* y / 64) % 97) / 100 * [0.5, 1, 0.7][channel]
    }
    (file.pattern, file.neutral) = (pattern, [0.5, 1, 0.7])
    return try scratch.write(file.bytes, to: "photo.dng")
  }

  private func develop(_ path: String, threads: Int?) throws -> [UInt16] {
    let reader = try PhotoReader(contentsOf: path)
    reader.developingThreads = threads
    let buffer = try PixelBuffer(size: reader.size, format: reader.format, tags: reader.tags)
    try reader.read(into: buffer)
    try reader.finish()
    return samples16(buffer)
  }

  @Test("The picture is the same whatever the number of threads", arguments: ["RGGB", DNGFile.xTrans])
  func equality(pattern: String) throws {
    let scratch = try Scratch()
    let path = try write(pattern, scratch)
    let alone = try develop(path, threads: 1)
    for threads in [2, 3, nil] { #expect(try develop(path, threads: threads) == alone, "\(threads ?? 0)") }
  }

  /// How many threads exist once a new thread has developed a raw, of that one and those that it started.
  ///
  /// Threads inherit the name of the one that starts them; OpenMP keeps its own until the thread ends that it serves.
  private func threadCount(_ path: String, threads: Int?) throws -> Int {
    // Names have up to 15 bytes.
    let name = "raw \(UInt32.random(in: 0...(.max)))"
    let count = Mutex(Result<Int, any Error>.success(0))
    let thread = try WorkerThread(name: name) {
      let result = Result {
        _ = try develop(path, threads: threads)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { task in
          let data = FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm") ?? Data()
          return String(decoding: data, as: UTF8.self) == name + "\n"
        }.count
      }
      count.withLock { $0 = result }
    }
    thread.join()
    return try count.withLock { try $0.get() }
  }

  @Test("One thread is the caller's alone; X-Trans never takes more")
  func count() throws {
    let scratch = try Scratch()
    let bayer = try write("RGGB", scratch)
    #expect(try threadCount(bayer, threads: 1) == 1)
    #expect(try threadCount(bayer, threads: 3) == 3)
    let xTrans = try write(DNGFile.xTrans, scratch)
    #expect(try threadCount(xTrans, threads: 3) == 1)
  }
}
