import Libc
import Testing
import VulkanCompute

@Suite("Errors of compute on a Vulkan device", .needsDevice)
struct ComputeErrorTests {
  @Test("A device that is not there is named")
  func noSuchDevice() throws {
    let instance = try made { vc_instance_open(0, $0) }
    defer { vc_instance_close(instance) }
    let failure = failure { _ = try made { vc_device_open(instance, 1000, nil, 0, $0) } }
    #expect(failure?.status == VC_NO_DEVICE)
    #expect(failure?.message == "there is no device 1000; there are \(vc_device_count(instance))")
    var info = vc_device_info()
    vc_device_describe(instance, 1000, &info)
    #expect(text(of: info.problem) == "there is no device 1000")
  }

  @Test("A buffer without bytes, or above the device's limit, is refused with both numbers")
  func sizes() throws {
    try ComputeBench.run { bench in
      let empty = failure { _ = try bench.buffer(0) }
      #expect(empty?.status == VC_FAILED)
      #expect(empty?.message == "a buffer of 0 bytes")
      let huge = failure { _ = try bench.buffer(1 << 50) }
      #expect(huge?.status == VC_TOO_LARGE)
      #expect(
        huge?.message
          == "a buffer of 1,125,899,906,842,624 bytes is above the device's limit of \(grouped(bench.limits.buffer_bytes))"
      )
      _ = try bench.buffer(1)
    }
  }

  @Test("Memory that is not in whole blocks is not imported", .needsImport)
  func misaligned() throws {
    try ComputeBench.run { bench in
      let alignment = Int(bench.limits.import_alignment)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * alignment, alignment: alignment)
      defer { memory.deallocate() }
      for (address, bytes) in [(memory + 16, alignment), (memory, alignment + 4)] {
        let failure = failure { _ = try bench.importing(address, bytes) }
        #expect(failure?.status == VC_FAILED)
        #expect(
          failure?.message.hasSuffix(
            "is not in whole blocks of \(grouped(UInt64(alignment))) bytes, which can be imported") == true)
      }
    }
  }

  @Test("A descriptor that is no dma-buf is not imported, and stays open")
  func noDMABuf() throws {
    try ComputeBench.run { bench in
      let descriptors = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
      defer { descriptors.deallocate() }
      try #require(pipe(descriptors) == 0)
      defer { for index in 0..<2 { close(descriptors[index]) } }
      let failure = failure {
        _ = try made { vc_buffer_import_dma_buf(bench.device, descriptors[0], 4096, $0) }
      }
      if bench.limits.imports_dma_buf != 0 {
        #expect(failure?.message == "descriptor \(descriptors[0]) is not a dma-buf of 4,096 bytes")
      } else {
        #expect(failure?.status == VC_UNSUITABLE)
        #expect(failure?.message.hasSuffix("does not import dma-bufs") == true)
      }
      #expect(fcntl(descriptors[0], F_GETFD) >= 0)
    }
  }

  @Test("A kernel that is no SPIR-V, or of a shape that devices lack, is refused", .needsShaderCompiler)
  func kernels() throws {
    try ComputeBench.run { bench in
      let code = try ComputeShaders.scale.get()
      let text = failure { _ = try bench.kernel([1, 2, 3, 4, 5, 6]) }
      #expect(text?.message == "the code of the kernel, 6 words, is not SPIR-V")
      let short = failure { _ = try bench.kernel([0x0723_0203]) }
      #expect(short?.message == "the code of the kernel, 1 words, is not SPIR-V")
      let buffers = failure { _ = try bench.kernel(code, buffers: 100, parameters: 2) }
      #expect(buffers?.status == VC_TOO_LARGE)
      let parameters = failure { _ = try bench.kernel(code, parameters: 10000) }
      #expect(parameters?.status == VC_TOO_LARGE)
      #expect(
        parameters?.message
          == "a kernel with 40000 bytes of parameters is above the device's limit of \(bench.limits.parameter_bytes)"
      )
    }
  }

  /// Something recorded that cannot be, and what `submit` says of it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: vc_status
    let message: String
    let record:
      @Sendable (_ recording: OpaquePointer, _ kernel: OpaquePointer, _ buffer: OpaquePointer) -> Void
  }

  static let mistakes = [
    Mistake(
      testDescription: "a copy beyond a buffer", status: VC_FAILED,
      message: "a copy of 2,000 bytes at 48 is beyond a buffer of 2,000 bytes"
    ) { recording, _, buffer in
      vc_commands_copy(recording, buffer, 48, buffer, 0, 2000)
    },
    Mistake(
      testDescription: "a copy whose end overflows", status: VC_FAILED,
      message: "a copy of 18,446,744,073,709,551,615 bytes at 4 is beyond a buffer of 2,000 bytes"
    ) { recording, _, buffer in
      vc_commands_copy(recording, buffer, 4, buffer, 0, .max)
    },
    Mistake(
      testDescription: "a copy onto itself", status: VC_FAILED,
      message: "a copy of 100 bytes within one buffer overlaps itself"
    ) { recording, _, buffer in
      vc_commands_copy(recording, buffer, 0, buffer, 99, 100)
    },
    Mistake(
      testDescription: "too few buffers", status: VC_FAILED, message: "a kernel with 2 buffers is given 1"
    ) { recording, kernel, buffer in
      vc_commands_dispatch(recording, kernel, [buffer], 1, [0, 0] as [UInt32], 8, 1, 1, 1)
    },
    Mistake(
      testDescription: "too few parameters", status: VC_FAILED,
      message: "a kernel with 8 bytes of parameters is given 4"
    ) { recording, kernel, buffer in
      vc_commands_dispatch(recording, kernel, [buffer, buffer], 2, [0] as [UInt32], 4, 1, 1, 1)
    },
    Mistake(
      testDescription: "a clock that is not there", status: VC_FAILED,
      message: "timestamp 2 is set, and the recording has 2"
    ) { recording, _, _ in
      vc_commands_timestamp(recording, 2)
    },
    Mistake(
      testDescription: "a clock set twice", status: VC_FAILED, message: "timestamp 1 is set twice"
    ) { recording, _, _ in
      vc_commands_timestamp(recording, 1)
      vc_commands_timestamp(recording, 1)
    },
  ]

  @Test("A mistake while recording comes out when it is submitted", .needsShaderCompiler, arguments: mistakes)
  func recording(_ mistake: Mistake) throws {
    try ComputeBench.run { bench in
      let kernel = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
      let buffer = try bench.buffer(2000)
      let recording = try bench.recording(timestamps: 2)
      let found = failure {
        try bench.run(recording) {
          mistake.record($0, kernel, buffer)
          vc_commands_barrier($0)
        }
      }
      #expect(found?.status == mistake.status)
      #expect(found?.message == mistake.message)
      // The next recording is sound.
      try bench.run(recording) { vc_commands_copy($0, buffer, 0, buffer, 1000, 1000) }
    }
  }

  @Test("More work groups than the device takes are refused with both numbers", .needsShaderCompiler)
  func groups() throws {
    try ComputeBench.run { bench in
      let most = bench.limits.groups
      let kernel = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
      let buffer = try bench.buffer(64)
      let found = failure {
        try bench.run(try bench.recording()) {
          vc_commands_dispatch($0, kernel, [buffer, buffer], 2, [0, 0] as [UInt32], 8, 1, most.1 + 1, 1)
        }
      }
      #expect(found?.status == VC_TOO_LARGE)
      #expect(
        found?.message
          == "1 × \(most.1 + 1) × 1 work groups are above the device's limit of \(most.0) × \(most.1) × \(most.2)"
      )
    }
  }

  @Test("What belongs to another device is not used", .needsShaderCompiler)
  func otherDevice() throws {
    try ComputeBench.run { bench in
      try ComputeBench.run { other in
        let (buffer, foreign) = (try bench.buffer(64), try other.buffer(64))
        let found = failure {
          try bench.run(try bench.recording()) { vc_commands_copy($0, buffer, 0, foreign, 0, 64) }
        }
        #expect(found?.message == "a recording of one device uses what belongs to another")
      }
    }
  }

  @Test("A recording that never began is not submitted")
  func nothingRecorded() throws {
    try ComputeBench.run { bench in
      let recording = try bench.recording()
      let found = failure { try succeed { vc_commands_submit(recording, $0) } }
      #expect(found?.message == "nothing was recorded")
    }
  }

  @Test("While a recording runs, waiting times out and it is not changed", .needsShaderCompiler)
  func running() throws {
    try ComputeBench.run { bench in
      // Some seconds, should nobody raise the flag. llvmpipe ends every loop after 65,535 turns, and runs groups one
      // after the other; cards run thousands at once.
      let turns: UInt32 = bench.info.kind == VC_KIND_CPU ? 50_000 : 200_000
      let kernel = try bench.kernel(ComputeShaders.linger.get(), constants: [turns], buffers: 1)
      let flag = try bench.buffer(4, VC_MEMORY_UPLOAD)
      try bench.fill(flag, with: [0])
      let recording = try bench.recording()
      try succeed { vc_commands_begin(recording, $0) }
      vc_commands_dispatch(recording, kernel, [flag], 1, nil, 0, 60_000, 1, 1)
      try succeed { vc_commands_submit(recording, $0) }

      let waited = failure { try succeed { vc_commands_wait(recording, 1000, $0) } }
      let begun = failure { try succeed { vc_commands_begin(recording, $0) } }
      let submitted = failure { try succeed { vc_commands_submit(recording, $0) } }
      try bench.fill(flag, with: [1])
      #expect(waited?.status == VC_TIMEOUT)
      #expect(waited?.message == "vkWaitSemaphores: did not end in time")
      #expect(begun?.message == "the recording begins before what was submitted last has ended")
      #expect(submitted?.message == "the recording is submitted again before it has ended")
      try succeed { vc_commands_wait(recording, .max, $0) }
    }
  }

  @Test("Failures that tests ask for come when and as often as asked", .needsShaderCompiler)
  func askedFailures() throws {
    try ComputeBench.run { bench in
      vc_device_set_failure(bench.device, VC_FAILURE_ALLOCATION, 1, 2)
      _ = try bench.buffer(2 << 20)
      for _ in 0..<2 {
        let failed = failure { _ = try bench.buffer(2 << 20) }
        #expect(failed?.status == VC_OUT_OF_DEVICE_MEMORY)
        #expect(failed?.message == "vkAllocateMemory of 2,097,152 bytes: out of device memory")
      }
      _ = try bench.buffer(2 << 20)

      vc_device_set_failure(bench.device, VC_FAILURE_KERNEL, 0, 1)
      let failed = failure { _ = try bench.kernel(ComputeShaders.scale.get(), parameters: 2) }
      #expect(failed?.message == "vkCreateComputePipelines with 0 constants: the driver rejects the shader")
      _ = try bench.kernel(ComputeShaders.scale.get(), parameters: 2)
    }
  }

  @Test(
    "A lost device stays lost, and another can be opened",
    arguments: [(VC_FAILURE_SUBMIT_LOST, "vkQueueSubmit2"), (VC_FAILURE_WAIT_LOST, "vkWaitSemaphores")])
  func lost(_ kind: vc_failure, _ call: String) throws {
    try ComputeBench.run { bench in
      let (a, b) = (try bench.buffer(64), try bench.buffer(64))
      let recording = try bench.recording()
      let copy = { (recording: OpaquePointer) in vc_commands_copy(recording, a, 0, b, 0, 64) }
      vc_device_set_failure(bench.device, kind, 1, 1)
      try bench.run(recording, copy)
      let found = failure { try bench.run(recording, copy) }
      #expect(found?.status == VC_DEVICE_LOST)
      #expect(found?.message == "\(call): the device was lost")

      for attempt in [
        { try bench.run(recording, copy) }, { _ = try bench.buffer(64) }, { _ = try bench.recording() },
        { try succeed { vc_commands_wait(recording, 0, $0) } },
      ] {
        let later = failure(of: attempt)
        #expect(later?.status == VC_DEVICE_LOST)
        #expect(later?.message == "the device was lost earlier")
      }

      try bench.reopen()
      let (c, d) = (try bench.buffer(64), try bench.buffer(64))
      try bench.run(try bench.recording()) { vc_commands_copy($0, c, 0, d, 0, 64) }
    }
  }

  private func grouped(_ number: UInt64) -> String {
    var digits = Array(String(number))
    for position in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: position) }
    return String(digits)
  }
}
