import Testing

@testable import FrameCore
import Libc

@Suite("Processors that threads may run on")
struct ProcessorCountTests {
  #if os(Linux)
    /// Source: proc(5), Cpus_allowed_list of this thread, such as `0-3,8`.
    @Test("As many as the kernel lists for the thread")
    func allowed() throws {
      let file = try #require(fopen("/proc/thread-self/status", "r"))
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 4096)
      var list: Substring?
      while list == nil, fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("Cpus_allowed_list:") else { continue }
        list = text.dropFirst("Cpus_allowed_list:".count)
      }
      let ranges = try #require(list).split { $0 == "," || $0.isWhitespace }.map { range in
        range.split(separator: "-").compactMap { Int($0) }
      }
      let count = ranges.reduce(0) { $0 + ($1.last ?? 0) - ($1.first ?? 0) + 1 }
      #expect(ProcessorCount.usable == count)
    }
  #endif
}
