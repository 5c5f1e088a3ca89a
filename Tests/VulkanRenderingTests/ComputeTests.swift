import Dispatch
import Synchronization
import Testing
import VulkanCompute

@Suite("Compute on a Vulkan device", .needsDevice)
struct ComputeTests {
  @Test("Every device has a name, a driver, and either no problem or one that is named")
  func devices() throws {
    let instance = try made { vc_instance_open(0, $0) }
    defer { vc_instance_close(instance) }
    #expect(vc_device_count(instance) > 0)
    for index in 0..<vc_device_count(instance) {
      var info = vc_device_info()
      vc_device_describe(instance, index, &info)
      #expect(!text(of: info.name).isEmpty)
      #expect(info.api_major >= 1)
      if info.api_minor >= 2 { #expect(!text(of: info.driver).isEmpty) }
      if info.api_minor < 3 { #expect(text(of: info.problem).hasSuffix("; 1.3 is needed")) }
    }
  }

  @Test("A device that is opened has no less than what Vulkan 1.3 guarantees")
  func limits() throws {
    try ComputeBench.run { bench in
      // Vulkan 1.3 specification, table “Required Limits”.
      let limits = bench.limits
      #expect(limits.buffer_bytes >= 1 << 27)
      #expect(limits.shared_bytes >= 16384)
      #expect(limits.group_invocations >= 128)
      #expect(min(limits.groups.0, limits.groups.1, limits.groups.2) >= 65535)
      #expect(limits.parameter_bytes >= 128)
      #expect(limits.import_alignment & (limits.import_alignment &- 1) == 0)
      #expect(vc_device_memory_available(bench.device) > 0)
    }
  }

  @Test(
    "Bytes come back through every kind of memory",
    arguments: [VC_MEMORY_DEVICE, VC_MEMORY_UPLOAD, VC_MEMORY_DOWNLOAD])
  func roundTrip(_ memory: vc_memory) throws {
    try ComputeBench.run { bench in
      let count = 1027
      let upload = try bench.buffer(4 * count, VC_MEMORY_UPLOAD)
      let between = try bench.buffer(4 * count + 3, memory)
      let download = try bench.buffer(4 * count, VC_MEMORY_DOWNLOAD)
      #expect(vc_buffer_bytes(between) == UInt64(4 * count + 3))
      let sent = (0..<count).map { UInt32($0) &* 2_654_435_761 }
      try bench.fill(upload, with: sent)
      try bench.fill(download, with: [UInt32](repeating: 7, count: count))
      try bench.run(try bench.recording()) { recording in
        vc_commands_copy(recording, upload, 4, between, 7, UInt64(4 * count - 8))
        vc_commands_barrier(recording)
        vc_commands_copy(recording, between, 7, download, 4, UInt64(4 * count - 8))
      }
      #expect(try bench.words(of: download, count) == [7] + sent[1..<count - 1] + [7])
    }
  }

  @Test("The processor reaches device memory where that is unified, and nowhere else")
  func deviceContents() throws {
    try ComputeBench.run { bench in
      let buffer = try bench.buffer(64)
      #expect((vc_buffer_contents(buffer) != nil) == (bench.limits.is_unified != 0))
    }
  }

  @Test(
    "A kernel sees its specialization constants, its parameters and its buffers", .needsShaderCompiler,
    arguments: [[], [3], [3, 10]] as [[UInt32]])
  func kernel(_ constants: [UInt32]) throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), constants: constants, parameters: 2)
      let source = try bench.buffer(400, VC_MEMORY_UPLOAD)
      let target = try bench.buffer(400, VC_MEMORY_DOWNLOAD)
      try bench.fill(source, with: (0..<100).map { $0 * $0 })
      try bench.fill(target, with: [UInt32](repeating: 1, count: 100))
      try bench.run(try bench.recording()) { recording in
        vc_commands_dispatch(recording, kernel, [source, target], 2, [90, 5] as [UInt32], 8, 2, 1, 1)
      }
      let factor = constants.first ?? 1
      let offset = constants.dropFirst().first ?? 0
      let expected = (0..<100).map { $0 < 90 ? $0 * $0 * factor + offset + 5 : 1 }
      #expect(try bench.words(of: target, 100) == expected)
    }
  }

  @Test("Kernels after a barrier read what kernels before it wrote", .needsShaderCompiler)
  func barriers() throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), constants: [3, 1], parameters: 2)
      let count = 5000
      let (a, b) = (try bench.buffer(4 * count), try bench.buffer(4 * count))
      let upload = try bench.buffer(4 * count, VC_MEMORY_UPLOAD)
      let download = try bench.buffer(4 * count, VC_MEMORY_DOWNLOAD)
      try bench.fill(upload, with: (0..<UInt32(count)).map { $0 })
      let steps = 50
      try bench.run(try bench.recording()) { recording in
        vc_commands_copy(recording, upload, 0, a, 0, UInt64(4 * count))
        for step in 0..<steps {
          vc_commands_barrier(recording)
          vc_commands_dispatch(
            recording, kernel, step % 2 == 0 ? [a, b] : [b, a], 2, [UInt32(count), UInt32(step)], 8, 79, 1, 1)
        }
        vc_commands_barrier(recording)
        vc_commands_copy(recording, a, 0, download, 0, UInt64(4 * count))
      }
      let expected = (0..<UInt32(count)).map { start in
        (0..<UInt32(steps)).reduce(start) { $0 &* 3 &+ 1 &+ $1 }
      }
      #expect(try bench.words(of: download, count) == expected)
    }
  }

  @Test("The processor's memory is read and written where it is", .needsShaderCompiler, .needsImport)
  func imports() throws {
    try ComputeBench.run { bench in
      let alignment = Int(bench.limits.import_alignment)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * alignment, alignment: alignment)
      defer { memory.deallocate() }
      let words = memory.initializeMemory(as: UInt32.self, repeating: 20, count: alignment / 2)
      let kernel = try bench.kernel(ComputeShaders.scale.get(), constants: [2, 2], parameters: 2)
      let source = try bench.importing(memory, alignment)
      let target = try bench.importing(memory + alignment, alignment)
      #expect(vc_buffer_contents(target) == memory + alignment)
      try bench.run(try bench.recording()) { recording in
        vc_commands_dispatch(recording, kernel, [source, target], 2, [10, 0] as [UInt32], 8, 1, 1, 1)
      }
      vc_buffer_invalidate(target, 0, 64)
      let written = words + alignment / 4
      #expect((0..<12).map { written[$0] } == [UInt32](repeating: 42, count: 10) + [20, 20])
      // Before their memory.
      bench.destroy(buffer: source)
      bench.destroy(buffer: target)
    }
  }

  @Test("Clocks rise, and show no more time than went by", .needsShaderCompiler)
  func timestamps() throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
      let buffers: [OpaquePointer?] = [try bench.buffer(400_000), try bench.buffer(400_000)]
      let recording = try bench.recording(timestamps: 3)
      var clocks = [UInt64](repeating: 0, count: 3)
      #expect(vc_commands_timestamps(recording, &clocks, 3) == 0)
      let start = ContinuousClock.now
      try bench.run(recording) { recording in
        for clock in 0..<3 {
          vc_commands_timestamp(recording, clock)
          vc_commands_dispatch(recording, kernel, buffers, 2, [100_000, 0] as [UInt32], 8, 1563, 1, 1)
          vc_commands_barrier(recording)
        }
      }
      let elapsed = ContinuousClock.now - start
      try #require(vc_commands_timestamps(recording, &clocks, 3) == (bench.limits.tick_ns > 0 ? 1 : 0))
      #expect(clocks == clocks.sorted())
      #expect(.nanoseconds(clocks[2] - clocks[0]) <= elapsed)
      // A recording that sets fewer clocks has fewer.
      try bench.run(recording) { vc_commands_timestamp($0, 0) }
      #expect(vc_commands_timestamps(recording, &clocks, 3) == 0)
    }
  }

  /// What one thread sends through a kernel that it shares with others.
  private struct Lane: @unchecked Sendable {
    let bench: ComputeBench
    let kernel: OpaquePointer
    let upload, download, recording: OpaquePointer

    /// Whether every number came back as it should.
    func run(rounds: UInt32, from first: UInt32) throws -> Bool {
      for round in 0..<rounds {
        let sent = (0..<1000).map { $0 * 10 + first + round * 100_000 }
        try bench.fill(upload, with: sent)
        try bench.run(recording) { recording in
          vc_commands_dispatch(recording, kernel, [upload, download], 2, [1000, round], 8, 16, 1, 1)
        }
        guard try bench.words(of: download, 1000) == sent.map({ $0 + 1 + round }) else { return false }
      }
      return true
    }
  }

  @Test("Recordings on several threads do not disturb each other", .needsShaderCompiler)
  func threads() throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), constants: [1, 1], parameters: 2)
      let lanes = try (0..<4).map { _ in
        Lane(
          bench: bench, kernel: kernel, upload: try bench.buffer(4000, VC_MEMORY_UPLOAD),
          download: try bench.buffer(4000, VC_MEMORY_DOWNLOAD), recording: try bench.recording())
      }
      let outcomes = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: lanes.count) { index in
        let outcome: String
        do {
          outcome = try lanes[index].run(rounds: 25, from: UInt32(index)) ? "right" : "wrong numbers"
        } catch {
          outcome = "\(error)"
        }
        outcomes.withLock { $0.append(outcome) }
      }
      #expect(outcomes.withLock { $0 } == [String](repeating: "right", count: lanes.count))
    }
  }

  @Test("A recording is made again with other buffers, or runs again as it is", .needsShaderCompiler)
  func reuse() throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), constants: [1, 1], parameters: 2)
      let recording = try bench.recording()
      let download = try bench.buffer(40, VC_MEMORY_DOWNLOAD)
      // More sets of descriptors each time, and buffers that take the places of others.
      for round in UInt32(1)...20 {
        let sources = try (0..<round).map { _ in try bench.buffer(40, VC_MEMORY_UPLOAD) }
        for source in sources { try bench.fill(source, with: [UInt32](repeating: round, count: 10)) }
        try bench.run(recording) { recording in
          for source in sources {
            vc_commands_dispatch(recording, kernel, [source, download], 2, [10, 0] as [UInt32], 8, 1, 1, 1)
            vc_commands_barrier(recording)
          }
        }
        #expect(try bench.words(of: download, 10) == [UInt32](repeating: round + 1, count: 10))
        if round == 20 {
          try bench.fill(try #require(sources.last), with: [UInt32](repeating: 99, count: 10))
          try succeed { vc_commands_submit(recording, $0) }
          try succeed { vc_commands_wait(recording, .max, $0) }
          #expect(try bench.words(of: download, 10) == [UInt32](repeating: 100, count: 10))
        }
        sources.forEach(bench.destroy)
      }
    }
  }

  @Test(
    "Compiled kernels are kept for the same device, and what is not of it is ignored", .needsShaderCompiler)
  func pipelineCache() throws {
    try ComputeBench.run { bench in
      _ = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
      let bytes = vc_device_pipeline_cache(bench.device, nil, 0)
      var cache = [UInt8](repeating: 0, count: bytes)
      #expect(vc_device_pipeline_cache(bench.device, &cache, 8) == bytes)
      #expect(cache == [UInt8](repeating: 0, count: bytes))
      #expect(vc_device_pipeline_cache(bench.device, &cache, bytes) == bytes)
      // VkPipelineCacheHeaderVersionOne: length, version, vendor, device, UUID.
      let uuid = bench.info.pipeline_cache_uuid
      #expect(cache[16..<32].elementsEqual(withUnsafeBytes(of: uuid) { [UInt8]($0) }))

      var foreign = cache
      foreign[20] ^= 0xFF
      for data in [cache, foreign, [UInt8](cache.prefix(20)), [UInt8](repeating: 0xAB, count: 100)] {
        try bench.reopen(with: data)
        _ = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
      }
    }
  }

  @Test("What buffers take is no longer available, and comes back")
  func memoryAvailable() throws {
    try ComputeBench.run { bench in
      let limit = 1 << 20
      vc_device_set_memory_limit(bench.device, UInt64(limit))
      #expect(vc_device_memory_available(bench.device) == UInt64(limit))
      let first = try bench.buffer(limit / 2)
      #expect(vc_device_memory_available(bench.device) <= UInt64(limit / 2))
      let failure = failure { _ = try bench.buffer(limit * 3 / 4) }
      #expect(failure?.status == VC_OUT_OF_DEVICE_MEMORY)
      bench.destroy(buffer: first)
      #expect(vc_device_memory_available(bench.device) == UInt64(limit))
      _ = try bench.buffer(limit * 3 / 4)
    }
  }

  @Test(
    "Commands that lack a barrier are found by the validation layer", .needsShaderCompiler, .needsValidation)
  func complaints() throws {
    let bench = try ComputeBench()
    defer { vc_instance_close(bench.instance) }
    do {
      defer { bench.close() }
      let (a, b) = (try bench.buffer(64), try bench.buffer(64))
      try bench.run(try bench.recording()) { recording in
        vc_commands_copy(recording, a, 0, b, 0, 64)
        vc_commands_copy(recording, b, 0, a, 0, 64)
      }
    }
    let (count, first) = bench.complaints
    #expect(count > 0)
    #expect(first.contains("HAZARD"))
  }
}
