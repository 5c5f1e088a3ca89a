import FilterGraph
import FrameCore
import Rendering
import Testing
import Libc

@testable import VulkanRendering

@Suite("Compiled kernels on disk")
struct PipelineCacheTests {
  /// A folder of its own for `body`, gone afterwards.
  private func withFolder(_ body: (String) throws -> Void) throws {
    var name = Array("/tmp/safelight-cache-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw SafelightError(.file, "no folder") }
    let folder = name.withUnsafeBytes { text(of: $0) }
    defer {
      for file in files(in: folder + "/deep") { unlink("\(folder)/deep/\(file)") }
      rmdir(folder + "/deep")
      rmdir(folder)
    }
    try body(folder)
  }

  private func files(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  @Test("are read as they were written, and replaced whole")
  func roundTrip() throws {
    try withFolder { folder in
      let file = try #require(PipelineCacheFile(uuid: "0123", in: folder + "/deep"))
      #expect(file.read() == [])
      let first = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      file.write(first)
      #expect(file.read() == first)
      file.write([1, 2, 3])
      #expect(file.read() == [1, 2, 3])
      #expect(files(in: folder + "/deep") == ["vulkan-0123.bin"])
    }
  }

  @Test("are summed up as FNV-1a has it")
  func checksum() {
    // Of the algorithm's own test vectors (RFC 9923's appendix and test_fnv.c), 64 bit.
    for (text, sum) in [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)] {
      #expect(PipelineCacheFile.checksum(of: Array(text.utf8)) == sum)
    }
  }

  @Test("are left alone where a byte of them is not what was written")
  func damage() throws {
    try withFolder { folder in
      let file = try #require(PipelineCacheFile(uuid: "0123", in: folder + "/deep"))
      file.write(Array(1...200))
      let whole = try contents(file.path)
      for index in whole.indices {
        var damaged = whole
        damaged[index] ^= 0x10
        try put(damaged, into: file.path)
        #expect(file.read() == [], "byte \(index)")
      }
      for damaged in [[], Array(whole.prefix(24)), whole.dropLast(), whole + [0]] as [[UInt8]] {
        try put(damaged, into: file.path)
        #expect(file.read() == [], "\(damaged.count) bytes")
      }
      try put(whole, into: file.path)
      #expect(file.read() == Array(1...200))
    }
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let stream = try #require(fopen(path, "rb"))
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 22)
    let count = fread(&bytes, 1, bytes.count, stream)
    return Array(bytes[..<count])
  }

  private func put(_ bytes: [UInt8], into path: String) throws {
    let stream = try #require(fopen(path, "wb"))
    defer { fclose(stream) }
    try #require(fwrite(bytes, 1, bytes.count, stream) == bytes.count)
  }

  @Test("are left out where there is no folder for them")
  func unwritable() throws {
    let file = try #require(PipelineCacheFile(uuid: "0123", in: "/dev/null"))
    file.write([1, 2, 3])
    #expect(file.read() == [])
  }

  @Test(
    "are kept by a renderer, which takes no harm from damage",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func renderer() throws {
    try withFolder { folder in
      let device = try TestDevice.device()
      let source = try NoisePicture.make(20, 10, .rgba8)
      let file = try #require(PipelineCacheFile(uuid: device.pipelineCacheUUID, in: folder + "/deep"))
      var rendered: Set<[UInt8]> = []
      var damaged: [[UInt8]] = [[], [0], Array(repeating: 0xA5, count: 5000)]
      for pass in 0..<6 {
        let renderer = try VulkanRenderer(on: device, cacheFolder: folder + "/deep")
        rendered.insert(try renderer.frame(source, through: renderer.plan([], for: source)).tightBytes)
        #expect(!file.read().isEmpty)
        if pass == 2 {
          // Cut short, and with other contents under the right head.
          let whole = try contents(file.path)
          damaged.append(whole.dropLast(7))
          damaged.append(whole.enumerated().map { $0.offset > 64 ? ~$0.element : $0.element })
        }
        if let damage = damaged.popLast() { try put(damage, into: file.path) }
      }
      #expect(rendered.count == 1)
      try TestDevice.expectNoComplaints()
    }
  }
}
